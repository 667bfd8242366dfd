import assert from 'node:assert/strict'
import test from 'node:test'
import {
  guard,
  id,
  ids,
  type Json,
  listing,
  lists,
  over,
  page,
  type Place,
  places,
  single,
  singles,
} from '../ground/places.ts'
import { startScripted } from '../ground/service.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const withMember = (text: string, member: string) => `${text.slice(0, -1)},${member}}`
const first = ({ healthy }: Place): Json => (Array.isArray(healthy['data']) ? healthy['data'][0] : healthy['data'])

interface Broken {
  readonly fault: string
  readonly body: (place: Place, text: string) => unknown
  readonly headers?: Record<string, string>
  readonly at?: readonly Place[]
  readonly query?: string
}

/** `data` of the healthy document, remade */
const data = (make: (member: Json) => unknown) => (place: Place) => ({ ...place.healthy, data: make(first(place)) })
/** the same for the one member of a list */
const member = (make: (member: Json) => unknown) => (place: Place) =>
  data((one) => (Array.isArray(place.healthy['data']) ? [one, make({ ...one, id: 'x2' })] : make(one)))(place)

const typed = [...lists, ...singles]

const texts: Broken[] = [
  { fault: 'UTF-16', body: (_, text) => Buffer.from(`\ufeff${text}`, 'utf16le') },
  { fault: 'invalid UTF-8', body: (_, text) => Buffer.from(withMember(text, '"x":"caf\xe9"'), 'latin1') },
  { fault: 'a surrogate in UTF-8', body: (_, t) => Buffer.from(withMember(t, '"x":"\xed\xa0\x80"'), 'latin1') },
  { fault: 'truncated JSON', body: (_, text) => text.slice(0, -3) },
  { fault: 'a login page', body: () => '<!doctype html><h1>Sign in', headers: { 'content-type': 'text/html' } },
  { fault: 'a login page said to be JSON', body: () => '<!doctype html><h1>Sign in' },
  { fault: 'JSON in text/plain', body: (_, text) => text, headers: { 'content-type': 'text/plain' } },
  { fault: 'JSON in no media type', body: (_, text) => text, headers: { 'content-type': '' } },
  { fault: 'nothing', body: () => '' },
  { fault: 'blanks', body: () => ' \r\n\t ' },
  { fault: 'NaN', body: (_, text) => withMember(text, '"x":NaN') },
  { fault: 'Infinity', body: (_, text) => withMember(text, '"x":-Infinity') },
  { fault: 'a comment', body: (_, text) => `${text}/* fine */` },
  { fault: 'single quotes', body: (_, text) => text.replaceAll('"', "'") },
  { fault: 'a comma too many', body: (_, text) => `${text.slice(0, -1)},}` },
  { fault: '1e400', body: (_, text) => withMember(text, '"x":1e400') },
  { fault: '400 digits', body: (_, text) => withMember(text, `"x":-${'9'.repeat(400)}`) },
  ...[65, 5_000, 1_000_000].map((depth) => ({
    fault: `depth ${depth}`,
    body: (_: Place, text: string) => withMember(text, `"x":${nested(depth)}`),
  })),
  { fault: 'a million brackets that never close', body: () => '['.repeat(1_000_000) },
  { fault: 'two documents', body: (_, text) => text + text },
  { fault: 'garbage behind the document', body: (_, text) => `${text}\n0` },
  { fault: 'NUL behind the document', body: (_, text) => `${text}\0` },
  ...['[]', '"x"', '5', 'null', 'true', '9007199254740993'].map((body) => ({
    fault: `only ${body}`,
    body: () => body,
  })),
  { fault: 'the document in a list', body: (_, text) => `[${text}]` },
]

