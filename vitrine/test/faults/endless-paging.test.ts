// Paging that does not end, or does not reach the next page.
import assert from 'node:assert/strict'
import { ids, listing, page, type ExampleRoute } from '../support/example-routes.ts'
import { refuse, type Script } from '../support/scripted-platform.ts'
import { malformed } from './document-rows.ts'
import { type Expected, faults, type Scene, type ScriptedFault } from './fault.ts'
import { again, book, ending, follow, goesOn, last, linkTo, lists, one } from './next-link-rows.ts'

function pick({ status, type, code }: Expected) {
  return { status, type, code }
}

/** the links of a circular list, one per page; the last one leads back */
const circle =
  (place: ExampleRoute, lap: readonly string[]): Script =>
  (call, res) => {
    const at = lap.lastIndexOf(call.query.get('cursor') ?? '')
    const next = at === lap.length - 1 ? lap[lap.indexOf(lap[at] ?? '') + 1] : lap[at + 1]
    return ending(place, () => linkTo(call, next ?? ''))(call, res)
  }

const laps = [
  ['A', 'A'],
  ['A', 'B', 'A'],
  ['A', 'B', 'C', 'B'],
] as const
faults(
  laps.flatMap((lap): ScriptedFault[] => {
    const id = lap.length === 2 ? 'F100' : 'F101'
    return [
      ...[page, ids].map((at) => ({
        id,
        fault: `next links lead from ${lap.join(' to ')}, on ${at.name}`,
        at,
        script: circle(at, lap),
        expect: { status: 200, calls: 1 },
        more: async (answer: { json: any }, scene: Scene) => {
          let turned = answer
          for (let i = 2; i < lap.length; i++) turned = await follow(scene, turned, at)
          const { status, json } = await follow(scene, turned, at)
          assert.deepEqual([status, json.error.code], [502, 'upstream_malformed'])
        },
      })),
      {
        id,
        fault: `next links lead from ${lap.join(' to ')}, in a listing`,
        at: listing,
        script: circle(listing, lap),
        expect: { ...malformed, calls: [lap.length, lap.length + 1] },
      },
    ]
  }),
)

const longCursors = { plain: 'c'.repeat(2_000), escaped: '='.repeat(680), wide: '\u20ac'.repeat(220) }
faults([
  ...Object.entries(longCursors).map(([words, cursor]) => ({
    ...goesOn({ id: 'F104', fault: `a cursor of 2 kB, ${words}, works on the next page` }, page.answer['items'], {
      script: book({ '': { data: [one], next: cursor }, [cursor]: last }),
    }),
  })),
  ...Object.entries({ escaped: '='.repeat(700), wide: '\u20ac'.repeat(600) }).flatMap(([words, cursor]) =>
    lists.map((at) => ({
      id: 'F104',
      fault: `a cursor that is longer than 2 kB, ${words}, on ${at.name}`,
      at,
      script: ending(at, (call) => linkTo(call, cursor)),
      expect: malformed,
    })),
  ),
])

const expired: Expected = { status: 400, type: 'invalid_query', code: 'cursor_expired', calls: 1, retryAfter: null }
const refusingCursor: Script = (_, res) => refuse(res, 400, 'PARAMETER_ERROR.INVALID', { parameter: 'cursor' })

faults([
  {
    id: 'F105',
    fault: 'the platform no longer takes its cursor',
    script: (call, res) =>
      (call.query.has('cursor') ? refusingCursor : ending(page, () => linkTo(call, 'c2')))(call, res),
    expect: { status: 200, calls: 1 },
    more: async (answer, scene) => {
      const { status, json } = await follow(scene, answer)
      const { type, code, param } = json.error
      assert.deepEqual({ status, type, code, param }, { ...pick(expired), param: 'cursor' })
    },
  },
  {
    id: 'F105',
    fault: 'the platform no longer takes its cursor, in a listing',
    at: listing,
    script: (call, res) =>
      (call.query.has('cursor') ? refusingCursor : ending(listing, () => linkTo(call, 'c2')))(call, res),
    expect: { status: 502, type: 'upstream_error', code: 'upstream_failed', calls: 2 },
  },
  {
    // the contract permits to correct such a link; docs/decisions/next-links.md says why it is refused
    id: 'F107',
    fault: 'a next link that drops our filter',
    path: `${page.path}?territory=USA`,
    script: ending(page, (call, origin) => again(call, origin, { 'filter[territory]': null, cursor: 'c2' }).href),
    expect: malformed,
  },
  {
    id: 'F107',
    fault: 'a next link that widens our filter',
    path: `${page.path}?territory=USA`,
    script: ending(page, (call, origin) => again(call, origin, { 'filter[territory]': 'USA,FRA', cursor: 'c2' }).href),
    expect: malformed,
  },
])

/** a tail of pages, then a circle of `length` pages: cursor n is n, and the last page links to the first of the circle */
const lasso =
  (place: ExampleRoute, tail: number, lap: number): Script =>
  (call, res) => {
    const at = Number(call.query.get('cursor') ?? 0)
    return ending(place, () => linkTo(call, String(at + 1 < tail + lap ? at + 1 : tail)))(call, res)
  }

faults(
  [1, 2, 3, 7, 50].flatMap((lap) =>
    [1, 5, 40].map((tail): ScriptedFault => {
      const at = tail === 5 ? ids : page
      return {
        id: 'F101',
        fault: `a circle of ${lap} behind ${tail} pages, on ${at.name}`,
        at,
        script: lasso(at, tail, lap),
        expect: { status: 200, calls: 1 },
        async more(answer, scene) {
          let [last, pages]: [{ status: number; json: any }, number] = [answer, 1]
          const longest = { cursor: 0 }
          // Brent's algorithm needs the next power of two behind tail and circle, and one more round
          const most = 2 * Math.max(tail, lap) + lap + 1
          for (; last.status === 200 && pages <= most; pages++) {
            longest.cursor = Math.max(longest.cursor, last.json.nextCursor.length)
            last = await follow(scene, last, at)
          }
          assert.deepEqual([last.status, last.json.error?.code], [502, 'upstream_malformed'], `after ${pages} pages`)
          assert.ok(longest.cursor < 300, `a cursor of ${longest.cursor} characters`)
        },
      }
    }),
  ),
)

faults(
  [20, 50].map((lap): ScriptedFault => ({
    id: 'F101',
    fault: `a circle of ${lap} in a listing`,
    at: listing,
    script: lasso(listing, 3, lap),
    expect: { ...malformed, calls: [lap, lap + 3] },
  })),
)
