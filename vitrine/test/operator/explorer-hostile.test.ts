import assert from 'node:assert/strict'
import test from 'node:test'
import { page } from '../support/example-routes.ts'
import { sendRaw } from '../../../base/test/raw-client.ts'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { compareEndpoints, readOf, startExplorer, withoutChance } from './explorer-reads.ts'
import { startManager } from './manager.ts'

const event = '/events/3f0c1b52-8a64-4e5e-9d10-0e0000000003'

const badPaths: readonly (readonly [path: string, code: string])[] = [
  ...[
    '/',
    '//',
    '//apps',
    '/apps//',
    '/Apps',
    '/v1/apps',
    '/apps/../apps',
    '/./apps',
    '/../other/apps',
    '/../../connections/other/apps',
    '/v1/connections/other/apps',
    '/%2e%2e/other/apps',
    '/http://127.0.0.1/apps',
    '/apps%2F',
    '/apps/%ff/versions/ids',
    '/apps/%/versions/ids',
    '/apps/1/2/versions/ids',
  ].map((path) => [path, 'route_not_found'] as const),
  ...['', '.', '..', '%2e', '%2E%2e', '..%2F..', 'a%2F..%2Fb', '%2F..', '%00', 'a%0Ab', 'nobody', 'a%2Fb', '%252F'].map(
    (id) => [`/apps/${id}/versions/ids`, 'resource_not_found'] as const,
  ),
  ['/apps/', 'resource_not_found'],
  ['/apps/1', 'resource_not_found'],
  [`/apps/${'x'.repeat(5_000)}/versions/ids`, 'request_too_long'],
  [`/apps/${'y'.repeat(10_000)}/versions/ids`, 'uri_too_long'],
  [`${event}/localizations/en-us/event-screenshots/ids`, 'localization_not_found'],
  [`${event}/localizations/../event-screenshots/ids`, 'localization_not_found'],
  [`/apps/6446998001/app-infos/0b5c7d12-6e3f-4a80-9c41-0c0000000099/territory-age-ratings`, 'resource_not_found'],
]

test('hostile ids and targets are refused as at the public endpoint, and reach nothing else', async (t) => {
  const manager = await startManager(t)
  const codes = await compareEndpoints(
    manager,
    badPaths.map(([path]) => path),
  )
  assert.deepEqual(
    codes,
    badPaths.map(([, code]) => code),
  )
  // an id is one segment of a path, whatever it contains
  const whole =
    /^\/v1\/(apps\/[^/?]+(\/relationships\/(appStoreVersions|appInfos))?|appEvents\/[^/?]+\/localizations)\?/
  for (const { url } of manager.sandbox.asked) assert.match(url, whole)
})

test('targets that no client can send are refused as the public endpoint refuses their bytes', async (t) => {
  const manager = await startManager(t)
  const read = readOf(manager)
  for (const target of [
    '/apps?name=a b',
    '/apps?name=é',
    '/apps#top',
    '/apps\u0000',
    '/apps?name=\ud800',
    '/apps\r\n',
  ]) {
    const { told, body } = await read(target)
    assert.deepEqual([told.status, JSON.parse(body).error.code], [400, 'malformed_request'], JSON.stringify(target))
    if (/[\r\n\ud800]/.test(target)) continue
    const bytes = `GET /v1/connections/acme${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${manager.service.key}\r\n\r\n`
    const [there] = (await sendRaw(manager.service.port, Buffer.from(bytes))).answers
    assert.equal(there?.status, 400)
    assert.equal(withoutChance(there.body), withoutChance(body), target)
  }
})

test('an unknown connection is refused as for a key, and an id of another form as a wrong body', async (t) => {
  const manager = await startManager(t)
  assert.deepEqual(await compareEndpoints(manager, ['/apps', '/nothing'], 'nowhere'), [
    'connection_not_found',
    'route_not_found',
  ])
  const bodies: readonly (readonly [body: unknown, param: string])[] = [
    ...['a/b', '..%2Fother', '', 'acme/apps?x=', 7, null].map(
      (connection) => [{ connection, target: '/apps' }, 'connection'] as const,
    ),
    ...['apps', '', 'http://127.0.0.1/apps', '../apps', `/${'x'.repeat(16_384)}`, 7, ['/apps']].map(
      (target) => [{ connection: 'acme', target }, 'target'] as const,
    ),
    [{ connection: 'acme' }, 'target'],
    [{ target: '/apps' }, 'connection'],
    [{ connection: 'acme', target: '/apps', key: 'x' }, 'key'],
  ]
  for (const path of ['/read', '/plan'])
    for (const [body, param] of bodies) {
      const { status, json } = await manager.ask('POST', path, { body })
      const { code, param: named, message } = json.error
      assert.deepEqual([status, code, named], [400, 'member_invalid', param], JSON.stringify(body).slice(0, 99))
      assert.ok(message.startsWith(`${param}: `))
    }
  assert.deepEqual(await manager.audit({ outcome: 'denied' }), [], 'who only looks tries no change')
  // the state of a connection is another operation of this endpoint
  const { told } = await readOf(manager)('/status')
  assert.deepEqual([told.status, told.operation], [404, null])
})

test('refusals and failures of the platform have the same errors here', async (t) => {
  const say = (status: number, code: string) => (_: unknown, res: Parameters<Script>[1]) => refuse(res, status, code)
  const scripts: readonly (readonly [script: Script, status: number, code: string])[] = [
    [say(404, 'NOT_FOUND'), 404, 'resource_not_found'],
    [say(403, 'FORBIDDEN_ERROR'), 403, 'upstream_forbidden'],
    [say(429, 'RATE_LIMIT_EXCEEDED'), 429, 'upstream_rate_limited'],
    [say(401, 'NOT_AUTHORIZED'), 502, 'upstream_key_rejected'],
    [(_, res) => send(res, '{"data":'), 502, 'upstream_malformed'],
    [(_, res) => send(res, { data: [{ type: 'wrong', id: '1' }], links: {} }), 502, 'upstream_malformed'],
    [(_, res) => void res.destroy(), 503, 'upstream_unavailable'],
    [() => {}, 504, 'upstream_timeout'],
  ]
  for (const [script, status, code] of scripts) {
    const explorer = await startExplorer(t, script, { file: { upstream: { timeoutMs: 700 } } })
    // the first request may discover what the second is answered at once
    const { told, body } = await explorer.read(page.path)
    const there = await explorer.service.ask(page.path)
    assert.deepEqual([told.status, JSON.parse(body).error.code], [status, code], body)
    assert.equal(withoutChance(body), withoutChance(there.text))
    assert.ok(told.status < 500 || typeof told.reason === 'string' || code === 'upstream_key_rejected', told.reason)
    assert.doesNotMatch(explorer.service.events.map((one) => JSON.stringify(one)).join(), /PLATFORM WORDS/)
  }
})
