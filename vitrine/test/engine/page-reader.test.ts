// Pages that are flattened as text are compared with the same pages parsed, over random documents of all lists: both have the same
// items and the same end, or both are refused.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Field } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { vocabulary } from '../../src/catalogue/vocabulary.ts'
import { readPage } from '../../src/engine/page-reader.ts'
import { type PageReader, TextDocument } from '../../src/engine/port.ts'
import { type Expectation, shape } from '../../src/engine/shape.ts'
import { parseCarefully, readDocument } from '../../src/platform/call/exact-json.ts'
import { packDocument } from '../../src/replicas/call-outcome.ts'
import { createChance, sized } from '../secrets/random.ts'

const seed = Number(process.env['SEED'] ?? 20_261_126)
const count = sized(1_000_000, 20_000)
const { below, pick } = createChance(seed)
const times = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make)

const lists = routes.filter(({ shape, from }) => shape === 'page' && !from.relation)
type List = (typeof lists)[number]

const strings = [
  '""',
  '"text"',
  '"a, {b}: [c]"',
  '"https://x.example/1?a=b&c=%20"',
  '"港の灯り"',
  '"é"',
  '"a\\nb \\"c\\" \\\\"',
]
const oddStrings = [
  '"\\u0041"',
  '"\\/"',
  '"\\ud83d"',
  '"\t"',
  '"\u001f"',
  '"\\x"',
  '"\u007f"',
  '"},{\\"id\\":\\"1\\""',
  '"APPLE_TV"',
]
const numbers = ['0', '7', '-3', '123456789012345']
const oddNumbers = [
  '0.25',
  '1.10',
  '-0',
  '1e5',
  '1234567890123456',
  '0.0000001',
  '1.0',
  '01',
  '1.',
  `1${'0'.repeat(400)}`,
]
const rarely = <T>(odd: readonly T[], usual: readonly T[]): T => pick(below(30) === 0 ? odd : usual)

function valueOf({ kind, values = [] }: Field): string {
  if (below(12) === 0) return 'null'
  if (below(90) === 0) return pick(['true', '"text"', '5', '{}', '[]', '{"a":[1]}', 'nul', ''])
  if (kind === 'boolean') return pick(['true', 'false'])
  if (kind === 'integer' || kind === 'number') return rarely(oddNumbers, numbers)
  if (kind === 'object') return '{"url":"x","width":1}'
  if (kind === 'array') return '["a","b"]'
  return rarely(oddStrings, [...strings, ...values.map((value) => JSON.stringify(vocabulary[value] ?? value))])
}

const link = (type: string, id: string) => (name: string) =>
  `"${name}":{"links":{"self":"https://p.example/v1/${type}/${id}/relationships/${name}","related":"https://p.example/v1/${type}/${id}/${name}"}}`

/** what the items of one page have in common */
function formOf({ type, returns, from }: List) {
  const fields = Object.entries(returns?.attributes ?? {}).filter(([, { of }]) => !of)
  const chosen = fields.filter(() => below(8) > 0).toSorted(() => below(3) - 1)
  const relations = times(3, () => pick(['app', 'builds', 'ciProduct', ...Object.keys(from.parent ?? {})]))
  return { type, chosen, relations: [...new Set(relations)], hasLinks: below(4) > 0 }
}

type Form = ReturnType<typeof formOf>

function itemOf({ type, chosen, relations, hasLinks }: Form): string {
  const id = rarely(['"', '', 'é', 'a b', '1/2'], ['1', '22', 'a.b-c', '6446998000', 'v1', String(below(1_000))])
  const members = chosen.map(([name, field]) => `"${vocabulary[name] ?? name}":${valueOf(field)}`)
  if (below(60) === 0) members.push(pick(['"brandNew":1', '"__proto__":{}', members[0] ?? '"a":1', '"id":"2"']))
  if (below(60) === 0) members.reverse()
  const named = below(40) === 0 ? pick(['7', '\t', '\\x']) : id
  const links = relations.map(link(type, named))
  if (below(60) === 0)
    links.push(pick(['"app":{"data":null}', '"app":{"data":{"type":"apps","id":"1"}}', '"x":{}', '"x":1']))
  return [
    `{"type":"${below(90) === 0 ? 'others' : type}","id":"${id}","attributes":{${members.join(',')}}`,
    ...(links.length > 0 ? [`"relationships":{${links.join(',')}}`] : []),
    ...(hasLinks ? [`"links":{"self":"https://p.example/v1/${type}/${id}"}`] : []),
  ].join(rarely([', '], [',']))
}

