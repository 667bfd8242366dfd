// Random documents of all lists as the platform would send them, mostly of one form, and damaged ones.
import type { Field } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { vocabulary } from '../../src/catalogue/vocabulary.ts'
import type { Expectation } from '../../src/engine/shape.ts'
import { createChance } from '../secrets/random.ts'

export const seed = Number(process.env['SEED'] ?? 20_261_126)
export const { below, pick } = createChance(seed)
const times = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make)

export const lists = routes.filter(({ shape, from }) => shape === 'page' && !from.relation)
export type List = (typeof lists)[number]

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
  return { type, chosen, relations: [...new Set(relations)], isBare: below(2) > 0, hasLinks: below(4) > 0 }
}

type Form = ReturnType<typeof formOf>

function itemOf({ type, chosen, relations, isBare, hasLinks }: Form): string {
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
    ...(links.length > 0 || !isBare ? [`"relationships":{${links.join(',')}}`] : []),
    ...(hasLinks ? [`"links":{"self":"https://p.example/v1/${type}/${id}"}`] : []),
  ].join(rarely([', '], [',']))
}

export function documentOf(list: List): string {
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
export function damaged(text: string): Buffer {
  const bytes = [...Buffer.from(text)]
  for (const at of times(2, () => below(bytes.length)))
    bytes.splice(at, below(3), ...times(2, () => pick([...Buffer.from('"\\{}[]:,1e \n'), 0xff, 0xc3, 0x01])))
  return Buffer.from(bytes)
}

export function expectationFor({ returns, path }: List): Expectation {
  const names = Object.keys(returns?.attributes ?? {})
  const ids = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, pick(['1', '22', 'é"$1', 'a b'])]),
  )
  const fields = below(3) === 0 ? names.filter(() => below(2) === 0) : undefined
  return { ids, ...(fields && fields.length > 0 && { fields }), ...(below(4) === 0 && { limit: 1 + below(4) }) }
}
