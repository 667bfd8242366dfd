// Lists below the members of another list, which a route answers as one: over a platform of shelves with notes, which change
// while they are read.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { any, contents, page, resource, stamp, text } from '../../src/catalogue/define.ts'
import { contract } from '../../src/catalogue/index.ts'
import { planOf } from '../../src/commands/explain.ts'
import { explainPlan } from '../../src/engine/explain.ts'
import { type Call, refuse, send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

const listNotes = page({
  path: '/apps/{appId}/notes',
  group: 'builds',
  summary: 'List the notes on all shelves of an app',
  from: {
    through: { list: '/v1/apps/{appId}/shelves', type: 'shelves', cheapest: 'name', gives: 'shelfId' },
    read: '/v1/shelves/{shelfId}/notes',
  },
  filters: { tone: any('Only of this tone.') },
  returns: resource({ name: 'Note', type: 'notes', attributes: { title: text() }, fromPath: ['shelfId'] }),
  reviewed: stamp('4.6', '2027-01-02'),
  example: '/apps/1/notes',
})
const routes = contents({ ...contract, listNotes })

type Shelves = Map<string, number>

const noteIds = (shelf: string, count: number) => Array.from({ length: count }, (_, i) => `${shelf}-${i + 1}`)
const allNotes = (shelves: Shelves) =>
  [...shelves].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([shelf, count]) => noteIds(shelf, count))

/** a page of a list, with the platform's total and next link */
function listed({ path, query, headers }: Call, type: string, ids: readonly string[]) {
  const at = Number(query.get('cursor') ?? 0)
  const until = at + Number(query.get('limit') ?? 50)
  const next = new URLSearchParams(query)
  next.set('cursor', String(until))
  const data = ids.slice(at, until).map((id) => ({ type, id, attributes: { title: `about ${id}` } }))
  const link = until < ids.length ? { next: `http://${headers.host}${path}?${String(next)}` } : {}
  return { data, links: { self: path, ...link }, meta: { paging: { total: ids.length } } }
}

