// The quick and the exact parser are compared over random documents: what the quick one accepts equals what the exact one
// reads from the same bytes, in every member in use, and both refuse the same documents.
import assert from 'node:assert/strict'
import test from 'node:test'
import { parseCarefully, parseExactly } from '../../src/platform/call/exact-json.ts'
import { parsePlain, readPlainText } from '../../src/platform/call/plain-json.ts'

const seed = Number(process.env['SEED'] ?? 20_261_120)

function chanceOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
const below = chanceOf(seed)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
const times = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make)

const url = () =>
  `"https://platform.example/v1/apps/${below(1e6)}${pick(['', '?a=b&c=%20', '/x y', '', '', '', '', '/\\u00e9', '/é', '/\\x', '\\/z', '\t'])}"`
const name = () =>
  pick(['"name"', '"data"', '"links"', '"relationships"', '"a\\"b"', '"__proto__"', '"\\u005f_proto__"', '"1"'])
const number = () =>
  pick([
    '0',
    '-1',
    '1.10',
    '1e5',
    '1E400',
    '123456789012345',
    '1234567890123456',
    '0.1234567890123456',
    '-0',
    '01',
    '2.5e',
  ])
const string = (): string =>
  pick([
    '""',
    '"text, and 1e5"',
    '"a\\nb"',
    '"港の灯り"',
    '"\\ud83d\\ude00"',
    '":[1234567890123456"',
    '"\t"',
    '"\\x"',
    '"}"',
  ])
const odd = (list: readonly string[]): string => (below(9) === 0 ? pick(list) : '')
const links = () => `{"self":${url()},"related":${url()}${odd([',"related":null', ',"meta":{}', ','])}}`
const gap = () => pick(['', '', '', '', '', '', ' ', '\n  '])
const object = (members: readonly string[]): string => `{${members.join(`,${gap()}`)}}`

function value(depth: number): string {
  if (depth === 0 || below(3) > 0) return pick([string, number, () => 'null', () => 'true', url])()
  if (below(2) === 0) return `[${times(3, () => value(depth - 1)).join(',')}]`
  return object(times(3, () => (below(6) === 0 ? relationships() : `${name()}:${gap()}${value(depth - 1)}`)))
}

const linkOnly = () => `"${pick(['ciProduct', 'app', '__proto__', 'links'])}":{"links":${links()}}`
const relationship = () =>
  pick([linkOnly, linkOnly, linkOnly, () => `"app":${pick(['{"data":null}', '{"data":{"id":"1"}}', '{}', 'null'])}`])()
const relationships = () => `"relationships":{${times(4, relationship).join(',')}}`

/** omits the personal values of a resource */
const lookalike = () => `{"a":1,"relationships":{${linkOnly()}},"links":${links()}}`
const attribute = () => pick([string, string, string, () => value(3), lookalike])()

const resource = () =>
  object([
    '"type":"apps"',
    `"id":"${below(9)}"`,
    ...(below(9) === 0 ? [`${name()}:${value(2)}`] : []),
    `"attributes":${object(times(4, () => `"${pick(['name', 'sku', 'size'])}":${attribute()}`))}`,
    ...(below(9) > 0 ? [relationships()] : []),
    ...(below(9) > 0 ? [`"links":${links()}`] : []),
  ])

const document = () =>
  `${gap()}${object([
    `"data":${below(4) === 0 ? resource() : `[${times(4, resource).join(',')}]`}`,
    ...(below(4) === 0 ? [`"included":[${times(2, resource).join(',')}]`] : []),
    ...(below(9) === 0 ? [relationships(), `${name()}:${value(4)}`] : []),
    `"links":${links()}`,
    `"meta":{"paging":{"total":${below(4) === 0 ? number() : '5'},"limit":50}}`,
  ])}${gap()}`

