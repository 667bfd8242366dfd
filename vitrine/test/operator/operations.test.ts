import assert from 'node:assert/strict'
import test from 'node:test'
import { account, fingerprint, pem, startManager } from './manager.ts'

test('a hosted connection is added, shown, checked, replaced and removed, and each act is audited', async (t) => {
  const { ask, audit, service } = await startManager(t)
  const added = await ask('POST', '/connections', { body: { id: 'studio', ...account, tokenScope: 'request' } })
  assert.equal(added.status, 201, added.text)
  assert.deepEqual(
    [added.json.kind, added.json.tokenScope, added.json.linkage, added.json.check.ok, added.json.check.code],
    ['hosted', 'request', null, true, null],
  )
  const { check, ...shown } = added.json
  assert.ok(check.message)
  assert.deepEqual((await ask('GET', '/connections/studio')).json, { ...shown, keys: [] })
  assert.equal((await service.ask('/v1/connections/studio/apps')).status, 200, 'it is read through at once')

  const checked = await ask('POST', '/connections/studio/check')
  assert.deepEqual([checked.status, checked.json.ok], [200, true])
  assert.ok(Math.abs(Date.parse(checked.json.checkedAt) - Date.now()) < 60_000)
  assert.equal((await ask('POST', '/connections/acme/check')).json.ok, true, 'managed ones are tried too')

  const other = { keyId: 'OTHERKEY01', issuerId: '57246542-96fe-1a63-e053-0824d0110002', privateKey: pem }
  const replaced = await ask('POST', '/connections/studio/credentials', { body: { ...other, check: false } })
  assert.deepEqual([replaced.status, replaced.json.keyId, replaced.json.check], [200, 'OTHERKEY01', null])
  assert.ok(replaced.json.replacedAt)

  const removed = await ask('DELETE', '/connections/studio')
  assert.deepEqual(
    [removed.status, removed.json],
    [200, { id: 'studio', removed: true, endedKeys: [], untoldUntil: null }],
  )
  assert.equal((await ask('GET', '/connections/studio')).json.error.code, 'connection_unknown')
  assert.equal((await service.ask('/v1/connections/studio/apps')).status, 404)

  const lines = (await audit({ act: 'connections' })).toReversed()
  assert.deepEqual(
    lines.map(({ act, target, outcome }) => [act, target, outcome].join(' ')),
    [
      'connections.create studio done',
      'connections.check studio done',
      'connections.check acme done',
      'connections.replace studio done',
      'connections.remove studio done',
    ],
  )
  for (const { who, from } of lines) assert.deepEqual([who, from], [fingerprint, '127.0.0.1'])
  assert.equal(lines[0]?.requestId, added.headers['x-request-id'])
})

test('a managed connection is shown with its source, and a hosted one has none', async (t) => {
  const { ask, service } = await startManager(t)
  const sourceOf = async (id: string) => (await ask('GET', `/connections/${id}`)).json.source
  const { acme } = service.settings.connections
  assert.deepEqual(await sourceOf('acme'), { settings: 'vitrine.json', privateKeyFile: acme?.privateKeyFile })
  const added = await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  assert.deepEqual([added.json.source, await sourceOf('studio')], [null, null])
  const { issuerId, keyId } = account
  const relative = { issuerId, keyId, privateKeyFile: './key.p8' }
  const answeredAt = async () => (await ask('GET', '/connections/acme/status')).json.lastAnswerAt
  await service.ask('/v1/connections/acme/apps')
  const before = await answeredAt()
  await service.running.reload(() => ({ ...service.settings, connections: { acme: relative } }))
  assert.ok(before !== null && (await answeredAt()) === before, 'a key file that moved is no other key')
  assert.deepEqual(await sourceOf('acme'), { settings: 'vitrine.json', privateKeyFile: './key.p8' }, 'as it is written')
  const { items } = (await ask('GET', '/connections')).json
  assert.deepEqual(
    items.map(({ id, source }: any) => [id, source?.privateKeyFile]),
    [
      ['acme', './key.p8'],
      ['studio', undefined],
    ],
  )
})

test('an individual key needs no issuer, and a key may be stored unchecked', async (t) => {
  const { ask } = await startManager(t)
  const solo = await ask('POST', '/connections', { body: { id: 'one', keyId: 'SOLOKEY001', privateKey: pem } })
  assert.deepEqual([solo.status, solo.json.issuerId, solo.json.check.ok], [201, null, true])
  const unknown = { id: 'two', keyId: 'NOBODYKNOWS', issuerId: account.issuerId, privateKey: pem }
  const { error } = (await ask('POST', '/connections', { body: unknown })).json
  assert.equal(error.code, 'credential_refused')
  assert.match(error.message, /A key id is 10 capital letters and digits, such as .* Users and Access > Integrations/)
  assert.doesNotMatch(error.message, /An issuer id is/, 'that one has the form of the platform')
  assert.equal((await ask('GET', '/connections/two')).status, 404, 'a refused key is not stored')
  const untried = await ask('POST', '/connections', { body: { ...unknown, check: false } })
  assert.deepEqual([untried.status, untried.json.check], [201, null])
  const checked = await ask('POST', '/connections/two/check')
  assert.deepEqual([checked.status, checked.json.ok, checked.json.code], [200, false, 'upstream_key_rejected'])
})

