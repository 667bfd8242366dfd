// What the explorer makes of a read result, without a browser: refusal, times, and the count of rows.
import assert from 'node:assert/strict'
import test from 'node:test'
import { countText, emptyText } from '../../src/console/pages/explorer/row-count.ts'
import { printJson } from '../../src/console/pages/explorer/exact-json.ts'
import {
  targetLines,
  itemsIn,
  mayHelpLater,
  nextCursorIn,
  type ReadAnswer,
  readAnswerOf,
  refusalIn,
  timesOf,
} from '../../src/console/pages/explorer/read-answer.ts'
import type { Run } from '../../src/console/pages/explorer/workbench-state.ts'
import { thingsForm } from './things-form.ts'

const form = thingsForm({
  parameters: [
    { name: 'kind', description: '', kind: 'texts', required: false },
    { name: 'limit', description: '', kind: 'integer', required: false },
    { name: 'cursor', description: '', kind: 'cursor', required: false },
  ],
})

const cost = { calls: 1, retries: 0, shared: 0, waitedMs: 1, platformMs: 7.5, cache: null }
const told = { operation: 'listThings', status: 200, reason: null, retryAfterSec: null, requestId: 'r', bytes: 2 }
const readingText = (body: string, more: object = {}): string =>
  `${JSON.stringify({ ...told, tookMs: 10, cost, asked: [], ...more }).slice(0, -1)},"body":${body}}`
const reading = (body: unknown, more: object = {}): ReadAnswer => readAnswerOf(readingText(JSON.stringify(body), more))

test('a read result keeps its body exact, and anything else is refused', () => {
  const { body } = readAnswerOf(readingText('{"size":9007199254740993}'))
  assert.equal(printJson(body), '{"size": 9007199254740993}')
  for (const text of ['', '<html>', 'null', '[]', '{"status":200}', '{"status":200,"asked":[]}'])
    assert.throws(() => readAnswerOf(text), { code: 'strange_answer' }, text)
})

test('a refused read is reported with its field and when to retry', () => {
  const error = { code: 'rate_limited_key', message: 'Too much.', param: 'limit', requestId: 'r1', docUrl: '/errors/x' }
  const refused = reading({ error: { ...error, retryable: true } }, { status: 429, retryAfterSec: 7 })
  const refusal = refusalIn(refused)
  const { code, message, param, requestId, docUrl, status, retryAfterSec } = refusal ?? assert.fail('it is none')
  assert.deepEqual({ code, message, param, requestId, docUrl }, error)
  assert.deepEqual([status, retryAfterSec], [429, 7])
  assert.equal(mayHelpLater(refused), true)
  assert.equal(mayHelpLater(reading({ error: { ...error, retryable: false } }, { status: 400 })), false)
  assert.equal(refusalIn(reading({ items: [] })), undefined)
  assert.equal(refusalIn(reading({ odd: true }, { status: 502 }))?.code, 'strange_answer')
})

test('plain ids are items, and only a string is a cursor', () => {
  assert.deepEqual(
    itemsIn(reading({ items: ['a', 'b'], nextCursor: null }))?.map((item) => item.entries),
    [[['id', 'a']], [['id', 'b']]],
  )
  assert.equal(itemsIn(reading({ id: 'a' })), undefined)
  assert.equal(nextCursorIn(reading({ items: [], nextCursor: 'c' })), 'c')
  for (const nextCursor of [null, 5, true, undefined])
    assert.equal(nextCursorIn(reading({ items: [], nextCursor })), undefined)
})

test('the time is split into queue, platform and Vitrine', () => {
  assert.deepEqual(timesOf({ tookMs: 10, cost }), [
    { name: 'Queued', ms: 1 },
    { name: 'Platform', ms: 7.5 },
    { name: 'Vitrine', ms: 1.5 },
  ])
  assert.equal(timesOf({ tookMs: 5, cost })[2]?.ms, 0)
})

test('a target is shown with one decoded parameter per line', () => {
  assert.deepEqual(targetLines('/v1/apps?fields%5Bapps%5D=name%2Csku&limit=2'), {
    path: '/v1/apps',
    query: [
      ['fields[apps]', 'name,sku'],
      ['limit', '2'],
    ],
  })
  assert.deepEqual(targetLines('/v1/apps/1'), { path: '/v1/apps/1', query: [] })
})

const run = (pages: readonly ReadAnswer[], query: Record<string, string> = {}): Run => ({
  connection: 'acme',
  draft: { ids: {}, query },
  pages,
  shown: new Set<string>(),
  at: '',
})
const page = (count: number, nextCursor: string | null) =>
  reading({ items: Array.from({ length: count }, (_, i) => ({ id: String(i) })), nextCursor })

test('a part of a list never looks like the whole', () => {
  assert.equal(countText(form, run([page(12, 'c')])), 'Page 1: 12 rows. More available.')
  assert.equal(countText(form, run([page(12, 'c'), page(0, 'd')])), 'Page 2: 12 rows. More available.')
  assert.equal(countText(form, run([page(0, 'c')])), 'Page 1: 0 rows. More available.')
  assert.equal(countText(form, run([page(12, 'c'), page(1, null)])), 'All 13 rows, in 2 pages.')
  assert.equal(countText(form, run([page(1, null)])), 'All 1 row.')
  assert.equal(countText(form, run([page(0, null)])), '')
  const later = { cursor: 'c' }
  assert.equal(countText(form, run([page(3, 'd')], later)), 'Page 1 from the cursor: 3 rows. More available.')
  assert.equal(
    countText(form, run([page(3, null)], later)),
    '3 rows from the cursor to the end. Rows before the cursor are not included.',
  )
})

test('an empty list names its filters, and says whether more pages follow', () => {
  const query = { kind: 'a, b', limit: '5' }
  assert.deepEqual(emptyText(form, run([page(0, null)], query)), {
    title: 'The list is empty for:',
    filters: ['kind = a,b'],
  })
  assert.equal(emptyText(form, run([page(0, null)])).title, 'The list is empty.')
  assert.match(emptyText(form, run([page(0, 'c')], query)).title, /More pages are available/)
  assert.match(emptyText(form, run([page(0, null)], { cursor: 'c' })).title, /after this cursor/)
})