function documentOf(list: List): string {
  const form = formOf(list)
  const items = times(5, () => `${itemOf(form)}}`).join(rarely([', ', ''], [',']))
  const next = pick(['', ',"next":"https://p.example/v1/a?cursor=b"', ',"next":null'])
  const total = rarely(['1e2', '"5"', '-1', '5.0', '1e400'], ['5', '100'])
  const more = rarely(['"included":[],', '"x":"],\\"links\\":",'], [''])
  const tails = [
    '"a":[1],"links":{}',
    '"m":{"a":[1],"links":{}}',
    '"__proto__":1',
    '"b":1e400',
    '"data":[]',
    '"errors":[]',
    '"included":[]',
  ]
  const tail = rarely(
    tails.map((one) => `,${one}`),
    [''],
  )
  // a short page is parsed in any case
  return `{"data":[${items}],${more}"links":{"self":"${below(20) > 0 ? 'x'.repeat(4_096) : ''}"${next}},"meta":{"paging":{"total":${total},"limit":50}}${tail}}`
}

/** some of its bytes gone, doubled, or others */
function damaged(text: string): Buffer {
  const bytes = [...Buffer.from(text)]
  for (const at of times(2, () => below(bytes.length)))
    bytes.splice(at, below(3), ...times(2, () => pick([...Buffer.from('"\\{}[]:,1e \n'), 0xff, 0xc3, 0x01])))
  return Buffer.from(bytes)
}

function expectationFor({ returns, path }: List): Expectation {
  const names = Object.keys(returns?.attributes ?? {})
  const ids = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, pick(['1', '22', 'é"$1', 'a b'])]),
  )
  const fields = below(3) === 0 ? names.filter(() => below(2) === 0) : undefined
  return { ids, ...(fields && fields.length > 0 && { fields }), ...(below(4) === 0 && { limit: 1 + below(4) }) }
}

const readerOf =
  (list: List, expected: Expectation): PageReader =>
  (text, parse) =>
    readPage(text, parse, list, expected)

/** as it is answered, and what is told of it */
function outcome(list: List, expected: Expectation, make: () => unknown): unknown {
  try {
    const document = make()
    if (document instanceof TextDocument) {
      const { items, end } = document.page
      return { items: `[${items}]`, end, unknown: [], duplicates: 0 }
    }
    const { body, ...rest } = shape(list, document, expected)
    return { items: JSON.stringify(body['items']), ...rest }
  } catch (error) {
    return `refused: ${(error as { code?: string }).code}`
  }
}

const valuesIn = (json: unknown): number =>
  typeof json === 'object' && json !== null
    ? Object.values(json).reduce((sum: number, one) => sum + valuesIn(one), 1)
    : 1

