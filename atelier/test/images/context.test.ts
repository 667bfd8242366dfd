// The context of a build: what a COPY reads of it, and that a cancelled build reads no more.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { readTar } from '../../src/files/read-tar.ts'
import type { TarItem } from '../../src/files/write-tar.ts'
import { type BuildContext, spoolContext } from '../../src/images/context.ts'
import { copiedEntries } from '../../src/images/copy.ts'
import { findSources } from '../../src/images/sources.ts'
import { contextOf, item } from './build-rig.ts'

async function openOne(t: TestContext, items: readonly TarItem[]) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-context-'))
  const stop = new AbortController()
  const tar = readTar(contextOf(...items), { entries: 20_000, bytes: 100_000_000 })
  const context = await spoolContext(tar, folder, stop.signal)
  t.after(async () => {
    await context.close()
    rmSync(folder, { recursive: true })
  })
  return { context, stop }
}

const link = (path: string, linkTarget: string) => item(path, { type: 'symlink', linkTarget, size: 0, body: null })

async function copied(context: BuildContext, names: readonly string[]) {
  const found: string[] = []
  for await (const { entry, levels } of copiedEntries(context, await findSources(context, names), true))
    found.push(`${entry.path} ${levels.join('/')}`)
  return found
}

test('sources are looked up by path, links and long names among them, without a pass over the context', async (t) => {
  const long = 'n'.repeat(200)
  const items = [item('d/f', { content: 'f' }), link('a', 'd/f'), link('b', 'a'), link('up', 'd'), item(long)]
  const { context } = await openOne(t, items)
  const passes = { count: 0 }
  const counted: BuildContext = {
    ...context,
    entries() {
      passes.count += 1
      return context.entries()
    },
  }
  assert.deepEqual(await copied(counted, ['b', long, 'up/f', 'd/f', 'b']), [
    'd/f b',
    'd/f f',
    'd/f f',
    'd/f b',
    `${long} ${long}`,
  ])
  assert.equal(passes.count, 0)
  assert.deepEqual(await copied(counted, ['up']), ['d/f f'])
  assert.equal(passes.count, 1)
  await assert.rejects(findSources(context, ['d/g']), { type: 'copy_failed' })
})

test('nothing more of a context is read once its build is stopped', async (t) => {
  const { context, stop } = await openOne(
    t,
    Array.from({ length: 3_000 }, (_, i) => item(`f${i}`, { content: 'x' })),
  )
  let read = 0
  const reading = async () => {
    for await (const { path } of context.entries()) {
      read += 1
      if (path === 'f1') stop.abort(new Error('stopped'))
    }
  }
  await assert.rejects(reading(), { message: 'stopped' })
  assert.ok(read < 3_000)
  await assert.rejects(
    findSources(context, ['f1']).then((sources) =>
      copied(
        context,
        sources.map(({ path }) => path),
      ),
    ),
  )
})

test('a COPY that would write more than 100,000 files ends before it is made', async (t) => {
  const { context } = await openOne(
    t,
    Array.from({ length: 1_000 }, (_, i) => item(`d/f${i}`)),
  )
  await assert.rejects(copied(context, Array<string>(101).fill('d')), { type: 'copy_failed' })
  assert.equal((await copied(context, Array<string>(100).fill('d'))).length, 100_000)
})
