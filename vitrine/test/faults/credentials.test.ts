// Signing keys that are replaced, damaged or revoked while the service runs.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { type Call, refuse, type Script, send } from '../support/scripted-platform.ts'
import { privateKey, startScripted } from '../support/service.ts'
import { exchange, token } from '../operator/manager.ts'
import { startManager } from '../operator/manager.ts'

const pemOf = (key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer }): string =>
  String(key.export({ type: 'pkcs8', format: 'pem' }))
const pem = pemOf(privateKey)
const kidOf = ({ headers: { authorization = '' } }: Call): string | undefined =>
  decodeProtectedHeader(authorization.replace('Bearer ', '')).kid

const hosted = `/v1/connections/studio${page.path}`
const account = { id: 'studio', keyId: 'FIRST', issuerId: 'issuer', privateKey: pem, check: false }

/** a service with both endpoints over a scripted platform, and one hosted connection */
async function startHosting(t: TestContext, script: Script) {
  const scene = await startScripted(script, {
    file: { operatorListen: '127.0.0.1:0' },
    secrets: { masterKeys: `m1:${randomBytes(32).toString('base64')}`, operatorToken: token },
  })
  t.after(scene.close)
  const port = Number(new URL(scene.service.operatorUrl ?? '').port)
  const act = (method: string, path: string, body?: object) =>
    exchange(port, method, `/operator/v1${path}`, { ...(body && { body }) })
  assert.equal((await act('POST', '/connections', account)).status, 201)
  return { ...scene, act }
}

test('F143: the first call after a credential is replaced is signed with the new key', async (t) => {
  const { service, platform, act } = await startHosting(t, (_, res) => send(res, page.healthy))
  for (let n = 0; n < 3; n++) assert.equal((await service.ask(hosted)).status, 200)
  const replacement = { keyId: 'SECOND', issuerId: 'issuer', privateKey: pem, check: false }
  assert.equal((await act('POST', '/connections/studio/credentials', replacement)).status, 200)
  for (let n = 0; n < 3; n++) assert.equal((await service.ask(hosted)).status, 200)
  assert.deepEqual(platform.calls.map(kidOf), ['FIRST', 'FIRST', 'FIRST', 'SECOND', 'SECOND', 'SECOND'])
})

test('F144: a stored row with a damaged key is 503 with an alarm, and other connections are served', async (t) => {
  const { service, platform, act } = await startHosting(t, (_, res) => send(res, page.healthy))
  assert.equal((await act('POST', '/connections', { ...account, id: 'next' })).status, 201)
  assert.equal((await service.ask(hosted)).status, 200)
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(`${service.folder}/v.db`)
  t.after(() => db.close())
  const sealed = db.prepare('SELECT sealed FROM connections WHERE id = ?').get('studio')?.['sealed'] as Uint8Array
  const put = db.prepare('UPDATE connections SET sealed = ? WHERE id = ?')
  for (const damaged of [sealed.slice(0, 40), new Uint8Array(sealed.length)]) {
    platform.calls.length = 0
    service.events.length = 0
    put.run(damaged, 'studio')
    const { status, json } = await service.ask(hosted)
    assert.deepEqual([status, json.error.type, json.error.code], [503, 'overloaded', 'connection_unreadable'])
    assert.ok(service.events.some((event) => event.kind === 'unreadable' && event.connection === 'studio'))
    assert.equal(platform.calls.length, 0)
    assert.equal((await service.ask(hosted.replace('studio', 'next'))).status, 200)
  }
  put.run(sealed, 'studio')
  assert.equal((await service.ask(hosted)).status, 200)
})

test('F144: a key of the wrong kind is rejected with 4xx, and nothing is stored', async (t) => {
  const { ask } = await startManager(t)
  const wrong = {
    RSA: pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    Ed25519: pemOf(generateKeyPairSync('ed25519').privateKey),
    'P-384': pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
    damaged: pem.replace(/^(.{60}).{8}/s, '$1AAAAAAAA'),
    'cut off': pem.slice(0, 120),
  }
  for (const [name, privateKey] of Object.entries(wrong)) {
    const { status, json } = await ask('POST', '/connections', { body: { ...account, privateKey } })
    assert.ok(status >= 400 && status < 500, `${name}: ${status}`)
    assert.equal(json.error.code, 'private_key_unusable', name)
    assert.equal((await ask('GET', '/connections/studio')).status, 404, name)
  }
})

test('F145: a revoked signing key costs its own connection two calls, and no other connection any', async (t) => {
  let revoked = false
  const { service, platform, close } = await startScripted((call, res) => {
    if (revoked && kidOf(call) === 'ACMEKEY001') refuse(res, 401, 'NOT_AUTHORIZED')
    else send(res, page.healthy)
  })
  t.after(close)
  const other = `/v1/connections/other${page.path}`
  const callsOf = async (path: string, status: number, code?: string) => {
    platform.calls.length = 0
    const answer = await service.ask(path)
    assert.deepEqual([answer.status, answer.json.error?.code], [status, code])
    return platform.calls.length
  }
  for (const path of [page.path, other]) assert.equal(await callsOf(path, 200), 1)
  revoked = true
  assert.equal(await callsOf(page.path, 502, 'upstream_key_rejected'), 2)
  for (let n = 0; n < 10; n++) {
    assert.equal(await callsOf(page.path, 502, 'upstream_key_rejected'), 0)
    assert.equal(await callsOf(other, 200), 1)
  }
  assert.deepEqual(
    service.events.flatMap((event) => (event.kind === 'key_rejected' ? [event.connection] : [])),
    ['acme'],
  )
  revoked = false
  for (const until = performance.now() + 6_000; (await service.ask(page.path)).status !== 200; await sleep(100))
    assert.ok(performance.now() < until, 'still refused')
})
