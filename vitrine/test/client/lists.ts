// Lists of the client: paging, arrays and cursors.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Script, send } from '../support/scripted-platform.ts'
import { startOverSandbox } from '../support/service.ts'
import { app, inTurn, type Load, refusal, script, thrown } from './scene.ts'

/** pages of these sizes, whose cursors are c1, c2, … */
const pages =
  (...sizes: readonly number[]): Script =>
  ({ query }, res) => {
    const at = Number(query.get('cursor')?.slice(1) ?? 0)
    const items = Array.from({ length: sizes[at] ?? 0 }, (_, i) => ({ id: `${at}.${i}` }))
    send(res, { items, nextCursor: at + 1 < sizes.length ? `c${at + 1}` : null }, { 'x-request-id': `req_${at}` })
  }

const collect = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const got: T[] = []
  for await (const one of all) got.push(one)
  return got
}

const limits = (service: { calls: { query: URLSearchParams }[] }) =>
  service.calls.map(({ query }) => query.get('limit'))

export function promiseLists(of: string, load: Load) {
  test(`${of}: paging over the sandbox yields every item once, in the order of the service`, async (t) => {
    const { Vitrine } = await load()
    const { service, close } = await startOverSandbox()
    t.after(close)
    const vitrine = new Vitrine({ url: service.url, key: service.key, connection: 'acme' })
    const whole = (await service.ask('/apps?limit=200&sort=name&fields=name')).json
    assert.ok(whole.items.length > 20 && whole.nextCursor === null)
    const list = vitrine.listApps({ sort: 'name', fields: 'name', limit: 7 })
    assert.deepEqual(await collect(list), whole.items)
    assert.deepEqual(await list.toArray({ max: whole.items.length }), whole.items)
    const shown = await collect(list.pages())
    assert.deepEqual(
      shown.flatMap(({ items }) => items),
      whole.items,
    )
    assert.deepEqual(new Set(shown.map(({ requestId }) => requestId.slice(0, 4))), new Set(['req_']))
    const rest = await collect(list.pages({ cursor: shown[1]?.nextCursor ?? '' }))
    assert.deepEqual(
      rest.flatMap(({ items }) => items),
      whole.items.slice(14),
    )
    const ids = await vitrine.listAppVersionIds({ appId: '6446998001' }).toArray({ max: Infinity })
    assert.ok(ids.length > 0 && ids.every((id) => typeof id === 'string'))
  })

  test(`${of}: a list sends nothing before it is awaited, and awaiting it again sends nothing more`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app)
    const list = vitrine.listApps()
    const unused = list.pages()
    assert.equal(service.calls.length, 0)
    const [one, two] = await Promise.all([list, list])
    assert.equal(one, two)
    assert.equal((await list).requestId, 'req_ok')
    assert.equal(service.calls.length, 1)
    await collect(list)
    await collect(list)
    assert.equal(service.calls.length, 3)
    await unused.return()
  })

  test(`${of}: a loop that breaks early requests no further page`, async (t) => {
    const { vitrine, service } = await script(t, await load(), pages(2, 2, 2))
    for await (const { id } of vitrine.listApps()) if (id === '1.0') break
    assert.equal(service.calls.length, 2)
  })

  test(`${of}: an empty page with a next cursor does not end the list`, async (t) => {
    const { vitrine } = await script(t, await load(), pages(1, 0, 0, 2, 0))
    assert.deepEqual(await vitrine.listApps().toArray({ max: 3 }), [{ id: '0.0' }, { id: '3.0' }, { id: '3.1' }])
  })

  test(`${of}: toArray returns the whole list, or throws if it exceeds max`, async (t) => {
    const { vitrine, service } = await script(t, await load(), pages(2, 0, 1, 1))
    const { TooManyItemsError } = await load()
    const error = await thrown(vitrine.listApps().toArray({ max: 2 }))
    assert.ok(error instanceof TooManyItemsError)
    assert.deepEqual([error.name, error.max, error.type], ['TooManyItemsError', 2, 'too_many_items'])
    assert.equal(service.calls.length, 3, 'no page is requested after the first item above max')
    assert.equal((await vitrine.listApps().toArray({ max: 4 })).length, 4)
    for (const max of [-1, 1.5, Number.NaN, undefined])
      assert.match((await thrown(vitrine.listApps().toArray({ max } as { max: number }))).message, /`max`/)
  })

  test(`${of}: toArray requests pages as large as useful, unless the caller sets limit`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app)
    await vitrine.listApps().toArray({ max: 10 })
    await vitrine.listApps().toArray({ max: 5_000 })
    await vitrine.listApps().toArray({ max: Infinity })
    await vitrine.listApps({ limit: 7 }).toArray({ max: 10 })
    await collect(vitrine.listApps())
    assert.deepEqual(limits(service), ['11', '200', '200', '7', null])
  })

  test(`${of}: a failure in the middle of a list has the count and the cursor to continue from`, async (t) => {
    const lost: Script = (_, res) => send(res, refusal('internal_error', 'internal_error'), {}, 500)
    const { vitrine, service } = await script(t, await load(), inTurn(pages(2, 1, 3), pages(2, 1, 3), lost))
    const got: string[] = []
    const walk = async () => {
      for await (const { id } of vitrine.listApps()) got.push(id)
    }
    const error = await thrown(walk())
    assert.equal(error.name, 'InternalError')
    assert.deepEqual(error.walked, { items: 3, cursor: 'c2' })
    assert.deepEqual(got, ['0.0', '0.1', '1.0'])
    service.script = pages(2, 1, 3)
    const [rest] = await collect(vitrine.listApps().pages({ cursor: error.walked.cursor }))
    assert.deepEqual(rest?.items, [{ id: '2.0' }, { id: '2.1' }, { id: '2.2' }])
    service.script = lost
    assert.deepEqual((await thrown(collect(vitrine.listApps()))).walked, { items: 0, cursor: null })
  })

  test(`${of}: a page whose cursor is its own ends the paging with an error`, async (t) => {
    const { vitrine, service } = await script(t, await load(), (_, res) =>
      send(res, { items: [{ id: '1' }], nextCursor: 'same' }, { 'x-request-id': 'req_9' }),
    )
    const error = await thrown(vitrine.listApps().toArray({ max: Infinity }))
    assert.equal(error.name, 'UnexpectedAnswerError')
    assert.deepEqual([error.code, error.requestId], ['cursor_repeated', 'req_9'])
    assert.equal(service.calls.length, 2)
  })

  test(`${of}: a cycle of cursors of any length ends the paging with an error`, async (t) => {
    for (const length of [2, 3, 7]) {
      const round: Script = ({ query }, res) => {
        const at = Number(query.get('cursor') ?? 0)
        // paging that misses the cycle ends too, with too many pages
        const next = service.calls.length > 50 ? null : String(at < 4 + length ? at + 1 : 5)
        send(res, { items: [{ id: String(at) }], nextCursor: next })
      }
      const { vitrine, service } = await script(t, await load(), round)
      const error = await thrown(vitrine.listApps().toArray({ max: Infinity }))
      assert.deepEqual([error.name, error.code], ['UnexpectedAnswerError', 'cursor_repeated'])
      assert.ok(service.calls.length < 40, String(service.calls.length))
    }
  })

  test(`${of}: toArray accepts a page of any size`, async (t) => {
    const items = Array.from({ length: 200_000 }, (_, i) => ({ id: String(i) }))
    const { vitrine } = await script(t, await load(), (_, res) => send(res, { items, nextCursor: null }))
    assert.equal((await vitrine.listApps().toArray({ max: Infinity })).length, 200_000)
  })

  test(`${of}: the method walk with the name of an operation pages like its method`, async (t) => {
    const { vitrine } = await script(t, await load(), pages(1, 1))
    assert.deepEqual(await collect(vitrine.walk('listApps', { limit: 1 })), [{ id: '0.0' }, { id: '1.0' }])
  })
}
