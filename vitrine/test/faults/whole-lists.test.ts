// Lists without a next link although the platform reports more items: never presented as complete.
import assert from 'node:assert/strict'
import { guard, ids, type Json, listing, answerRead, page, type ExampleRoute } from '../support/example-routes.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { first, malformed } from './document-rows.ts'
import { faults, type Scene, type ScriptedFault } from './fault.ts'
import { follow, linkTo, lists } from './next-link-rows.ts'

const named = (place: ExampleRoute, paging: Json, links: Json = { self: 'x' }): Script =>
  answerRead(place, { ...place.healthy, links, meta: { paging } })

/** a found member needs no further page */
const unfound: ExampleRoute = { ...guard, healthy: { ...guard.healthy, data: [{ type: 'appInfos', id: 'i8' }] } }

/** how a page may announce a further one without a link to it */
const contradictions: Readonly<Record<string, Json>> = {
  'names a next cursor': { limit: 50, nextCursor: 'Mg.AKwzESA' },
  'names a next cursor and the total that came': { total: 1, limit: 50, nextCursor: 'Mg.AKwzESA' },
  'names a next cursor that is no text': { limit: 50, nextCursor: 7 },
  'counts one item more': { total: 2, limit: 50 },
  'counts many more': { total: 4_999_999_999, limit: 50 },
  'counts in text': { total: '1', limit: 50 },
  'counts in fractions': { total: 1.5, limit: 50 },
  'counts fewer than none': { total: -1, limit: 50 },
}

/** what a complete list may report */
const wholes: Readonly<Record<string, Json>> = {
  'counts what came': { total: 1, limit: 50 },
  'counts nothing': { limit: 50 },
  'counts less than came': { total: 0, limit: 50 },
  'says null': { total: null, nextCursor: null },
  'names an empty cursor': { total: 1, nextCursor: '' },
}

const links: Readonly<Record<string, Json>> = {
  'no next link': { self: 'x' },
  null: { next: null },
  empty: { next: '' },
}

faults([
  ...Object.entries(contradictions).flatMap(([words, paging]) =>
    lists.map((at): ScriptedFault => ({
      id: 'F108',
      fault: `a page that ${words}, on ${at.name}`,
      at,
      script: named(at === guard ? unfound : at, paging),
      expect: malformed,
    })),
  ),
  ...Object.entries(links).map(([words, link]): ScriptedFault => ({
    id: 'F108',
    fault: `a next cursor beside a next link that is ${words}`,
    at: page,
    script: named(page, { nextCursor: 'c2' }, link),
    expect: malformed,
  })),
  ...Object.entries(wholes).flatMap(([words, paging]) =>
    [page, ids].map((at): ScriptedFault => ({
      id: 'F108',
      fault: `a whole list that ${words}, on ${at.name}`,
      at,
      script: named(at, paging),
      expect: { status: 200, json: at.answer, calls: 1 },
    })),
  ),
  ...[listing, guard].map((at): ScriptedFault => ({
    id: 'F108',
    fault: `a whole list that counts what came, on ${at.name}`,
    at,
    script: named(at, { total: 1 }),
    expect: { status: 200, json: at.answer, calls: 2 },
  })),
  ...[page, ids].map((at): ScriptedFault => ({
    id: 'F108',
    fault: `the same item twice where the platform counts two, on ${at.name}`,
    at,
    script: answerRead(at, { ...at.healthy, data: [first(at), first(at)], meta: { paging: { total: 2 } } }),
    expect: malformed,
  })),
])

interface Told {
  readonly ids: readonly string[]
  readonly total?: number
}

/** one reader paging over these pages */
const walking =
  (place: ExampleRoute, pages: readonly Told[]): Script =>
  (call, res) => {
    if (call.path !== place.read) return send(res, place.others[call.path])
    const at = Number(call.query.get('cursor') ?? 0)
    const { ids: members, total } = pages[at] ?? { ids: [] }
    const next = at + 1 < pages.length ? { next: linkTo(call, String(at + 1)) } : {}
    const paging = total === undefined ? {} : { paging: { total, limit: 2 } }
    return send(res, { data: members.map((id) => ({ ...first(place), id })), links: next, meta: paging })
  }