const shapes: Broken[] = [
  { fault: 'errors and no data', body: () => ({ errors: [{ code: 'NOT_FOUND', status: '404' }] }) },
  { fault: 'data and errors', body: ({ healthy }) => ({ ...healthy, errors: [{ code: 'X' }] }) },
  { fault: 'an empty object', body: () => ({}) },
  { fault: 'no data', body: () => ({ links: { self: 'x' }, meta: {} }) },
  { fault: 'data in __proto__ only', body: (_, text) => `{"__proto__":${text}}` },
  { fault: 'data null', body: data(() => null), at: [...lists, single] },
  { fault: 'an object for a list', body: data((one) => one), at: lists },
  { fault: 'a word for a list', body: data(() => 'x'), at: typed },
  { fault: 'an object that looks like a list', body: data((one) => ({ 0: one, length: 1 })), at: lists },
  { fault: 'a list without links', body: ({ healthy }) => ({ data: healthy['data'] }), at: lists },
  { fault: 'a list whose links are none', body: ({ healthy }) => ({ ...healthy, links: 'x' }), at: lists },
  { fault: 'a list of none', body: data(() => []), at: singles },
  { fault: 'a list of one', body: data((one) => [one]), at: singles },
  { fault: 'a list of two', body: data((one) => [one, one]), at: singles },
  ...[undefined, 5, '', {}, null, ['a1']].map((id) => ({
    fault: `the id ${JSON.stringify(id)}`,
    body: member((one) => ({ ...one, id })),
    at: typed,
  })),
  {
    fault: 'an id in __proto__',
    body: member(({ type }) => JSON.parse(`{"type":"${type}","__proto__":{"id":"a1"}}`)),
    at: typed,
  },
  ...[null, 'x', 7, [], [[]]].map((value) => ({
    fault: `the member ${JSON.stringify(value)}`,
    body: (place: Place) =>
      Array.isArray(place.healthy['data']) ? data((one) => [one, value])(place) : data(() => value ?? 0)(place),
    at: typed,
  })),
  { fault: 'another type', body: member((one) => ({ ...one, type: 'users' })), at: typed },
  { fault: 'no type', body: member(({ id }) => ({ id })), at: typed },
  { fault: 'another id', body: data((one) => ({ ...one, id: 'b2' })), at: [single] },
  {
    fault: 'more than the limit',
    body: member((one) => ({ ...one, id: 'x2' })),
    at: [page, ids],
    query: '?limit=1',
  },
  {
    fault: 'more than the limit',
    body: data((one) => Array.from({ length: 201 }, () => one)),
    at: [listing, guard],
  },
  ...[5, 'x', true, []].map((value) => ({
    fault: `attributes that are ${JSON.stringify(value)}`,
    body: member((one) => ({ ...one, attributes: value })),
    at: [page, single, listing],
  })),
  ...[5, 'x', []].map((value) => ({
    fault: `relationships that are ${JSON.stringify(value)}`,
    body: member((one) => ({ ...one, relationships: value })),
    at: [page, single],
  })),
  { fault: 'no locale to compare', body: data((one) => [{ ...one, attributes: {} }]), at: [listing] },
  { fault: 'a number for a locale', body: data((one) => [{ ...one, attributes: { locale: 5 } }]), at: [listing] },
  ...['..', '.', '', 'a/../b', '\u0007', 'x'.repeat(5_000)].map((id) => ({
    fault: `a localization that cannot be asked for, ${JSON.stringify(id.slice(0, 9))}`,
    body: data((one) => [{ ...one, id }]),
    at: [listing],
  })),
  {
    fault: 'a list of links',
    body: member((one) => ({ ...one, relationships: { app: { data: [{ type: 'apps', id: 'a' }] } } })),
    at: [single],
  },
  ...[{}, { id: 5 }, { id: '' }, 'a1', 7].map((value) => ({
    fault: `the link ${JSON.stringify(value)}`,
    body: member((one) => ({ ...one, relationships: { app: { data: value } } })),
    at: [single],
  })),
  {
    fault: 'another parent',
    body: member((one) => ({ ...one, relationships: { subscription: { data: { type: 'subscriptions', id: 's2' } } } })),
    at: [page],
  },
]

test('a broken document of the platform is 502, whatever read it answers', async (t) => {
  const { platform, service, close } = await startScripted(() => {})
  t.after(close)
  for (const { fault, body, headers, at = places, query = '' } of [...texts, ...shapes])
    for (const place of at)
      await t.test(`${fault}, on ${place.name}`, async () => {
        platform.script = over(place, body(place, JSON.stringify(place.healthy)), headers)
        const { status, json, text } = await service.ask(place.path + query)
        assert.equal(status, 502, text)
        assert.equal(json.error.type, 'upstream_error')
        assert.equal(json.error.code, 'upstream_malformed')
        platform.script = over(place, place.healthy)
        assert.deepEqual((await service.ask(place.path)).json, place.answer, 'the next request is answered')
      })
  assert.deepEqual(Object.keys(Object.prototype), [])
})

test('an empty relation of the id route is null, and an empty guard is an absence', async (t) => {
  const { platform, service, close } = await startScripted(over(id, { data: null, links: {} }))
  t.after(close)
  assert.deepEqual((await service.ask(id.path)).json, { id: null })
  platform.script = over(guard, { data: [], links: {} })
  assert.equal((await service.ask(guard.path)).json.error.type, 'resource_not_found')
})
