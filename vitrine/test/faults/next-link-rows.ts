// Rows of the fault catalogue about `links.next`: a list that ends in a link that the test derives from the call.
import assert from 'node:assert/strict'
import { guard, ids, type Json, listing, page, type ExampleRoute } from '../support/example-routes.ts'
import { type Call, type Script, send } from '../support/scripted-platform.ts'
import type { Scene, ScriptedFault } from './fault.ts'

export const lists = [page, ids, listing, guard]

export type Next = (call: Call, origin: string) => unknown

export const originOf = ({ headers }: Call): string => `http://${headers.host}`

/** the requested URL with changes: a value sets a parameter, null deletes it */
export const again = ({ url }: Call, origin: string, changes: Record<string, string | null>): URL => {
  const next = new URL(url, origin)
  for (const [name, value] of Object.entries(changes))
    if (value === null) next.searchParams.delete(name)
    else next.searchParams.set(name, value)
  return next
}

/** the first page of the listing decides nothing, so that the link must be followed */
const dataOf = (place: ExampleRoute): unknown[] => (place === listing || place === guard ? [] : place.healthy['data'])

/** the route's list, ending in this link */
export const ending =
  (place: ExampleRoute, next: Next, data: readonly unknown[] = dataOf(place)): Script =>
  (call, res) => {
    if (call.path !== place.read) return send(res, place.others[call.path])
    return send(res, { ...place.healthy, data, links: { self: 'x', next: next(call, originOf(call)) } })
  }

export const [one] = page.healthy['data'] as [Json]
export const offer = (id: string): Json => ({ ...one, id })
export const item = (id: string): Json => ({ ...page.answer['items'][0], id })
export const linkTo = (call: Call, cursor: string): string => again(call, originOf(call), { cursor }).href

/** the next page, found by this page's cursor */
export async function follow({ service, calls }: Scene, { json }: { json: any }, { path = page.path, cost = 1 } = {}) {
  assert.equal(typeof json.nextCursor, 'string')
  const before = calls()
  const answer = await service.ask(`${path}${path.includes('?') ? '&' : '?'}cursor=${json.nextCursor}`)
  assert.equal(calls() - before, cost)
  return answer
}

/** by cursor: the members of a page, and the cursor that it links to */
export const book =
  (pages: Readonly<Record<string, { data: Json[]; next?: string }>>): Script =>
  (call, res) => {
    const { data, next } = pages[call.query.get('cursor') ?? ''] ?? { data: [] }
    return send(res, { data, links: next === undefined ? {} : { next: linkTo(call, next) } })
  }

export const last = { data: [offer('o9')] }

/** a page with a next link, and the page it leads to */
export const goesOn = (fault: Pick<ScriptedFault, 'id' | 'fault'>, items: unknown, row: Partial<ScriptedFault>) => ({
  expect: { status: 200, calls: 1 },
  script: book({}),
  ...fault,
  ...row,
  more: async (answer: { json: any }, scene: Scene) => {
    assert.deepEqual(answer.json.items, items)
    const second = await follow(scene, answer, row.path === undefined ? {} : { path: row.path })
    assert.deepEqual(second.json, { items: [item('o9')], nextCursor: null })
  },
})
const search = ({ query }: Call): string => query.toString()
const c2 = { cursor: 'c2' }

/** links that must be refused, by their row of the catalogue */
export const refused: Readonly<Record<string, Readonly<Record<string, Next>>>> = {
  F96: {
    'on a host of the same beginning': (call, origin) => `${origin}.example.com${call.url}&cursor=c2`,
    'without a scheme': (call) => `//evil.example${call.url}&cursor=c2`,
    'with backslashes': (call) => `\\\\evil.example${call.url}&cursor=c2`,
    'hidden by a line end': (call) => `h\nttp://evil.example${call.url}&cursor=c2`,
  },
  F97: {
    'with https': (call, origin) => again(call, origin, c2).href.replace('http:', 'https:'),
    'on another port': (call) => again(call, 'http://127.0.0.1:9', c2).href,
    'on another address': (call, origin) => again(call, origin, c2).href.replace('127.0.0.1', '127.0.0.2'),
    'on an address of IPv6': (call, origin) => again(call, origin, c2).href.replace('127.0.0.1', '[::1]'),
    'with a user': (call, origin) => again(call, origin, c2).href.replace('//', '//a@'),
    'with a password': (call, origin) => again(call, origin, c2).href.replace('//', '//:b@'),
    'with the file scheme': (call) => `file://${call.url}&cursor=c2`,
    'as data': () => 'data:application/json,{}',
  },
  F98: {
    'to another path': (call, origin) => `${origin}/v1/users?${search(call)}&cursor=c2`,
    'to the path above': (call, origin) => `${origin}${call.path}/../x?${search(call)}&cursor=c2`,
    'with encoded dots': (call, origin) => `${origin}${call.path}/%2e%2e?${search(call)}&cursor=c2`,
    'with one slash more': (call, origin) => `${origin}${call.path}/?${search(call)}&cursor=c2`,
    'with an encoded slash': (call, origin) =>
      `${origin}${call.path.replace(/\/(\w+)$/, '%2F$1')}?${search(call)}&cursor=c2`,
    'with a broken escape': (call, origin) => `${origin}${call.path}%zz?${search(call)}&cursor=c2`,
  },
  F102: {
    'without a cursor': (call, origin) => again(call, origin, {}).href,
    'with an empty cursor': (call, origin) => again(call, origin, { cursor: '' }).href,
    'with two cursors': (call, origin) => `${again(call, origin, c2).href}&cursor=c3`,
  },
  F103: {
    'that is a number': () => 5,
    'that is an object': () => ({ href: 'http://platform/' }),
    'that is a list': () => [],
    'that is false': () => false,
    'that is a blank': () => ' ',
    'that is no URL': () => 'http://[',
  },
  F104: {
    'with a cursor of 20 kB': (call, origin) => again(call, origin, { cursor: 'c'.repeat(20_000) }).href,
  },
  F107: {
    'without our limit': (call, origin) => again(call, origin, { limit: null, ...c2 }).href,
    'with another limit': (call, origin) => again(call, origin, { limit: '7', ...c2 }).href,
    'with a filter more': (call, origin) => again(call, origin, { 'filter[x]': 'y', ...c2 }).href,
  },
}

/** the same request, encoded differently */
export const accepted: Readonly<Record<string, Next>> = {
  relative: ({ url }) => `${url}&cursor=c2`,
  'a query alone': (call) => `?${search(call)}&cursor=c2`,
  're-ordered': ({ path, query }) =>
    `${path}?cursor=c2&${[...query]
      .toReversed()
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .join('&')}`,
  'with a fragment': (call, origin) => `${again(call, origin, c2).href}#end`,
  'escaped otherwise': ({ url }, origin) => `${origin}${url.replace('/v1', '/%76%31')}&cursor=c2`,
}
