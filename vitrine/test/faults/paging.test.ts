// Pages and the links between them. Every test of one page reads the next one if there is one.
import assert from 'node:assert/strict'
import test from 'node:test'
import { listing, answerRead, page } from '../support/example-routes.ts'
import { send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { malformed } from './document-rows.ts'
import { faults, healthyAgain, openScene, type ScriptedFault } from './fault.ts'
import {
  accepted,
  again,
  book,
  ending,
  follow,
  goesOn,
  item,
  last,
  linkTo,
  lists,
  type Next,
  offer,
  refused,
} from './next-link-rows.ts'

const [empty, short] = [{ data: [] }, { data: [offer('o1')] }]

faults([
  goesOn({ id: 'F94', fault: 'an empty page with a next link goes on' }, [], {
    script: book({ '': { ...empty, next: 'c2' }, c2: last }),
  }),
  goesOn({ id: 'F95', fault: 'a page that is shorter than asked goes on' }, [item('o1')], {
    script: book({ '': { ...short, next: 'c2' }, c2: last }),
    path: `${page.path}?limit=7`,
  }),
  goesOn({ id: 'F108', fault: 'a total that contradicts is passed over' }, [], {
    script: (call, res) => {
      const more = call.query.get('cursor') !== 'c2'
      const links = more ? { next: linkTo(call, 'c2') } : {}
      send(res, { data: more ? [] : last.data, links, meta: { paging: { total: more ? 0 : 900, limit: 1 } } })
    },
  }),
  ...Object.entries(accepted).map(([words, next]) =>
    goesOn({ id: 'F99', fault: `a next link ${words} is the same request again` }, page.answer['items'], {
      script: (call, res) =>
        (call.query.has('cursor') ? answerRead(page, { ...last, links: {} }) : ending(page, next))(call, res),
    }),
  ),
])

faults(
  Object.entries(refused).flatMap(([id, links]) =>
    Object.entries(links).flatMap(([words, next]) =>
      lists.map((at) => ({
        id,
        fault: `a next link ${words}, on ${at.name}`,
        at,
        script: ending(at, next),
        expect: malformed,
      })),
    ),
  ),
)

const absences: Readonly<Record<string, Next>> = { null: () => null, missing: () => undefined, empty: () => '' }
faults(
  Object.entries(absences).flatMap(([words, next]): ScriptedFault[] => [
    {
      id: 'F103',
      fault: `a next link that is ${words} ends a page`,
      script: ending(page, next),
      expect: { status: 200, json: page.answer, calls: 1 },
    },
    {
      id: 'F103',
      fault: `a next link that is ${words} ends a listing`,
      at: listing,
      script: ending(listing, next),
      expect: { status: 404, type: 'localization_not_found', calls: 1 },
    },
  ]),
)

test('F96: a next link to another host that listens is 502, and that host is not called', async (t) => {
  const elsewhere = await startScriptedPlatform((_, res) => send(res, page.healthy))
  t.after(elsewhere.close)
  for (const at of lists) {
    const script = ending(
      at,
      (call) => again(call, elsewhere.url.replace('127.0.0.1', 'localhost'), { cursor: 'c2' }).href,
    )
    const row: ScriptedFault = { id: 'F96', fault: at.name, at, script, expect: malformed }
    const scene = await openScene(t, row)
    const { status, json } = await scene.service.ask(at.path)
    assert.deepEqual([status, json.error.code, scene.calls()], [502, 'upstream_malformed', 1])
    await healthyAgain(scene, row)
  }
  assert.equal(elsewhere.calls.length, 0)
})

test('F106: items inserted or removed between pages are returned as the platform sends them', async (t) => {
  // the platform counts rows: a row inserted in front moves o2 to the second page, a removed row hides o5
  const script = book({
    '': { data: ['o1', 'o2'].map(offer), next: 'c2' },
    c2: { data: ['o2', 'o3'].map(offer), next: 'c3' },
    c3: { data: ['o6'].map(offer) },
  })
  const row: ScriptedFault = { id: 'F106', fault: '', script, expect: { status: 200, calls: 3 } }
  const scene = await openScene(t, row)
  const first = await scene.service.ask(page.path)
  const second = await follow(scene, first)
  const third = await follow(scene, second)
  assert.deepEqual(
    [first, second, third].map(({ json }) => json.items),
    [['o1', 'o2'].map(item), ['o2', 'o3'].map(item), [item('o6')]],
  )
  assert.equal(third.json.nextCursor, null)
  assert.equal(scene.calls(), 3)
  await healthyAgain(scene, row)
})
