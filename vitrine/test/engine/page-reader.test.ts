// Pages that are flattened as text are compared with the same pages parsed, over random documents of all lists: both have the same
// items and the same end, or both are refused.
import assert from 'node:assert/strict'
import { isAscii, isUtf8 } from 'node:buffer'
import test from 'node:test'
import { attempt } from '../../../base/core/attempt.ts'
import { routes } from '../../src/catalogue/index.ts'
import { vocabulary } from '../../src/catalogue/vocabulary.ts'
import { readPage } from '../../src/engine/page-reader.ts'
import { type PageReader, TextDocument } from '../../src/engine/port.ts'
import { type Expectation, shape } from '../../src/engine/shape.ts'
import { parseCarefully, parseExactly, readDocument } from '../../src/platform/call/exact-json.ts'
import { packDocument } from '../../src/replicas/call-outcome.ts'
import { sized } from '../secrets/random.ts'
import { below, damaged, documentOf, expectationFor, type List, lists, pick, seed } from './random-pages.ts'

const count = sized(1_000_000, 20_000)

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
      return { items: `[${items.join('')}]`, end, unknown: [], duplicates: 0 }
    }
    const { body, ...rest } = shape(list, document, expected)
    return { items: JSON.stringify(body['items']), ...rest }
  } catch (error) {
    return `refused: ${(error as { code?: string }).code}`
  }
}

/** in pieces that end at some of the places between its resources */
function readCut(bytes: Buffer, list: List, expected: Expectation): unknown {
  const pieces = [bytes.toString('latin1')]
  for (const part of pieces.splice(0).flatMap((text) => text.split(/(?<=\}\},)(?=\{"type":")/)))
    if (pieces.length > 0 && below(3) === 0) pieces.push(`${pieces.pop()}${part}`)
    else pieces.push(part)
  const reader = readerOf(list, expected)
  const parse = (latin1: string) => parseExactly(Buffer.from(latin1, 'latin1'))
  const page = isUtf8(bytes) && pieces.length > 1 && attempt(() => reader({ pieces, isAscii: isAscii(bytes) }, parse))
  return page ? new TextDocument(page, reader, () => undefined) : undefined
}

const valuesIn = (json: unknown): number =>
  typeof json === 'object' && json !== null
    ? Object.values(json).reduce((sum: number, one) => sum + valuesIn(one), 1)
    : 1

test('a page that is flattened as text has the items and the end of the same page parsed', () => {
  const taken = new Map<string, number>()
  let cut = 0
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
    const inPieces = readCut(bytes, list, expected)
    if (inPieces) {
      cut++
      assert.deepEqual(
        outcome(list, expected, () => inPieces),
        careful,
        about,
      )
    }
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
  const shown = JSON.stringify([all, cut, taken.size, lists.length])
  assert.ok(all > count / 20 && cut > count / 40 && taken.size > lists.length / 2, shown)
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

test('a long page is read in pieces, wherever one of its items has another form', () => {
  const makeItem = (id: number, more = '') =>
    `{"type":"apps","id":"${id}","attributes":{"name":"港 ${'n'.repeat(id % 7 === 0 ? 9_000 : 500)}"${more}},"links":{"self":"/${id}"}}`
  const items = Array.from({ length: 200 }, (_, id) => makeItem(id))
  const whole = readApps(pageOf(items))
  assert.ok(whole instanceof TextDocument && whole.page.items.length >= 3)
  assert.ok(whole.page.items.every(({ length }) => length < 100_000))
  const expected = { ids: {}, limit: 200 }
  for (let odd = 0; odd < items.length; odd++) {
    const page = pageOf(items.with(odd, makeItem(odd, pick([',"brandNew":1', ',"sku":1e5', ',"sku":{}', '}']))))
    assert.deepEqual(
      outcome(apps, expected, () => readApps(page)),
      outcome(apps, expected, () => parseCarefully(page)),
      String(odd),
    )
  }
  assert.deepEqual(
    outcome(apps, expected, () => whole),
    outcome(apps, expected, () => parseCarefully(pageOf(items))),
  )
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

test('a page is flattened as text with links, without relationships, and with empty ones', () => {
  const relationship = '"builds":{"links":{"related":"/v1/apps/1/builds"}}'
  for (const more of ['', ',"relationships":{}', `,"relationships":{${relationship}}`])
    for (const links of ['', ',"links":{"self":"/v1/apps/1"}']) {
      const page = pageOf([`{"type":"apps","id":"1","attributes":{"name":"a"}${more}${links}}`])
      assert.ok(readApps(page) instanceof TextDocument, more + links)
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