/** some bytes of it gone, doubled, or become others */
function mutated(text: string): Buffer {
  const bytes = [...Buffer.from(text)]
  for (const at of times(3, () => below(bytes.length)))
    bytes.splice(at, below(3), ...times(2, () => pick([...Buffer.from('"\\{}[]:,1e \n'), 0xff, 0xc3, 0x01])))
  return Buffer.from(bytes)
}

type Json = Record<string, unknown>
const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)

/** what is read of a document: without links that are not used */
function read(json: unknown): string {
  if (!isObject(json)) return JSON.stringify(json)
  for (const list of [json['data'], json['included']])
    for (const one of Array.isArray(list) ? list : [list]) if (isObject(one)) readResource(one)
  return JSON.stringify(json)
}

function readResource(one: Json) {
  const all = one['relationships']
  delete one['links']
  if (isObject(all))
    for (const [name, given] of Object.entries(all))
      if (isObject(given) && Object.keys(given).join() === 'links') delete all[name]
}

function outcome(parse: () => unknown): string {
  try {
    return read(parse())
  } catch (error) {
    return `refused: ${(error as { code?: string }).code}`
  }
}

test('a document is accepted or rejected in the same way by the fast and the exact parser', () => {
  const quick = { taken: 0, left: 0 }
  for (let i = 0; i < 20_000; i++) {
    const text = document()
    const bytes = below(3) === 0 ? mutated(text) : Buffer.from(text)
    const careful = outcome(() => parseCarefully(bytes))
    assert.equal(
      outcome(() => parseExactly(bytes)),
      careful,
      `SEED=${seed}, document ${i}: ${bytes.toString()}`,
    )
    const plain = readPlainText([bytes])
    quick[plain && parsePlain(plain) ? 'taken' : 'left']++
  }
  assert.ok(quick.taken > 1_000 && quick.left > 1_000, JSON.stringify(quick))
})

test('both parsers enforce the same limits on a document', () => {
  const parse = (text: string) => parseExactly(Buffer.from(text))
  const zeros = (count: number) => `{"data":[${Array.from({ length: count }, () => 0).join(',')}]}`
  assert.ok(parse(zeros(79_990)))
  assert.throws(() => parse(zeros(80_010)), { code: 'upstream_malformed' })
  const linked = (count: number) => {
    const members = Array.from({ length: count }, () => '"a":{"links":{"self":"","related":""}}')
    return `{"data":[{"type":"apps","id":"1","relationships":{${members.join(',')}}}]}`
  }
  // four values each, which count although they are left out
  assert.ok(parse(linked(19_900)))
  assert.throws(() => parse(linked(20_100)), { code: 'upstream_malformed' })
})

test('relationships with only links are left out of resources, and of nothing else', () => {
  const links = '{"self":"https://platform.example/1","related":"https://platform.example/2"}'
  const all = `"relationships":{"app":{"links":${links}},"builds":{"links":${links}}},"links":${links}`
  const resource = `{"type":"apps","id":"1",${all}}`
  const left = { type: 'apps', id: '1', relationships: {} }
  const parse = (text: string) => parseExactly(Buffer.from(text))
  assert.deepEqual(parse(`{"data":[${resource},${resource}]}`), { data: [left, left] })
  assert.deepEqual(parse(`{"data":${resource},"included":[${resource}]}`), { data: left, included: [left] })
  for (const whole of [
    `{"data":[{"type":"apps","id":"1","attributes":{"a":1,${all}}}]}`,
    `{"data":[${resource},{"type":"apps","id":"1","attributes":{"a":1,${all}}}]}`,
    `{"data":[],${all}}`,
  ])
    assert.deepEqual(parse(whole), JSON.parse(whole))
})

test('a part that is cut out counts as the most values that fit into its length', () => {
  const one = '{"type":"a","id":"1","relationships":{"a":{"links":{"s":""}}}}'
  const text = `{"data":[${Array.from({ length: 15_000 }, () => one).join()}]}`
  assert.ok(text.length < 1024 * 1024)
  assert.throws(() => parseExactly(Buffer.from(text)), { code: 'upstream_malformed' })
})