test('a facade key is created, shown, rerolled and revoked, and works until then', async (t) => {
  const { ask, audit, service } = await startManager(t)
  const wish = {
    name: 'ci',
    connections: ['acme'],
    groups: ['apps'],
    expires: '90d',
    perMinute: 7,
    note: 'for the bot',
  }
  const made = await ask('POST', '/keys', { body: wish })
  assert.equal(made.status, 201, made.text)
  const { key, ...shown } = made.json
  assert.match(key, /^vtr_test_/)
  assert.ok(Math.abs(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt) - 90 * 86_400_000) < 1_000)
  const { name, connections, groups, perMinute, note, state, replaces } = shown
  assert.deepEqual(
    { name, connections, groups, perMinute, note, state, replaces },
    {
      name: 'ci',
      connections: ['acme'],
      groups: ['apps'],
      perMinute: 7,
      note: 'for the bot',
      state: 'active',
      replaces: null,
    },
  )
  assert.deepEqual((await ask('GET', `/keys/${shown.id}`)).json, shown)
  assert.equal((await service.ask('/apps', { key })).status, 200)
  assert.equal((await service.ask('/v1/connections/other/apps', { key })).status, 404)

  const next = await ask('POST', `/keys/${shown.id}/reroll`, { body: { overlap: '1h' } })
  assert.deepEqual([next.status, next.json.replaces, next.json.perMinute], [201, shown.id, 7])
  const left = Date.parse((await ask('GET', `/keys/${shown.id}`)).json.expiresAt) - Date.now()
  assert.ok(left > 3_590_000 && left <= 3_600_000)
  for (const one of [key, next.json.key]) assert.equal((await service.ask('/apps', { key: one })).status, 200)

  const last = await ask('POST', `/keys/${next.json.id}/reroll`, { body: { overlap: '0' } })
  assert.equal((await ask('GET', `/keys/${next.json.id}`)).json.state, 'revoked')
  assert.equal((await ask('POST', `/keys/${next.json.id}/reroll`)).json.error.code, 'key_not_live')

  const revoked = { id: last.json.id, revoked: true, untoldUntil: null }
  assert.deepEqual((await ask('DELETE', `/keys/${last.json.id}`)).json, { ...revoked, alreadyRevoked: false })
  assert.deepEqual((await ask('DELETE', `/keys/${last.json.id}`)).json, { ...revoked, alreadyRevoked: true })
  assert.equal((await ask('GET', `/keys/${last.json.id}`)).json.state, 'revoked')
  assert.equal((await service.ask('/apps', { key: last.json.key })).status, 401)
  const told = (await audit({ act: 'keys' })).toReversed().filter(({ who }) => who === fingerprint)
  assert.deepEqual(
    told.map(({ act, outcome }) => `${act} ${outcome}`),
    ['keys.create done', 'keys.reroll done', 'keys.reroll done', 'keys.reroll denied', 'keys.revoke done'],
  )
  assert.ok(!JSON.stringify(told).includes(key.slice(22, 60)), 'no secret of a key is in the audit')
})

test('a reroll without a body overlaps for a day, and a key that never expires has no expiry', async (t) => {
  const { ask } = await startManager(t)
  const { id, expiresAt } = (await ask('POST', '/keys', { body: { name: 'x', connections: ['*'], expires: 'never' } }))
    .json
  assert.equal(expiresAt, null)
  const next = await ask('POST', `/keys/${id}/reroll`)
  assert.equal(next.json.expiresAt, null)
  const left = Date.parse((await ask('GET', `/keys/${id}`)).json.expiresAt) - Date.now()
  assert.ok(left > 86_390_000 && left <= 86_400_000)
})

test('a reroll sets the end of the successor if asked, and never the end of the old key', async (t) => {
  const { ask, audit } = await startManager(t)
  const old = (await ask('POST', '/keys', { body: { name: 'x', connections: ['*'], expires: '1h' } })).json
  const next = (await ask('POST', `/keys/${old.id}/reroll`, { body: { overlap: '24h', expires: '30d' } })).json
  assert.ok(Math.abs(Date.parse(next.expiresAt) - Date.parse(next.createdAt) - 30 * 86_400_000) < 1_000)
  assert.equal((await ask('GET', `/keys/${old.id}`)).json.expiresAt, old.expiresAt)
  const last = (await ask('POST', `/keys/${next.id}/reroll`, { body: { expires: 'never' } })).json
  assert.equal(last.expiresAt, null)
  const told = await audit({ act: 'keys.reroll' })
  assert.deepEqual(
    told.map(({ details }) => details.expiresAt),
    [null, next.expiresAt],
  )
})