async function walkOn(answer: { json: any; status: number }, scene: Scene, at: ExampleRoute) {
  let last = answer
  while (last.status === 200 && last.json.nextCursor !== null) last = await follow(scene, last, at)
  return last
}

const broken: Readonly<Record<string, readonly Told[]>> = {
  'ends one short of its total': [
    { ids: ['a', 'b'], total: 4 },
    { ids: ['c'], total: 4 },
  ],
  'ends on an empty page': [
    { ids: ['a', 'b'], total: 3 },
    { ids: [], total: 3 },
  ],
  'told its total on the first page alone': [{ ids: ['a', 'b'], total: 5 }, { ids: ['c', 'd'] }],
  'told its total on the last page alone': [{ ids: ['a', 'b'] }, { ids: ['c', 'd'] }, { ids: ['e'], total: 6 }],
  'lost a page in the middle': [
    { ids: ['a', 'b'], total: 6 },
    { ids: [], total: 6 },
    { ids: ['e', 'f'], total: 6 },
  ],
}
const fine: Readonly<Record<string, readonly Told[]>> = {
  'reaches its total': [
    { ids: ['a', 'b'], total: 3 },
    { ids: ['c'], total: 3 },
  ],
  'tells no total': [{ ids: ['a', 'b'] }, { ids: ['c'] }],
  'loses an item that was removed meanwhile': [
    { ids: ['a', 'b'], total: 4 },
    { ids: ['c'], total: 3 },
  ],
  'misses an item that was added meanwhile to an earlier page': [
    { ids: ['a', 'b'], total: 3 },
    { ids: ['c'], total: 4 },
  ],
  'repeats an item that was pushed on': [
    { ids: ['a', 'b'], total: 3 },
    { ids: ['b', 'c'], total: 4 },
  ],
}

faults(
  [page, ids].flatMap((at) => [
    ...Object.entries(broken).map(([words, pages]): ScriptedFault => ({
      id: 'F108',
      fault: `a walk that ${words}, on ${at.name}`,
      at,
      script: walking(at, pages),
      expect: { status: 200, calls: 1 },
      async more(answer, scene) {
        const { status, json } = await walkOn(answer, scene, at)
        assert.deepEqual([status, json.error?.code], [502, 'upstream_malformed'])
        assert.match(json.error.message, /ended a list before all the items/)
      },
    })),
    ...Object.entries(fine).map(([words, pages]): ScriptedFault => ({
      id: 'F108',
      fault: `a walk that ${words}, on ${at.name}`,
      at,
      script: walking(at, pages),
      expect: { status: 200, calls: 1 },
      async more(answer, scene) {
        assert.equal((await walkOn(answer, scene, at)).json.nextCursor, null)
      },
    })),
  ]),
)

const other = { ...first(listing), id: 'l9', attributes: { locale: 'de-DE' } }
faults([
  {
    id: 'F108',
    fault: 'a listing of two pages that counts three, with a match',
    at: listing,
    script: (call, res) => {
      if (call.path !== listing.read) return send(res, listing.others[call.path])
      const isFirst = !call.query.has('cursor')
      const next = isFirst ? { next: linkTo(call, '1') } : {}
      return send(res, { data: isFirst ? [first(listing)] : [other], links: next, meta: { paging: { total: 3 } } })
    },
    // the third item could have the same locale
    expect: { ...malformed, calls: 2 },
  },
  ...[
    { total: 4, expect: { ...malformed, calls: 2 } },
    { total: 3, expect: { status: 200, json: listing.answer, calls: 3 } },
  ].map(({ total, expect }): ScriptedFault => ({
    id: 'F108',
    fault: `a listing of two pages with one item on both, and a match, that counts ${total}`,
    at: listing,
    script: (call, res) => {
      if (call.path !== listing.read) return send(res, listing.others[call.path])
      const isFirst = !call.query.has('cursor')
      const next = isFirst ? { next: linkTo(call, '1') } : {}
      const data = [other, isFirst ? first(listing) : { ...other, id: 'l8' }]
      return send(res, { data, links: next, meta: { paging: { total } } })
    },
    expect,
  })),
])
