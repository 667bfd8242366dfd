import assert from 'node:assert/strict'
import test from 'node:test'
import { account, pem, startManager, strangerPem } from './manager.ts'

const anId = '0123456789ab'

test('without a credential every request gets the same answer, whatever path, method or body it has', async (t) => {
  const { ask, service } = await startManager(t, { now: hourly() })
  const tries: [method: string, path: string, body?: unknown][] = [
    ['GET', '/connections'],
    ['GET', '/connections/acme'],
    ['GET', '/connections/nobody?limit=x'],
    ['DELETE', '/connections/acme'],
    ['POST', '/keys', '{broken'],
    ['POST', '/keys', { name: 'x', connections: ['*'] }],
    ['PUT', '/keys'],
    ['PROPFIND', '/keys'],
    ['OPTIONS', '/keys'],
    ['GET', '/operator/v1'],
    ['GET', '/operator/v2/keys'],
    ['GET', '/%zz'],
    ['POST', '/operator', pem],
  ]
  for (const token of [null, 'not-the-right-token', service.key, '']) {
    const code = token === null ? 'operator_token_missing' : 'operator_token_invalid'
    for (const [method, path, body] of tries) {
      const { status, headers, json } = await ask(method, path, { token, body })
      const shown = {
        status,
        challenge: headers['www-authenticate'],
        code: json.error.code,
        members: Object.keys(json.error),
      }
      assert.deepEqual(shown, {
        status: 401,
        challenge: `Bearer realm="vitrine operator"${token === null ? '' : ', error="invalid_token"'}`,
        code,
        members: ['type', 'code', 'message', 'requestId', 'retryable', 'docUrl'],
      })
    }
  }
})

/** a clock that leaps over every lock-out */
function hourly(): () => number {
  let at = Date.now()
  return () => (at += 3_600_000)
}

test('refusals come in one order: path, method, content, id, query, body, act', async (t) => {
  const { ask } = await startManager(t)
  const code = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await ask(method, path, { body })
    return `${status} ${json.error.code}`
  }
  assert.equal(await code('PUT', '/nothing?x', '{'), '404 route_not_found')
  assert.equal(await code('PUT', '/keys?x', '{'), '405 operation_not_allowed')
  assert.equal(await code('DELETE', '/connections/..?x'), '404 connection_unknown')
  assert.equal(await code('POST', '/keys?x=1', '{'), '400 unknown_parameter')
  assert.equal(await code('POST', '/connections/nobody/credentials', '{'), '400 malformed_body')
  assert.equal(await code('POST', '/connections/nobody/credentials', {}), '400 member_invalid')
  assert.equal(await code('POST', '/connections/nobody/credentials', account), '404 connection_unknown')
  assert.equal(await code('DELETE', '/connections/acme?x=1'), '400 unknown_parameter')
  assert.equal(await code('DELETE', '/connections/acme', {}), '400 content_not_allowed')
})

test('another method is refused with those that the path allows', async (t) => {
  const { ask } = await startManager(t)
  const rows: [path: string, method: string, allowed: string][] = [
    ['/connections', 'DELETE', 'GET, HEAD, POST'],
    ['/connections/acme', 'POST', 'GET, HEAD, DELETE'],
    ['/connections/acme/check', 'GET', 'POST'],
    ['/connections/acme/check', 'HEAD', 'POST'],
    ['/keys', 'PATCH', 'GET, HEAD, POST'],
    [`/keys/${anId}`, 'PUT', 'GET, HEAD, DELETE'],
    ['/vault', 'POST', 'GET, HEAD'],
    ['/audit', 'DELETE', 'GET, HEAD'],
    ['/audit', 'OPTIONS', 'GET, HEAD'],
    ['/audit', 'PROPFIND', 'GET, HEAD'],
  ]
  for (const [path, method, allowed] of rows) {
    const { status, headers, json } = await ask(method, path)
    assert.deepEqual([status, headers['allow']], [405, allowed], `${method} ${path}`)
    if (json)
      assert.deepEqual([json.error.code, json.error.details.allowed.join(', ')], ['operation_not_allowed', allowed])
  }
})

test('ids of another form are unknown', async (t) => {
  const { ask } = await startManager(t)
  for (const id of ['', '.', '..', '%2e', 'a%2fb', 'a%00', '%0a', 'a'.repeat(65), '*', "'--", 'vtr%20x'])
    assert.equal((await ask('GET', `/connections/${id}`)).json.error.code, 'connection_unknown', id)
  for (const id of ['', '*', 'short', 'vtr_test_0123456789ab', '0123456789a%00', `${anId}0`, anId])
    assert.equal((await ask('GET', `/keys/${id}`)).json.error.code, 'key_unknown', id)
  for (const id of ['%zz', '%', '%ff', 'a/b'])
    assert.equal((await ask('GET', `/keys/${id}`)).json.error.code, 'route_not_found')
  assert.equal((await ask('GET', '/connections/')).status, 404)
  assert.equal((await ask('GET', '/connections/%61cme')).json.id, 'acme', 'an id is decoded once')
})

