import assert from 'node:assert/strict'
import test from 'node:test'
import { parseExactly } from '../../src/platform/call/exact-json.ts'

const parse = (text: string): unknown => parseExactly(Buffer.from(text))
const through = (text: string): string => JSON.stringify(parse(text))

test('every number keeps its digits and its spelling', () => {
  for (const number of [
    '9007199254740993',
    '-9223372036854775808',
    '9223372036854775807',
    '18446744073709551616',
    '0.1234567890123456789',
    '123456789.123456789',
    '1.10',
    '0.1000',
    '1.0',
    '0.0',
    '-0',
    '-0.0',
    '-1.50',
    '100.00',
    '0.0000001',
    '-0.00000012',
    '0.000001',
    '1E2',
    '-7',
    '0',
    '10',
    '0.05',
    '-0.5',
    '100.5',
    '999999999999999',
    '9999999999999.90',
  ])
    // alone, and beside one that has the whole document read in another way
    for (const beside of ['', ',9007199254740993', ',"ü"']) {
      assert.equal(through(`{"a":[${number}${beside}]}`), `{"a":[${number}${beside}]}`)
      assert.equal(through(`{"b":${number} ,"a":[\n${number}\n${beside}]}`), `{"b":${number},"a":[${number}${beside}]}`)
    }
  assert.equal(through('{"a":1E5,"b":9007199254740993}'), '{"a":1E5,"b":9007199254740993}')
  assert.equal(
    through('[12345678901234567890123,"12345678901234567890123"]'),
    '[12345678901234567890123,"12345678901234567890123"]',
  )
})

test('a number that would become null is rejected', () => {
  for (const number of ['1e400', '-1e400', '9'.repeat(400)])
    assert.throws(() => parse(`[${number}]`), { code: 'upstream_malformed' }, number.slice(0, 9))
})

test('nesting is limited to 64 levels', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.ok(parse(nested(64)))
  for (const depth of [65, 5_000, 1_000_000]) assert.throws(() => parse(nested(depth)), { code: 'upstream_malformed' })
  assert.throws(() => parse('{"a":'.repeat(65)), { code: 'upstream_malformed' })
  assert.equal(
    through(`["${'['.repeat(500)}\\"${'{'.repeat(500)}\\\\",1]`),
    `["${'['.repeat(500)}\\"${'{'.repeat(500)}\\\\",1]`,
  )
})

test('anything but one JSON document in UTF-8 is rejected', () => {
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
    '1-2e5',
    '01e5',
    '1.e5',
    '1e',
    '--1e5',
    '1e5e5',
    '+1e5',
    '1e5.5',
    '12345678901234567890.',
    '-',
    '12345678901234567890"a"',
    '{12345678901234567890:1}',
    '{1e5 :1}',
    '[1e5:1]',
    'true1e5',
    '1e5 1e5',
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

test('a member called __proto__ is removed, however it is written and wherever it is', () => {
  for (const name of ['__proto__', '\\u005f_proto__', '__\\u0070roto__', '\\u005F\\u005Fpro\\u0074o\\u005F_'])
    for (const number of ['1', '12345678901234567890'])
      assert.equal(
        through(`{"a":[{"${name}":{"b":1}}],"${name}":1,"b":${number}}`),
        `{"a":[{}],"b":${number}}`,
        `${name} ${number}`,
      )
  assert.equal(through('["__proto__","\\u005f_proto__"]'), '["__proto__","__proto__"]')
})

/** eight megabytes of it, or `most` */
function list(one: string | ((i: number) => string), most = Number.POSITIVE_INFINITY): string {
  const parts: string[] = []
  for (let [i, size] = [0, 0]; i < most && size < 8_000_000; i++) {
    const part = typeof one === 'string' ? one : one(i)
    parts.push(part)
    size += part.length + 1
  }
  return parts.join(',')
}

const exact = '12345678901234567890'
const deep = '['.repeat(60) + ']'.repeat(60)

test('no document blocks the event loop, whatever it contains', async (t) => {
  const kinds: Record<string, (most?: number) => string> = {
    'empty lists': (most) => `[${exact},${list('[]', most && most / 2)}]`,
    'deep lists': (most) => `[${exact},${list(deep, most && most / 61)}]`,
    zeros: (most) => `[${exact},${list('0', most)}]`,
    'long integers': (most) => `[${list(exact, most)}]`,
    exponents: (most) => `[${list('1e5', most)}]`,
    'short strings': (most) => `[${exact},${list('""', most)}]`,
    'many names': (most) => `{"x":${exact},${list((i) => `"k${i}":1`, most)}}`,
    'many numbers as names': (most) => `{"x":${exact},${list((i) => `"${(i * 7_919) % 4_294_967_291}":1`, most)}}`,
    'names in escapes': (most) => `{"x":${exact},${list((i) => `"\\u0041${i}":1`, most)}}`,
    __proto__: (most) => `[${list('{"__proto__":{}}', most && most / 3)}]`,
    escapes: () => `["${'\\u0041'.repeat(1_300_000)}"]`,
    'one number': () => `[0.${'1'.repeat(8_000_000)}]`,
  }
  for (const [kind, make] of Object.entries(kinds))
    await t.test(kind, () => {
      for (const [text, isParsed] of [
        [make(), kind === 'escapes'],
        [make(39_000), kind !== 'one number'],
      ] as const) {
        const bytes = Buffer.from(text)
        const before = process.threadCpuUsage()
        if (isParsed) assert.ok(parseExactly(bytes))
        else assert.throws(() => parseExactly(bytes), { code: 'upstream_malformed' })
        const { user, system } = process.threadCpuUsage(before)
        assert.ok(user + system < 800_000, `${(user + system) / 1_000} ms`)
      }
    })
})
