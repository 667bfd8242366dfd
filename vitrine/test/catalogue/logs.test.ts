import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'

const guide = readFileSync('docs/guides/logs.md', 'utf8')
const sources = ['../base/core/events.ts', 'src/events.ts'].map((file) => readFileSync(file, 'utf8'))

/** the rows of the table under these heads, cell by cell */
function rowsUnder(head: RegExp): string[][] {
  const lines = guide.split('\n')
  const at = lines.findIndex((line) => head.test(line))
  const end = lines.findIndex((line, i) => i > at && !line.startsWith('|'))
  assert.ok(at > 0 && end > at)
  return lines.slice(at + 2, end).map((line) => line.split('|').slice(1, -1))
}

const quoted = (text = ''): string[] => [...text.matchAll(/`([\w-]+)`/g)].map((m) => m[1] ?? '')

/** kind -> the names of its fields in the unions of events */
const events = new Map(
  sources
    .map((source) => source.slice(source.indexOf('export type Event ='), source.indexOf('export type Observe')))
    .join('')
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    .split(/\n {2}\| \{/)
    .slice(1)
    .map((text) => {
      const [, kind = ''] = /kind: '(\w+)'/.exec(text) ?? []
      const fields = [...text.matchAll(/(?:^|[;{\n]) *(\w+)\??: /g)].map((m) => m[1] ?? '')
      return [kind, fields.filter((name) => name !== 'kind')] as const
    }),
)
const silent = quoted(/never a line: (.*)\.$/m.exec(guide)?.[1])

test('the guide to the log and the union of events have the same kinds', () => {
  assert.ok(events.size >= 20 && silent.length > 0)
  const kinds = rowsUnder(/^\| Kind/).map(([cell]) => quoted(cell)[0])
  assert.deepEqual(new Set([...kinds, ...silent]), new Set(events.keys()))
  assert.equal(kinds.length + silent.length, events.size)
})

test('the guide to the log and the union of events have the same fields of each kind', () => {
  const said = new Map(rowsUnder(/^\| Field/).map(([field, of]) => [quoted(field)[0] ?? '', quoted(of)]))
  const meant = new Map<string, string[]>()
  // added by the log itself when it sums up lines
  const summed = ['answered', 'refused', 'shed', 'crowded', 'redis_away', 'redis_back', 'redis_refused']
  const more: Readonly<Record<string, string[]>> = Object.fromEntries(summed.map((kind) => [kind, ['count']]))
  for (const [kind, fields] of events)
    if (!silent.includes(kind))
      for (const field of [...fields, ...(more[kind] ?? [])]) meant.set(field, [...(meant.get(field) ?? []), kind])
  assert.deepEqual(new Set(said.keys()), new Set(meant.keys()))
  for (const [field, kinds] of meant) assert.deepEqual(said.get(field)?.toSorted(), kinds.toSorted(), field)
})
