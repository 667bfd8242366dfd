// What the documents say of the settings and the commands, held against the code in both directions.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { installLine } from '../../src/demo/programs.ts'
import { limitsOf, readSettings, settingsTable } from '../../src/settings.ts'
import { derivedFiles } from '../../scripts/derive.ts'
import { settingsRows } from '../../scripts/settings-table.ts'

const readme = readFileSync('README.md', 'utf8')
const guides = globSync('docs/*.md').map((file) => [file, readFileSync(file, 'utf8')] as const)

test('the README lists every setting with its default, as scripts/settings-table.ts writes it', () => {
  const [, table] = /<!-- settings -->\n(.*)<!-- \/settings -->/s.exec(readme) ?? []
  assert.equal(table, settingsRows())
  for (const name of Object.keys(settingsTable)) assert.ok(table?.includes(`\n| \`${name}\` | `), name)
})

test('the pages of docs/reference and the client are as the definitions say', () => {
  for (const [file, text] of Object.entries(derivedFiles()))
    assert.equal(readFileSync(file, 'utf8'), text, `${file}: npm run derive writes it`)
})

test('every setting that a guide names exists', () => {
  const rooms = 'limits|rate|engine|ssh|oidc|egressProxy'
  for (const [file, text] of guides)
    for (const [, name = ''] of text.matchAll(new RegExp(`\`((?:${rooms})\\.[a-z][A-Za-z]*)\``, 'g')))
      assert.ok(Object.hasOwn(settingsTable, name), `${file} names ${name}`)
})

test('every limit has a place in the guide to limits or in the settings table', () => {
  const limits = Object.keys(limitsOf(readSettings({ listen: '127.0.0.1:1' }, {})))
  for (const name of limits) assert.ok(readme.includes(`\`limits.${name}\``), name)
})

test('the settings that a guide shows as JSON are accepted', () => {
  const shown = guides.flatMap(([, text]) => [...text.matchAll(/^ {4}(\{"(?:listen|subscription)"[\s\S]*?\}\})$/gm)])
  assert.equal(shown.length, 2)
  for (const [, json = ''] of shown)
    assert.ok(readSettings({ listen: '127.0.0.1:1', ...(JSON.parse(json) as object) }, {}))
})

test('the README shows the line that installs what the demo needs', () => {
  assert.ok(readme.includes(`\n    ${installLine}\n`))
})

test('every command of the program is in the README or a guide', () => {
  const files = ['src/main.ts', 'src/commands/call/define.ts']
  const main = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const groups = [...main.matchAll(/^ *const (\w+) = program\.command/gm)].map(([, name]) => name)
  const named = [...main.matchAll(/(\w+)\s*\.command\('(\w+)'\)/g)]
    .map(([, parent, name = '']) => (groups.includes(parent) ? `${parent} ${name}` : name))
    .filter((name) => !groups.includes(name))
  assert.ok(named.includes('keys create') && named.includes('demo'), named.join())
  const text = [readme, ...guides.map(([, one]) => one)].join('\n')
  for (const name of named) assert.ok(text.includes(`atelier ${name}`), name)
})

test('every test that a page names as its proof exists', () => {
  const named = guides.flatMap(([file, text]) =>
    [...text.matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, one = '']) => [file, one] as const),
  )
  assert.ok(named.length > 10)
  for (const [file, one] of named) assert.ok(existsSync(one), `${file} names ${one}`)
})