test('a new key is shown no personal data, and expires after 90 days', async (t) => {
  const { ask, service } = await startManager(t)
  const made = (await ask('POST', '/keys', { body: { name: 'x', connections: ['*'] } })).json
  assert.equal(made.personal, false)
  const lifeMs = Date.parse(made.expiresAt) - Date.parse(made.createdAt)
  assert.ok(Math.abs(lifeMs - 90 * 86_400_000) < 1_000)
  const { personal, expiresAt } = (await service.ask('/v1/whoami', { key: made.key })).json
  assert.deepEqual([personal, expiresAt], [false, made.expiresAt])
  const next = (await ask('POST', `/keys/${made.id}/reroll`)).json
  assert.deepEqual([next.personal, next.expiresAt], [false, made.expiresAt])
  const granted = { name: 'y', connections: ['*'], personal: true }
  assert.equal((await ask('POST', '/keys', { body: granted })).json.personal, true)
})

test('HEAD answers where GET does, without a body', async (t) => {
  const { ask } = await startManager(t)
  for (const path of ['/connections', '/connections/acme', '/keys', '/vault', '/audit', '/healthz']) {
    const [head, get] = [await ask('HEAD', path), await ask('GET', path)]
    assert.deepEqual([head.status, head.text], [200, ''], path)
    assert.equal(head.headers['content-length'], get.headers['content-length'])
  }
})

test('health, the description and the pages of errors need no token', async (t) => {
  const { ask } = await startManager(t)
  const open = { token: null }
  for (const path of ['/livez', '/healthz']) assert.deepEqual((await ask('GET', path, open)).json, { status: 'ok' })
  assert.deepEqual((await ask('GET', '/readyz', open)).json, { status: 'ready' })
  const description = await ask('GET', '/operator/v1/openapi.json', open)
  assert.equal(description.json.info.title, 'Vitrine, the operator endpoint')
  for (const path of ['/errors', '/errors/operator_token_invalid']) {
    const page = await ask('GET', path, open)
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.equal(page.headers['x-content-type-options'], 'nosniff')
  }
  assert.equal((await ask('GET', '/errors/nonsense', open)).status, 404)
  assert.equal((await ask('POST', '/healthz', open)).status, 405)
  assert.equal((await ask('GET', '/docs/createKey', open)).status, 200)
  for (const path of ['/docs.md', '/openapi.json', '/v1/connections/acme/apps', '/index.html'])
    assert.equal((await ask('GET', path, open)).status, 401, `${path} is not a page of the operator endpoint`)
})

test('every request is logged once, with its operation and nothing of its content', async (t) => {
  const { ask, service } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, check: false } })
  await ask('GET', '/connections?limit=3')
  await ask('GET', '/nothing/here')
  await ask('GET', '/vault', { token: null })
  const told = service.events.filter((event) => event.kind === 'answered')
  assert.deepEqual(
    told.map(({ operation, status, code }) => [operation, status, code].join(' ')),
    [
      'createConnection 201 ',
      'listConnections 200 ',
      'unknown 404 route_not_found',
      'unknown 401 operator_token_missing',
    ],
  )
  assert.equal(told[0]?.connection, 'studio')
})

/** members of an answer that could be a time in seconds or milliseconds since 1970 */
function epochsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return value > 1.4e9 && value < 4e12 ? [`${path}: ${value}`] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => epochsIn(one, `${path}/${name}`))
}

test('times are ISO 8601 everywhere, also in the details of audit lines', async (t) => {
  const { ask } = await startManager(t)
  const made = (await ask('POST', '/keys', { body: { name: 'x', connections: ['*'], expires: '2d' } })).json
  await ask('POST', `/keys/${made.id}/reroll`, { body: { overlap: '24h' } })
  await ask('POST', '/connections/acme/check')
  const paths = ['/keys', `/keys/${made.id}`, '/connections', '/connections/acme', '/connections/acme/status', '/audit']
  for (const path of [...paths, '/status', '/overview', '/health', '/vault', '/doctor']) {
    const { status, json } = await ask('GET', path)
    assert.equal(status, 200, path)
    assert.deepEqual(epochsIn(json), [], path)
  }
  const { items } = (await ask('GET', `/audit?act=keys&target=${made.id}`)).json
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  for (const { at, details } of items) for (const time of [at, details.expiresAt]) assert.match(time, moment)
  assert.match(items[0].details.oldEndsAt, moment)
  assert.equal(items.length, 2)
})