test('a query is read strictly, and its refusal has the nearest name', async (t) => {
  const { ask } = await startManager(t)
  const refused = async (query: string) => {
    const { status, json } = await ask('GET', `/audit?${query}`)
    assert.equal(status, 400, query)
    return json.error
  }
  const unknown = await refused('limt=5')
  assert.deepEqual([unknown.code, unknown.param, unknown.details.nearest], ['unknown_parameter', 'limt', 'limit'])
  assert.match(
    unknown.message,
    /Did you mean "limit"\? Allowed: limit, cursor, act, without, target, who, outcome, since, until\./,
  )
  assert.equal((await refused('limit=5&limit=6')).code, 'repeated_parameter')
  for (const query of ['limit', 'limit=', 'cursor=', 'act'])
    assert.equal((await refused(query)).code, 'empty_parameter')
  for (const limit of ['0', '201', '-1', '1e2', '05', '1.0', '%205', 'x', '9'.repeat(99)])
    assert.equal((await refused(`limit=${limit}`)).code, 'value_not_allowed', limit)
  const outcome = await refused('outcome=dnied')
  assert.deepEqual(
    [outcome.code, outcome.details],
    ['value_not_allowed', { allowed: ['done', 'denied'], nearest: 'denied' }],
  )
  assert.equal((await refused(`who=${'a'.repeat(201)}`)).code, 'value_not_allowed')
  for (const bad of ['who=%00', 'act=%0a', 'target=%ed%a0%80', 'who=%zz'])
    assert.ok(['value_not_allowed', 'malformed_query'].includes((await refused(bad)).code), bad)
  assert.equal((await refused('__proto__=1')).code, 'unknown_parameter')
  for (const path of ['/vault?x=1', '/connections/acme?limit=1', `/keys/${anId}?x`])
    assert.deepEqual((await ask('GET', path)).json.error.details.allowed, [])
})

test('a cursor is accepted only unchanged, and only by its own list', async (t) => {
  const { ask } = await startManager(t)
  const cursor: string = (await ask('GET', '/connections?limit=1')).json.nextCursor
  assert.equal((await ask('GET', `/keys?cursor=${cursor}`)).json.error.code, 'cursor_mismatch')
  const made = (text: string) => Buffer.from(text).toString('base64url')
  for (const bad of [
    'x',
    'acme',
    `${cursor}=`,
    `${cursor}A`,
    cursor.slice(1),
    made('connections'),
    made('connections a b'),
  ])
    assert.match((await ask('GET', `/connections?cursor=${bad}`)).json.error.code, /cursor_(invalid|mismatch)/, bad)
  for (const place of ['0', '-1', 'x', '1e3', '', '1\0'])
    assert.equal((await ask('GET', `/audit?cursor=${made(`audit ${place}`)}`)).json.error.code, 'cursor_invalid', place)
})

test('what cannot be stored is refused with its reason', async (t) => {
  const { ask, deeds } = await startManager(t)
  const refused = async (path: string, body: unknown, method = 'POST') => (await ask(method, path, { body })).json.error
  assert.equal((await refused('/connections', { ...account, id: 'acme' })).code, 'connection_exists')
  assert.equal((await refused('/connections/acme/credentials', account)).code, 'connection_managed')
  assert.equal((await refused('/connections/acme', undefined, 'DELETE')).code, 'connection_managed')
  assert.equal(
    (await refused('/connections', { ...account, id: 'x', privateKey: 'no key' })).code,
    'private_key_unusable',
  )
  assert.equal(
    (await refused('/connections', { ...account, id: 'x', privateKey: strangerPem })).code,
    'credential_refused',
  )
  assert.equal((await refused('/connections/x/check', undefined)).code, 'connection_unknown')
  const refusals = (await deeds()).slice(1)
  assert.deepEqual(refusals, [
    'connections.create denied',
    'connections.replace denied',
    'connections.remove denied',
    'connections.create denied',
    'connections.create denied',
    'connections.check denied',
  ])
})

test('without master keys no credential is stored, and facade keys can be created', async (t) => {
  const { ask } = await startManager(t, { secrets: { masterKeys: undefined } })
  const { status, json } = await ask('POST', '/connections', { body: { id: 'x', ...account } })
  assert.deepEqual([status, json.error.code], [409, 'vault_closed'])
  assert.deepEqual((await ask('GET', '/vault')).json, { writes: null, masterKeys: [] })
  assert.equal((await ask('POST', '/keys', { body: { name: 'x', connections: ['*'] } })).status, 201)
})
