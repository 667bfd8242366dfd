import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { takeConfig } from '../../src/commands/config-option.ts'
import { vitrine } from '../support/command-line.ts'

const key = ['--key-id', 'ABCDEFGH12']
/** every command with its required arguments, typed by hand and compared with the help */
const commands: readonly (readonly [name: string, ...rest: string[]])[] = [
  ['serve'],
  ['serve', '--check'],
  ['demo'],
  ['sandbox'],
  ['read'],
  ['read', 'listApps'],
  ['whoami'],
  ['mcp'],
  ['completion', 'bash'],
  ['routes'],
  ['explain', '/v1/connections/a/apps'],
  ['openapi'],
  ['review', 'none.json'],
  ['connections', 'add', 'a', ...key],
  ['connections', 'list'],
  ['connections', 'show', 'a'],
  ['connections', 'check', 'a'],
  ['connections', 'replace', 'a', ...key],
  ['connections', 'remove', 'a'],
  ['keys', 'create', '--name', 'n', '--connections', 'a'],
  ['keys', 'list'],
  ['keys', 'show', 'x'],
  ['keys', 'reroll', 'x'],
  ['keys', 'revoke', 'x'],
  ['vault', 'status'],
  ['vault', 'rotate'],
  ['vault', 'verify'],
  ['vault', 'new-key'],
  ['operator', 'token'],
  ['status'],
  ['doctor'],
  ['audit'],
  ['store', 'migrate'],
  ['store', 'check'],
  ['store', 'copy', '--to', 'sqlite:x.db'],
] as [string, ...string[]][]

/** where the option may stand, and how it may be written */
const forms = [
  (words: readonly string[], file: string) => ['--config', file, ...words],
  (words: readonly string[], file: string) => [...words, '--config', file],
  (words: readonly string[], file: string) => [`--config=${file}`, ...words],
  (words: readonly string[], file: string) => [...words, `--config=${file}`],
] as const
const formOf = (at: number) => forms[at % forms.length] ?? forms[0]

function folder(t: { after(end: () => void): void }): string {
  const made = mkdtempSync(join(tmpdir(), 'vitrine-config-'))
  t.after(() => rmSync(made, { recursive: true }))
  return made
}

async function inPairs<T>(all: readonly T[], act: (one: T, at: number) => Promise<void>) {
  for (let at = 0; at < all.length; at += 3) await Promise.all(all.slice(at, at + 3).map((one, i) => act(one, at + i)))
}

test('no command of the program is missing here', async () => {
  const listed = async (...above: string[]) => {
    const { out } = await vitrine([...above, '--help'])
    return [...out.matchAll(/^ {2}([a-z][\w-]+)(?=[ \n])/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help')
  }
  const own = (at: number, of?: string) =>
    [...new Set(commands.filter((words) => of === undefined || words[0] === of).map((words) => words[at] ?? ''))].sort()
  assert.deepEqual((await listed()).filter((name) => name !== 'vitrine').sort(), own(0))
  for (const above of ['connections', 'keys', 'vault', 'store'])
    assert.deepEqual((await listed(above)).sort(), own(1, above), above)
})

test('a settings file that is not there is an error of every command, wherever it is named', async (t) => {
  const missing = join(folder(t), 'none.json')
  await inPairs(commands, async (words, at) => {
    const args = formOf(at)(words, missing)
    const { code, out, err } = await vitrine(args)
    assert.equal(code, 1, `${args.join(' ')}: ${err}`)
    assert.match(out + err, /none\.json[^\n]* cannot be read \(ENOENT\)/, args.join(' '))
  })
})

test('a settings file that is there is taken by commands that read none, and read by those that do', async (t) => {
  const made = folder(t)
  const file = join(made, 'settings.json')
  writeFileSync(file, JSON.stringify({ store: 'sqlite:v.db' }))
  assert.equal((await vitrine(['store', 'migrate', '--config', file])).code, 0)
  const harmless = [['routes'], ['openapi'], ['read'], ['completion', 'zsh'], ['vault', 'new-key'], ['keys', 'list']]
  await inPairs([...harmless, ...harmless], async (words, at) => {
    const args = formOf(at >= harmless.length ? at + 1 : at)(words, file)
    const { code, out, err } = await vitrine(args)
    assert.equal(code, 0, `${args.join(' ')}: ${err}`)
    assert.ok(out.length > 0 && !err.includes('There is no settings file'), err)
  })
})

test('the option is taken out of the words, and a value is one', () => {
  assert.deepEqual(takeConfig(['keys', '--config', 'a', 'list']), { words: ['keys', 'list'], file: 'a' })
  assert.deepEqual(takeConfig(['--config=a=b', 'read', '--', '--config', 'c']), {
    words: ['read', '--', '--config', 'c'],
    file: 'a=b',
  })
  assert.deepEqual(takeConfig(['read', '--name=--config']), { words: ['read', '--name=--config'], file: undefined })
  assert.deepEqual(takeConfig(['complete', 'keys', '--config']).words, ['complete', 'keys', '--config'])
  for (const words of [
    ['routes', '--config'],
    ['--config=', 'routes'],
    ['--config', '--json', 'review'],
  ])
    assert.throws(() => takeConfig(words), /--config needs the name of a file/)
})