async function startShelves(t: TestContext, shelves: Shelves, before: (call: Call) => boolean = () => false) {
  const { service, platform, close } = await startScripted(
    (call, res) => {
      const shelf = /^\/v1\/shelves\/(.*)\/notes$/.exec(call.path)?.[1]
      const count = shelves.get(decodeURIComponent(shelf ?? ''))
      if (before(call)) return refuse(res, 404, 'NOT_FOUND')
      if (call.path === '/v1/apps/1/shelves') return send(res, listed(call, 'shelves', [...shelves.keys()]))
      if (shelf === undefined || count === undefined) return refuse(res, 404, 'NOT_FOUND')
      return send(res, listed(call, 'notes', noteIds(decodeURIComponent(shelf), count)))
    },
    { routes },
  )
  t.after(close)
  const read = async (query = '', cursor: string | null = null) =>
    service.ask(`/apps/1/notes?${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
  return { service, platform, read }
}

/** every page of a walk; `between` is called before each further page */
async function walk(scene: Awaited<ReturnType<typeof startShelves>>, query: string, between?: (pages: number) => void) {
  const pages: { id: string; shelfId: string }[][] = []
  const calls: number[] = []
  let cursor: string | null = null
  do {
    const before = scene.platform.calls.length
    const { status, json }: { status: number; json: any } = await scene.read(query, cursor)
    assert.equal(status, 200, JSON.stringify(json))
    pages.push(json.items)
    calls.push(scene.platform.calls.length - before)
    cursor = json.nextCursor
    if (cursor !== null) between?.(pages.length)
  } while (cursor !== null)
  return { pages, calls, ids: pages.flat().map(({ id }) => id) }
}

const shelves = (): Shelves =>
  new Map([
    ['s3', 5],
    ['s1', 4],
    ['s2', 0],
    ['s/4 ä', 1],
  ])

test('a walk returns every row of every list once, in the order of the parents, with the id of its parent', async (t) => {
  const scene = await startShelves(t, shelves())
  for (const limit of [1, 2, 3, 4, 7, 200]) {
    const { pages, ids } = await walk(scene, `limit=${limit}`)
    assert.deepEqual(ids, allNotes(shelves()), String(limit))
    assert.ok(pages.slice(0, -1).every((items) => items.length === limit))
  }
  const { json } = await scene.read('limit=5')
  assert.deepEqual(json.items[0], { id: 's/4 ä-1', title: 'about s/4 ä-1', shelfId: 's/4 ä' })
  assert.deepEqual(json.items[4], { id: 's1-4', title: 'about s1-4', shelfId: 's1' })
})

test('a page asks for what is left of it, and costs one call for the parents and one for each list', async (t) => {
  const scene = await startShelves(t, shelves())
  await scene.read('limit=8&tone=GLAD')
  assert.deepEqual(
    scene.platform.calls.map(({ path, query }) => [path, query.get('limit'), query.get('filter[tone]')]),
    [
      ['/v1/apps/1/shelves', '200', null],
      ['/v1/shelves/s%2F4%20%C3%A4/notes', '8', 'GLAD'],
      ['/v1/shelves/s1/notes', '7', 'GLAD'],
      ['/v1/shelves/s2/notes', '3', 'GLAD'],
      ['/v1/shelves/s3/notes', '3', 'GLAD'],
    ],
  )
  assert.equal(scene.platform.calls[0]?.query.get('fields[shelves]'), 'name')
})

test('a page over many empty lists is short, costs six calls at most, and the walk still reaches the end', async (t) => {
  const many: Shelves = new Map(Array.from({ length: 12 }, (_, i) => [`s${10 + i}`, i === 11 ? 2 : 0]))
  const scene = await startShelves(t, many)
  const { pages, calls, ids } = await walk(scene, 'limit=50')
  assert.deepEqual(ids, ['s21-1', 's21-2'])
  assert.deepEqual(
    pages.map(({ length }) => length),
    [0, 0, 2],
  )
  assert.deepEqual(calls, [6, 6, 3])
})

test('more parents than one page of their list are all read', async (t) => {
  const many: Shelves = new Map(Array.from({ length: 201 }, (_, i) => [`s${1000 - i}`, i % 40 === 0 ? 1 : 0]))
  const { ids } = await walk(await startShelves(t, many), 'limit=50')
  assert.deepEqual(ids, allNotes(many))
})

test('a parent that is added or removed during a walk changes nothing for the others', async (t) => {
  const changing = shelves()
  const scene = await startShelves(t, changing)
  const { ids } = await walk(scene, 'limit=2', (pages) => {
    // s1 is half read; s0 is before it, s2b after it
    if (pages === 1)
      for (const [name, count] of [
        ['s0', 3],
        ['s2b', 1],
      ] as const)
        changing.set(name, count)
    if (pages === 2) changing.delete('s1')
  })
  assert.deepEqual(ids, ['s/4 ä-1', 's1-1', 's1-2', 's1-3', 's2b-1', ...noteIds('s3', 5)])
})

test('a parent that is removed between its list and its own read is left out, once the list agrees', async (t) => {
  const changing = shelves()
  const scene = await startShelves(t, changing, ({ path }) => path.includes('/s1/') && changing.delete('s1'))
  assert.deepEqual((await walk(scene, 'limit=50')).ids, allNotes(changing))
})

test('a list that fails is a failure of the page, never a short page', async (t) => {
  const absent = await startShelves(t, shelves(), ({ path }) => path.includes('/s3/'))
  const { status, json } = await absent.read()
  assert.deepEqual([status, json.error.code], [502, 'upstream_malformed'])
  const { service, close } = await startScripted(
    (call, res) =>
      call.path.endsWith('/shelves')
        ? send(res, listed(call, 'shelves', ['s1', 's2']))
        : call.path.includes('/s1/')
          ? send(res, listed(call, 'notes', ['n1']))
          : send(res, { data: [], links: {}, meta: { paging: { total: 3 } } }),
    { routes },
  )
  t.after(close)
  const cut = await service.ask('/apps/1/notes')
  assert.deepEqual([cut.status, cut.json.error.code], [502, 'upstream_malformed'])
})

test('an absent parent of all is 404, and an app without parents has an empty list', async (t) => {
  const scene = await startShelves(t, new Map())
  assert.deepEqual((await scene.read()).json, { items: [], nextCursor: null })
  assert.equal((await scene.service.ask('/apps/2/notes')).status, 404)
})

test('a parent whose id could change a path is refused', async (t) => {
  const scene = await startShelves(t, new Map([['..', 1]]))
  assert.equal((await scene.read()).status, 502)
  assert.equal(scene.platform.calls.length, 1)
})

test('a cursor of such a walk shows nothing of its place, and is bound to the filters', async (t) => {
  const scene = await startShelves(t, shelves())
  const { nextCursor } = (await scene.read('limit=2')).json
  assert.ok(!Buffer.from(nextCursor, 'base64url').toString('latin1').includes('s1'))
  const { json } = await scene.read('limit=2&tone=SAD', nextCursor)
  assert.deepEqual([json.error.code, json.error.param], ['cursor_mismatch', 'cursor'])
})

test('the plan names the list of the parents, and then the list below one', () => {
  const steps = explainPlan(planOf('/apps/1/notes?limit=2', {}, routes).plan)
  assert.deepEqual(
    steps.map(({ get, looksFor }) => [get, looksFor]),
    [
      ['/v1/apps/1/shelves', undefined],
      ['/v1/shelves/{shelfId}/notes', undefined],
    ],
  )
  assert.match(steps[0]?.purpose ?? '', /one after the other/)
})
