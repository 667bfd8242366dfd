// What the explorer makes of a reading, without a browser: its refusal, its times, and words about how much is here.
import assert from 'node:assert/strict'
import test from 'node:test'
import { countWords, emptyWords } from '../../src/console/pages/explorer/count-words.ts'
import type { Form } from '../../src/console/pages/explorer/forms.ts'
import { printJson } from '../../src/console/pages/explorer/json.ts'
import {
  askedLines,
  itemsIn,
  mayHelpLater,
  nextCursorIn,
  type Reading,
  readingOf,
  refusalIn,
  timesOf,
} from '../../src/console/pages/explorer/reading.ts'
import type { Run } from '../../src/console/pages/explorer/run.ts'

const form: Form = {
  ...{ operation: 'listThings', group: 'apps', summary: 'List things', description: '', path: '/things', isList: true },
  ids: [],
  parameters: [
    { name: 'kind', description: '', kind: 'texts', required: false },
    { name: 'limit', description: '', kind: 'integer', required: false },
    { name: 'cursor', description: '', kind: 'cursor', required: false },
  ],
  fields: [],
  example: { ids: {}, query: {} },
}

const cost = { calls: 1, retries: 0, shared: 0, waitedMs: 1, platformMs: 7.5, cache: null }
const told = { operation: 'listThings', status: 200, reason: null, retryAfterSec: null, requestId: 'r', bytes: 2 }
const readingText = (body: string, more: object = {}): string =>
  `${JSON.stringify({ ...told, tookMs: 10, cost, asked: [], ...more }).slice(0, -1)},"body":${body}}`
const reading = (body: unknown, more: object = {}): Reading => readingOf(readingText(JSON.stringify(body), more))

test('a reading keeps its body exact, and anything else is said to be none', () => {
  const { body } = readingOf(readingText('{"size":9007199254740993}'))
  assert.equal(printJson(body), '{"size": 9007199254740993}')
  for (const text of ['', '<html>', 'null', '[]', '{"status":200}', '{"status":200,"asked":[]}'])
    assert.throws(() => readingOf(text), { code: 'strange_answer' }, text)
})

test('a refusal of the read is told as one, with its field and when to ask again', () => {
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

test('plain ids are items, and only a text is a cursor', () => {
  assert.deepEqual(
    itemsIn(reading({ items: ['a', 'b'], nextCursor: null }))?.map((item) => item.entries),
    [[['id', 'a']], [['id', 'b']]],
  )
  assert.equal(itemsIn(reading({ id: 'a' })), undefined)
  assert.equal(nextCursorIn(reading({ items: [], nextCursor: 'c' })), 'c')
  for (const nextCursor of [null, 5, true, undefined])
    assert.equal(nextCursorIn(reading({ items: [], nextCursor })), undefined)
})

test('the time is what was waited, what the platform took, and what is left', () => {
  assert.deepEqual(timesOf({ tookMs: 10, cost }), [
    { name: 'Waiting for a turn', ms: 1 },
    { name: 'Platform', ms: 7.5 },
    { name: 'Vitrine', ms: 1.5 },
  ])
  assert.equal(timesOf({ tookMs: 5, cost })[2]?.ms, 0)
})

test('what was asked is read a parameter a line, decoded', () => {
  assert.deepEqual(askedLines('/v1/apps?fields%5Bapps%5D=name%2Csku&limit=2'), {
    path: '/v1/apps',
    query: [
      ['fields[apps]', 'name,sku'],
      ['limit', '2'],
    ],
  })
  assert.deepEqual(askedLines('/v1/apps/1'), { path: '/v1/apps/1', query: [] })
})

const run = (pages: readonly Reading[], query: Record<string, string> = {}): Run => ({
  ...{ connection: 'acme', draft: { ids: {}, query }, pages, shown: new Set<string>(), at: '' },
})
const page = (count: number, nextCursor: string | null) =>
  reading({ items: Array.from({ length: count }, (_, i) => ({ id: String(i) })), nextCursor })

test('a part of a list never looks like the whole', () => {
  assert.equal(countWords(form, run([page(12, 'c')])), 'Page 1: 12 rows of more.')
  assert.equal(countWords(form, run([page(12, 'c'), page(0, 'd')])), 'Page 2: 12 rows of more.')
  assert.equal(countWords(form, run([page(0, 'c')])), 'Page 1: 0 rows of more.')
  assert.equal(countWords(form, run([page(12, 'c'), page(1, null)])), 'All 13 rows, in 2 pages.')
  assert.equal(countWords(form, run([page(1, null)])), 'All 1 row.')
  assert.equal(countWords(form, run([page(0, null)])), '')
  const later = { cursor: 'c' }
  assert.equal(countWords(form, run([page(3, 'd')], later)), 'Page 1 from the cursor on: 3 rows of more.')
  assert.equal(
    countWords(form, run([page(3, null)], later)),
    '3 rows from the cursor to the end; not what stands before it.',
  )
})

test('an empty list says for which filters it is empty, and whether it goes on', () => {
  const query = { kind: 'a, b', limit: '5' }
  assert.deepEqual(emptyWords(form, run([page(0, null)], query)), {
    ...{ title: 'This list is empty for:', filters: ['kind = a,b'] },
  })
  assert.equal(emptyWords(form, run([page(0, null)])).title, 'This list is empty.')
  assert.match(emptyWords(form, run([page(0, 'c')], query)).title, /goes on: read the next page/)
  assert.match(emptyWords(form, run([page(0, null)], { cursor: 'c' })).title, /behind this cursor/)
})