test('a page that is flattened as text has the items and the end of the same page parsed', () => {
  const taken = new Map<string, number>()
  for (let i = 0; i < count; i++) {
    const list = pick(lists)
    const text = documentOf(list)
    const bytes = below(6) === 0 ? damaged(text) : Buffer.from(text)
    const expected = expectationFor(list)
    const careful = outcome(list, expected, () => parseCarefully(bytes))
    const about = `SEED=${seed}, document ${i} of ${list.operation}: ${bytes.toString()}`
    let quick: unknown
    const quickly = outcome(list, expected, () => (quick = readDocument([bytes], readerOf(list, expected))))
    assert.deepEqual(quickly, careful, about)
    if (!(quick instanceof TextDocument)) continue
    taken.set(list.operation, (taken.get(list.operation) ?? 0) + 1)
    assert.ok(quick.page.values >= valuesIn(JSON.parse(text)), about)
    // others who share it parse it, and so do other replicas
    const read = quick
    assert.deepEqual(
      outcome(list, expected, () => read.toJSON()),
      careful,
      about,
    )
    assert.deepEqual(
      outcome(list, expected, () => readDocument([packDocument(read).subarray(1)])),
      careful,
      about,
    )
  }
  const all = [...taken.values()].reduce((sum, one) => sum + one, 0)
  assert.ok(all > count / 20 && taken.size > lists.length / 2, JSON.stringify([all, taken.size, lists.length]))
})

const apps = routes.find(({ operation }) => operation === 'listApps') as List
const pageOf = (items: readonly string[]) =>
  Buffer.from(`{"data":[${items.join()}],"links":{"self":"${'x'.repeat(4_096)}"}}`)
const readApps = (page: Buffer, expected: Expectation = { ids: {}, limit: 200 }) =>
  readDocument([page], readerOf(apps, expected))

test('a page that is flattened as text holds no more values than any other', () => {
  const links = Array.from({ length: 170 }, () => '"a":{"links":{"s":""}}').join()
  const numbers = `"sku":${'1'.repeat(90)},"bundleId":${'1'.repeat(90)}`
  const page = (items: number, more: string) =>
    pageOf(
      Array.from(
        { length: items },
        (_, id) => `{"type":"apps","id":"${id}","attributes":{"name":"a"${more}},"relationships":{${links}}}`,
      ),
    )
  assert.ok(readApps(page(120, '')) instanceof TextDocument)
  assert.throws(() => readApps(page(160, '')), { code: 'upstream_malformed' })
  const expected = { ids: {}, limit: 200, fields: ['name'] }
  assert.ok(readApps(page(120, ',"sku":1'), expected) instanceof TextDocument)
  assert.ok(!(readApps(page(120, `,${numbers}`), expected) instanceof TextDocument))
})

test('words of the platform are translated on every page', () => {
  const translated = lists.flatMap((list) =>
    Object.entries(list.returns?.attributes ?? {})
      .filter(
        ([, { kind, values = [] }]) => kind === 'string' && values.some((value) => Object.hasOwn(vocabulary, value)),
      )
      .map(([name, { values = [] }]) => ({ list, name, values })),
  )
  assert.ok(translated.length > 0)
  for (const { list, name, values } of translated) {
    const items = values.map(
      (value, id) => `{"type":"${list.type}","id":"${id}","attributes":{"${name}":"${vocabulary[value] ?? value}"}}`,
    )
    const read = outcome(list, { ids: {} }, () => readDocument([pageOf(items)], readerOf(list, { ids: {} })))
    assert.deepEqual(
      read,
      outcome(list, { ids: {} }, () => parseCarefully(pageOf(items))),
    )
    for (const value of values) assert.match(JSON.stringify(read), new RegExp(value))
  }
})

test('a page with an unusual form does not change how others are read', () => {
  const usual = pageOf(
    ['1', '22'].map((id) => `{"type":"apps","id":"${id}","attributes":{"name":"${'n'.repeat(3_000)}"}}`),
  )
  assert.ok(readApps(usual) instanceof TextDocument)
  for (const links of ['/1'.repeat(8_000), '/1'.repeat(2_000), '/1'.repeat(99), 'x'.repeat(5_000), '$1\\$&']) {
    const page = pageOf([`{"type":"apps","id":"1","attributes":{"name":"a"},"links":{"self":"${links}"}}`])
    const outcomes = [() => parseCarefully(page), () => readApps(page)].map((make) => outcome(apps, { ids: {} }, make))
    assert.deepEqual(outcomes[1], outcomes[0], links.slice(0, 20))
    assert.ok(readApps(usual) instanceof TextDocument)
  }
})
