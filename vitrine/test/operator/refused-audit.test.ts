import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { account, fingerprint, pem, startManager } from './manager.ts'

const wrong = 'some-other-token-of-mine'

test('refused acts and wrong tokens are audited, with who, where, what and why', async (t) => {
  const { ask, audit } = await startManager(t)
  const answers = [
    await ask('GET', '/vault', { token: null }),
    await ask('DELETE', '/connections/acme', { token: wrong }),
    await ask('PUT', '/nowhere', { token: wrong }),
    await ask('POST', '/keys', { token: wrong, body: { name: 'x', connections: ['*'] } }),
    await ask('DELETE', '/keys/vtr_live_not_an_id', {}),
    await ask('POST', '/connections', { body: { ...account, id: 'studio', privateKey: pem.slice(0, 90) } }),
    await ask('POST', '/connections', { body: { ...account, id: pem.slice(0, 60) } }),
  ]
  const lines = (await audit({ outcome: 'denied' })).toReversed()
  assert.deepEqual(
    lines.map(({ who, act, target, details }) => [who, act, target, details['code']]),
    [
      ['unknown', 'vault.status', null, 'operator_token_missing'],
      ['unknown', 'connections.remove', 'acme', 'operator_token_invalid'],
      ['unknown', 'operator.enter', null, 'operator_token_invalid'],
      ['unknown', 'keys.create', null, 'operator_token_invalid'],
      [fingerprint, 'keys.revoke', null, 'key_unknown'],
      [fingerprint, 'connections.create', 'studio', 'private_key_unusable'],
      [fingerprint, 'connections.create', null, 'member_invalid'],
    ],
  )
  for (const [i, { requestId, from, details }] of lines.entries()) {
    assert.equal(requestId, answers[i]?.headers['x-request-id'])
    assert.equal(from, '127.0.0.1')
    assert.deepEqual(Object.keys(details), ['code'])
  }
  assert.ok(!JSON.stringify(lines).includes(wrong))
})

test('read-only operations and their refusals are not audited', async (t) => {
  const { ask, deeds } = await startManager(t)
  for (const path of [
    '/connections',
    '/connections/acme',
    '/connections/nobody',
    '/keys?x=1',
    '/vault',
    '/audit',
    '/no',
  ])
    await ask('GET', path)
  assert.deepEqual(await deeds(), ['keys.create done'])
})

test('after ten wrong tokens, further wrong ones of that network are 429 for a minute, and the right one passes', async (t) => {
  let shift = 0
  const { ask, audit } = await startManager(t, { now: () => Date.now() + shift })
  for (let i = 0; i < 9; i++) assert.equal((await ask('GET', '/vault', { token: wrong })).status, 401)
  assert.equal((await ask('GET', '/vault')).status, 200, 'nine are forgiven')
  for (let i = 0; i < 20; i++)
    assert.equal((await ask('GET', '/favicon.ico', { token: null })).status, 401, 'who brings none guesses nothing')
  assert.equal((await ask('GET', '/vault', { token: wrong })).status, 401)
  const { status, headers, json } = await ask('POST', '/keys', { token: wrong, body: '{' })
  assert.deepEqual([status, json.error.code], [429, 'operator_locked_out'])
  assert.ok(Number(headers['retry-after']) > 50 && Number(headers['retry-after']) <= 60)
  assert.equal((await ask('GET', '/vault')).status, 200, 'the operator is not shut out')
  assert.equal((await ask('GET', '/metrics')).status, 200, 'nor is Prometheus')
  assert.equal((await ask('GET', '/favicon.ico', { token: null })).status, 401)
  assert.equal((await ask('GET', '/healthz', { token: null })).status, 200, 'the pages stay open')
  const kept = (await audit({ outcome: 'denied' })).map(({ details }) => details['code'])
  assert.deepEqual([kept.length, kept[0]], [11, 'operator_locked_out'], 'the lock-out is kept once')
  shift = 61_000
  assert.equal((await ask('GET', '/vault')).status, 200)
  assert.equal((await ask('GET', '/vault', { token: wrong })).status, 401, 'and counted from the beginning')
})

test('failures that are minutes apart cause no lock-out', async (t) => {
  let shift = 0
  const { ask } = await startManager(t, { now: () => Date.now() + shift })
  for (let i = 0; i < 25; i++) {
    assert.equal((await ask('GET', '/vault', { token: wrong })).status, 401)
    shift += 8_000
  }
})

test('wrong tokens that come in parallel are locked out too', async (t) => {
  const { ask, audit } = await startManager(t)
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask('GET', '/vault', { token: wrong })))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  assert.deepEqual([count(401), count(429)], [10, 50])
  assert.equal((await audit({ outcome: 'denied' })).length, 11)
})

test('an operator who repeats a refused act has ten lines a minute of their own, and one that counts the others', async (t) => {
  const { ask, audit, service } = await startManager(t)
  for (let i = 0; i < 25; i++) assert.equal((await ask('POST', '/keys', { body: '{' })).status, 400)
  assert.equal((await ask('DELETE', '/keys/000000000000')).status, 404)
  const denied = await audit({ outcome: 'denied' })
  assert.deepEqual(
    denied.map(({ act }) => act),
    ['keys.revoke', ...Array.from({ length: 10 }, () => 'keys.create')],
  )
  await service.running.close()
  const store = await openStore(`sqlite:${service.folder}/v.db`)
  t.after(() => store.close())
  const [last] = await store.audit.page({ limit: 1 })
  const { code, count } = last?.details ?? {}
  assert.deepEqual([last?.who, last?.act, code, count], [fingerprint, 'keys.create', 'malformed_body', 15])
})

test('F165: a refusal or act that cannot be audited is answered with 503', async (t) => {
  const { ask, service } = await startManager(t)
  const db = new DatabaseSync(`${service.folder}/v.db`)
  db.exec("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk full'); END")
  try {
    const tries: [method: string, path: string, sending?: object][] = [
      ['GET', '/vault', { token: wrong }],
      ['POST', '/keys', { body: '{' }],
      ['POST', '/keys', { body: { name: 'x', connections: ['*'] } }],
      ['POST', '/connections', { body: { id: 'x', ...account, check: false } }],
      ['POST', '/connections/acme/check'],
    ]
    for (const [method, path, sending] of tries) {
      const { status, json } = await ask(method, path, sending)
      assert.deepEqual([status, json.error.code], [503, 'store_unavailable'], `${method} ${path}`)
    }
    assert.equal((await ask('GET', '/keys')).json.items.length, 1, 'no key was made')
    assert.equal((await ask('GET', '/connections/x')).status, 404)
  } finally {
    db.exec('DROP TRIGGER full')
    db.close()
  }
  assert.equal((await ask('POST', '/keys', { body: { name: 'x', connections: ['*'] } })).status, 201)
})
