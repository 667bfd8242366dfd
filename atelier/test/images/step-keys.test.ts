// What makes another step of a step: all that its result depends on, and nothing else.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { readTar } from '../../src/files/read-tar.ts'
import type { TarItem } from '../../src/files/write-tar.ts'
import { StepKeys } from '../../src/images/cache/step-keys.ts'
import { spoolContext } from '../../src/images/context.ts'
import { planBuild } from '../../src/images/dockerfile/plan-build.ts'
import { readDockerfile } from '../../src/images/dockerfile/read.ts'
import { contextOf, item } from './build-rig.ts'

interface Wish {
  readonly account?: string
  readonly base?: string
  readonly buildArgs?: Readonly<Record<string, string>>
  readonly items?: readonly TarItem[]
}

const config = { command: null, entrypoint: null, workingDir: '/', user: null, env: {}, labels: {} }

function openKeys(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-keys-'))
  t.after(() => rmSync(folder, { recursive: true }))
  /** of the last of these lines */
  return async (lines: string, { account = 'acc', base = 'sha256:b', buildArgs = {}, items = [] }: Wish = {}) => {
    const { steps } = planBuild(readDockerfile(`FROM base\n${lines}`, buildArgs), { buildArgs, base: config })
    const context = await spoolContext(readTar(contextOf(...items), { entries: 100, bytes: 100_000 }), folder)
    const key = await new StepKeys({ account, base, steps, context }).after(steps.length)
    await context.close()
    return key
  }
}

test('another account, base, command, variable, directory or user makes another step', async (t) => {
  const keyOf = openKeys(t)
  const line = 'ARG V=1\nRUN make'
  const keys = [
    await keyOf(line),
    await keyOf(line, { account: 'other' }),
    await keyOf(line, { base: 'sha256:c' }),
    await keyOf(line, { buildArgs: { V: '2' } }),
    await keyOf('ARG V=1\nRUN make all'),
    await keyOf('ARG V=1\nRUN ["make"]'),
    await keyOf('ARG V=1\nENV A=1\nRUN make'),
    await keyOf('ARG V=1\nENV A=2\nRUN make'),
    await keyOf('ARG V=1\nENV A=1 B=1\nRUN make'),
    await keyOf('ARG V=1\nWORKDIR /w\nRUN make'),
    await keyOf('ARG V=1\nUSER 5\nRUN make'),
    await keyOf('RUN true\nARG V=1\nRUN make'),
    await keyOf('ARG V=1\nRUN make\nRUN make'),
    await keyOf('RUN true\nRUN make'),
    await keyOf('RUN make\nRUN true'),
  ]
  assert.equal(new Set(keys).size, keys.length)
  assert.ok(!keys.includes(undefined))
})

test('what changes nothing of the result makes no other step', async (t) => {
  const keyOf = openKeys(t)
  assert.equal(await keyOf('ENV A=1 B=2\nRUN make'), await keyOf('# why\nENV B=2\n\nenv A=1\nRUN  make'))
  assert.equal(await keyOf('RUN make'), await keyOf('LABEL a=b\nCMD ["x"]\nEXPOSE 80\nRUN make\nENTRYPOINT ["y"]'))
  assert.equal(await keyOf('RUN make'), await keyOf('RUN make\nENV LATER=1\nUSER 7'))
})

const directory = (path: string): TarItem => item(path, { type: 'directory', mode: 0o755 })
const link = (path: string, linkTarget: string): TarItem => item(path, { type: 'symlink', linkTarget, mode: 0o777 })
const tree = [directory('d'), item('d/a', { content: 'A' }), item('d/b', { content: 'B' }), link('d/l', 'a')]
const changed = (n: number, one: TarItem) => tree.with(n, one)

test('bytes, modes, names, links and places of what is copied count; times, order and other files do not', async (t) => {
  const keyOf = openKeys(t)
  const copy = (items: readonly TarItem[], line = 'COPY d /to') => keyOf(line, { items })
  const key = await copy(tree)
  const others = [
    await copy(changed(1, item('d/a', { content: 'X' }))),
    await copy(changed(1, item('d/a', { content: 'A', mode: 0o755 }))),
    await copy(changed(1, item('d/c', { content: 'A' }))),
    await copy(changed(1, directory('d/a'))),
    await copy(changed(1, item('d/a'))),
    await copy(changed(3, link('d/l', 'b'))),
    await copy(changed(3, item('d/l', { content: 'a' }))),
    await copy([...tree, directory('d/empty')]),
    await copy([...tree, directory('d/e'), item('d/e/a', { content: 'A' })]),
    await copy(tree, 'COPY d /to/'),
    await copy(tree, 'COPY d /two'),
    await copy(tree, 'COPY --chown=1 d /to'),
    await copy(tree, 'COPY d/a /to'),
    await copy(tree, 'COPY d/a d/b /to/'),
    await copy(tree, 'COPY d/b d/a /to/'),
    await copy(tree, 'COPY . /to'),
  ]
  assert.equal(new Set([key, ...others]).size, others.length + 1)
  const later = tree.map((one) => ({ ...one, modifiedAt: new Date(7_000_000) }))
  for (const items of [later, [tree[0]!, ...tree.slice(1).toReversed()], [...tree, item('other', { content: 'x' })]])
    assert.equal(await copy(items), key)
})

test('a directory and a file of the same name in it are told apart, and a link counts as what it leads to', async (t) => {
  const keyOf = openKeys(t)
  const inside = [directory('a'), item('a/a', { content: 'A' })]
  const plain = [item('a', { content: 'A' })]
  assert.notEqual(await keyOf('COPY a /to', { items: inside }), await keyOf('COPY a /to', { items: plain }))
  const linked = (content: string) => [item('one', { content }), link('way', 'one')]
  const [one, two] = [linked('1'), linked('2')]
  assert.notEqual(await keyOf('COPY way /to', { items: one }), await keyOf('COPY way /to', { items: two }))
})

test('a source that is missing ends what can be known, for this step and those after it', async (t) => {
  const keyOf = openKeys(t)
  for (const line of ['COPY none /to', 'COPY none /to\nRUN make']) assert.equal(await keyOf(line), undefined)
  assert.notEqual(await keyOf('RUN make'), undefined)
})
