// Single answers of the client: every operation, what is sent, what comes back.
import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { send } from '../support/scripted-platform.ts'
import { startOverSandbox } from '../support/service.ts'
import { app, key, type Load, script, thrown } from './scene.ts'

/** the parameters in a path and a query */
function parametersOf(pattern: string, example: string): Record<string, unknown> {
  const { pathname, searchParams } = new URL(example, 'http://service')
  const given = pathname.split('/').map(decodeURIComponent)
  const ids = pattern.split('/').flatMap((part, i) => (part.startsWith('{') ? [[part.slice(1, -1), given[i]]] : []))
  const query = [...searchParams].map(([name, value]) => [name, value.includes(',') ? value.split(',') : value])
  return Object.fromEntries([...ids, ...query])
}

const sealed = (body: object) => ({ ...body, ...('nextCursor' in body && { nextCursor: typeof body.nextCursor }) })

export function promiseAnswers(of: string, load: Load) {
  test(`${of}: every operation returns the answer of the service to its example`, async (t) => {
    const { Vitrine, operations } = await load()
    const { service, close } = await startOverSandbox()
    t.after(close)
    const vitrine: any = new Vitrine({ url: service.url, key: service.key, connection: 'acme' })
    const seen: string[] = []
    for (const { operation, path, example } of routes) {
      const asked = await fetch(`${service.url}/v1/connections/acme${example}`, {
        headers: { authorization: `Bearer ${service.key}` },
      })
      const expected = (await asked.json()) as object
      assert.equal(asked.status, 200, operation)
      const params = parametersOf(path, example)
      const answer = await vitrine[operation](params)
      assert.deepEqual(sealed(JSON.parse(JSON.stringify(answer))), sealed(expected), operation)
      assert.match(answer.requestId, /^req_/, operation)
      assert.deepEqual(sealed(await vitrine.read(operation, params)), sealed(expected), operation)
      seen.push(operation)
    }
    assert.equal(seen.length, routes.length)
    assert.deepEqual(Object.keys(operations), seen)
  })

  test(`${of}: whoami and connectionStatus return the answers of the service`, async (t) => {
    const { Vitrine } = await load()
    const { service, close } = await startOverSandbox()
    t.after(close)
    const vitrine = new Vitrine({ url: `${service.url}/`, key: service.key })
    const me = await vitrine.whoami()
    assert.deepEqual(me, (await service.ask('/v1/whoami')).json)
    assert.deepEqual(me.connections, ['acme', 'other', 'solo'])
    const status = await vitrine.connection('other').connectionStatus()
    assert.deepEqual(status, (await service.ask('/v1/connections/other/status')).json)
    assert.equal(status.connection, 'other')
    assert.match(status.requestId, /^req_/)
  })

  test(`${of}: a result holds the members of the answer, and its request id as a hidden property`, async (t) => {
    const { vitrine } = await script(t, await load(), (_, res) =>
      send(res, { id: '7', badge: 'LATER_WORD' }, { 'x-request-id': 'req_abc' }),
    )
    const event = await vitrine.getEvent({ eventId: '7' })
    assert.equal(event.requestId, 'req_abc')
    assert.equal(JSON.stringify(event), '{"id":"7","badge":"LATER_WORD"}')
    assert.deepEqual(Object.keys(event), ['id', 'badge'])
  })

  test(`${of}: a call sends one GET, with the key in its header only`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app, { userAgent: 'my-bot/1' })
    await vitrine.listApps({ fields: ['name', 'sku'], sort: '-name', limit: 5, versionPlatform: ['IOS', 'MAC_OS'] })
    const [call] = service.calls
    const { pathname, searchParams } = new URL(call?.url ?? '', service.url)
    assert.equal(pathname, '/v1/connections/acme/apps')
    assert.deepEqual(Object.fromEntries(searchParams), {
      fields: 'name,sku',
      sort: '-name',
      limit: '5',
      versionPlatform: 'IOS,MAC_OS',
    })
    assert.equal(call?.headers.authorization, `Bearer ${key}`)
    assert.equal(call?.headers['user-agent'], 'my-bot/1')
    assert.ok(!call?.url.includes(key))
  })

  test(`${of}: a path parameter is encoded as one path segment`, async (t) => {
    const { vitrine, service } = await script(t, await load(), (_, res) => send(res, { id: 'x' }))
    await vitrine.getEvent({ eventId: 'a/../b?c#d%2e é' })
    await vitrine.getEvent({ eventId: '...' }, { connection: 'other/one' })
    assert.deepEqual(
      service.calls.map(({ url }) => url),
      ['/v1/connections/acme/events/a%2F..%2Fb%3Fc%23d%252e%20%C3%A9', '/v1/connections/other%2Fone/events/...'],
    )
  })

  test(`${of}: parameters that are undefined are left out`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app)
    await vitrine.listApps({ limit: undefined, fields: undefined })
    assert.equal(service.calls[0]?.url, '/v1/connections/acme/apps')
  })

  test(`${of}: a call without a connection is refused before anything is sent`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app, { connection: undefined })
    const asks = [() => vitrine.listApps(), () => vitrine.getEvent({ eventId: '1' }), () => vitrine.connectionStatus()]
    for (const ask of asks) {
      const error = await thrown(ask())
      assert.equal(error.param, 'connection')
      assert.match(error.message, /No connection is chosen/)
    }
    assert.equal(service.calls.length, 0)
    await vitrine.listApps({}, { connection: 'other' })
    await vitrine.connection('third').listApps()
    assert.deepEqual(
      service.calls.map(({ path }) => path),
      ['/v1/connections/other/apps', '/v1/connections/third/apps'],
    )
  })

  test(`${of}: a custom parser keeps integers that JavaScript would round`, async (t) => {
    const body = '{"id":"7","fileSize":9007199254740993}'
    const parse = (text: string) =>
      JSON.parse(text, (_, value, { source }: any) =>
        typeof value === 'number' && !Number.isSafeInteger(value) ? BigInt(source) : value,
      )
    const { vitrine } = await script(t, await load(), (_, res) => send(res, body))
    const { vitrine: exact } = await script(t, await load(), (_, res) => send(res, body), { parse })
    assert.equal((await vitrine.getBuildUploadFile({ buildUploadFileId: '7' })).fileSize, 2 ** 53)
    assert.equal((await exact.getBuildUploadFile({ buildUploadFileId: '7' })).fileSize, 9007199254740993n)
  })
}
