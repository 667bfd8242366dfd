import assert from 'node:assert/strict'
import test from 'node:test'
import { parseStrictJson } from '../../src/api/strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))
const refusal = (text: string): string => {
  try {
    parse(text)
  } catch (error) {
    return String((error as { extras?: { details?: { reason?: unknown } } }).extras?.details?.reason ?? error)
  }
  return 'taken'
}
const list = (item: string, count: number) => `{"a":[${Array.from({ length: count }, () => item).join()}]}`

test('JSON is read as JSON.parse reads it', () => {
  for (const text of [
    '{}',
    '{"a":"","b":[1,-2.5e3,true,false,null],"c":{"a":{}}}',
    String.raw`{"a\"b":"\\","c":"\u0041\\\"{[,:","\u0061":1}`,
    '{"a":"é€😀","b":"\\ud83d\\ude00"}',
    ' {\n"a" :\t[ [ ] , { "x" : "}" } ]\r\n} ',
    `{"a":${'['.repeat(15)}${']'.repeat(15)}}`,
  ])
    assert.deepEqual(parse(text), JSON.parse(text), text)
})

test('what has two readings, or is no JSON object, is refused', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['{"a":1,"a":2}', /twice/],
    [String.raw`{"a":1,"\u0061":2}`, /twice/],
    ['{"b":[{"x":1},{"x":1,"x":1}]}', /twice/],
    [String.raw`{"a":"\ud800"}`, /surrogate/],
    [String.raw`{"\udc00":1}`, /surrogate/],
    [`{"a":${'['.repeat(16)}${']'.repeat(16)}}`, /deeper than 16/],
    ['[]', /not a JSON object/],
    ...['', '{', '"', '{"a', '{"a":"\\', '{"a":1}}', "{'a':1}", '{"a":01}', '{"a":"\n"}', '{"a":"\\x"}', ']', ','].map(
      (text) => [text, /not JSON|not a JSON object/] as const,
    ),
  ]
  for (const [text, reason] of cases) assert.match(refusal(text), reason, text)
  assert.match(refusal(list('1', 100_001)), /more than 100000 values/)
  const named = (count: number) =>
    list(`{"same":0}`, 1_000).replace('0', `{${Array.from({ length: count }, (_, i) => `"m${i}":0`).join()}}`)
  assert.equal(refusal(named(510)), 'taken')
  assert.match(refusal(named(511)), /more than 512 different member names/)
})

test('eight MiB of anything are read or refused in a moment, and a long string is taken', () => {
  const most = 8 * 1024 * 1024
  const long = 'x'.repeat(most)
  assert.equal((parse(`{"a":"${long}"}`) as { a: string }).a.length, most)
  const members = Array.from({ length: most / 12 }, (_, i) => `"m${i}":1`).join()
  const bombs = {
    lists: `{"a":${'['.repeat(most / 2)}${']'.repeat(most / 2)}}`,
    members: `{${members}}`,
    numbers: list('1', most / 2),
    objects: list('{}', most / 3),
    strings: list('""', most / 3),
    escapes: `{"a":"${String.raw`\n`.repeat(most / 2)}"}`,
    open: `{"a":"${String.raw`\"`.repeat(most / 2)}`,
  }
  // by processor time, beside what the engine's own parser takes for a text of that size
  const used = (act: () => void): number => {
    const before = process.cpuUsage()
    act()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const usual = used(() => JSON.parse(list('1', most / 2)))
  for (const [name, text] of Object.entries(bombs)) {
    const spentMs = used(() => refusal(text))
    assert.ok(spentMs < 1000 + 20 * usual, `${name} took ${spentMs} ms, ${usual} ms by JSON.parse`)
  }
})
