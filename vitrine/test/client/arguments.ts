// Arguments of the client: accepted as over HTTP; ambiguous ones are refused before anything is sent.
import assert from 'node:assert/strict'
import test from 'node:test'
import { app, key, type Load, script, thrown } from './scene.ts'

export function promiseArguments(of: string, load: Load) {
  test(`${of}: ambiguous or invalid arguments are refused before anything is sent`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app)
    const any = vitrine as any
    const mistakes: [params: unknown, code: string, param: string][] = [
      ...[undefined, 7.5, 2 ** 53, '\uD800', ['1']].map((eventId): [unknown, string, string] => [
        ...([{ eventId }, 'value_not_allowed', 'eventId'] as const),
      ]),
      ...['', null].map((eventId): [unknown, string, string] => [{ eventId }, 'empty_parameter', 'eventId']),
      [{ eventId: '1', fields: [] }, 'empty_parameter', 'fields'],
      [{ eventId: '1', fields: ['badge', ''] }, 'empty_parameter', 'fields'],
      [{ eventId: '1', fields: null }, 'empty_parameter', 'fields'],
      [{ eventId: '1', fields: { badge: true } }, 'value_not_allowed', 'fields'],
      [{ eventId: '1', connectionId: 'other' }, 'unknown_parameter', 'connectionId'],
      [new Map([['eventId', '1']]), 'value_not_allowed', 'params'],
    ]
    for (const [params, code, param] of mistakes) {
      const error = await thrown(any.getEvent(params))
      assert.equal(error.name, 'InvalidQueryError', JSON.stringify(params))
      assert.deepEqual([error.type, error.code, error.status, error.param], ['invalid_query', code, 0, param])
      assert.equal(error.docUrl, `${service.url}/errors/${code}`)
    }
    for (const eventId of ['.', '..']) {
      const error = await thrown(any.getEvent({ eventId }))
      assert.deepEqual(
        [error.name, error.code, error.param],
        ['ResourceNotFoundError', 'resource_not_found', 'eventId'],
      )
    }
    assert.match((await thrown(any.listApps({ name: ['Salt, Sea'] }))).message, /comma/)
    assert.equal((await thrown(any.listApps(new Map()).toArray({ max: 1 }))).param, 'params')
    assert.equal((await thrown(any.getEvent({ eventId: '1' }, { connection: '..' }))).code, 'connection_not_found')
    assert.equal((await thrown(vitrine.read('getEvnt'))).param, 'operation')
    assert.equal((await thrown(vitrine.read('toString'))).param, 'operation')
    assert.throws(() => vitrine.walk('getEvent', { eventId: '1' }), { param: 'operation' })
    assert.equal(service.calls.length, 0)
  })

  test(`${of}: an unknown option is refused before anything is sent`, async (t) => {
    const { Vitrine } = await load()
    const { vitrine, service } = await script(t, { ...(await load()), Vitrine }, app)
    for (const options of [{ connectionId: 'other' }, { conection: 'other' }, { timeout: 5 }]) {
      const error = await thrown((vitrine as any).listApps({}, options))
      assert.deepEqual([error.code, error.param], ['unknown_parameter', Object.keys(options)[0]])
      assert.throws(() => new Vitrine(Object.assign({ url: service.url, key }, options)), { code: 'unknown_parameter' })
    }
    assert.equal((await thrown((vitrine as any).listApps({}, { connection: null }))).param, 'connection')
    assert.equal(service.calls.length, 0)
  })

  test(`${of}: the null cursor of a last page is refused instead of starting again`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app)
    const any = vitrine as any
    const ends = [
      () => any.listApps({ cursor: null }),
      () => any.listApps({ cursor: null }).toArray({ max: 9 }),
      () => any.listApps().pages({ cursor: null }).next(),
      () => any.walk('listApps', { cursor: null }).pages().next(),
    ]
    for (const end of ends) {
      const error = await thrown(end())
      assert.deepEqual([error.code, error.param], ['cursor_invalid', 'cursor'])
      assert.match(error.message, /the list has ended. Leave it out to start again/)
    }
    assert.equal(service.calls.length, 0)
  })

  test(`${of}: numbers and comma-separated texts are accepted as over HTTP`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app)
    const any = vitrine as any
    await any.listAppVersionIds({ appId: 6446998001 }).then(undefined, () => {})
    await any.listApps({ fields: 'name,sku', id: [6446998001, '6446998002', 3n], name: true })
    assert.deepEqual(
      service.calls.map(({ url }) => url),
      [
        '/v1/connections/acme/apps/6446998001/versions/ids',
        '/v1/connections/acme/apps?fields=name,sku&id=6446998001,6446998002,3&name=true',
      ],
    )
  })
}
