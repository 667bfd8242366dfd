import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test from 'node:test'
import { makeId } from '../../src/ids.ts'
import { type CallOptions, openUsedRig } from '../service-rig.ts'

const noLimit = { settings: { rate: { perSecond: 0, createsPerSecond: 0, failuresPerMinute: 0 } } }

test('refusals come in the order of the contract: the first thing wrong is named', async (t) => {
  const { call, key, rig, account, engine } = await openUsedRig(t, noLimit)
  const { text: weak } = await rig.key(account, ['files'])
  const before = engine.calls.length
  const wrong = { key, headers: { 'content-type': 'text/plain' }, body: '{' }
  const cases: readonly [string, string, CallOptions, number, string][] = [
    ['PATCH', '/nothing', { body: '{' }, 404, 'not_found'],
    ['PATCH', '/containers', { body: '{' }, 405, 'method_not_allowed'],
    ['POST', '/containers?x=1', { ...wrong, key: 'atl_x' }, 401, 'unauthorized'],
    ['POST', '/containers?x=1', { ...wrong, key: weak }, 403, 'forbidden'],
    ['POST', '/containers?x=1', wrong, 415, 'unsupported_media_type'],
    ['POST', '/containers?x=1', { key, body: '{' }, 400, 'invalid_request'],
    ['POST', '/containers?x=1', { key, body: { image: 'none' } }, 400, 'invalid_request'],
    ['POST', '/containers', { key, body: { image: 'none' }, headers: { 'idempotency-key': 'é' } }, 400, 'invalid_request'],
    ['POST', '/containers', { key, body: { image: 'none' } }, 404, 'image_not_found'],
    ['POST', '/containers/exec', { key, body: { containerId: 'ct_x', command: ['say'], user: '5000' } }, 400, 'invalid_request'],
    ['POST', '/containers/exec', { key, body: { containerId: makeId('ct'), command: ['say'] } }, 404, 'container_not_found'],
    ['DELETE', `/containers?id=${makeId('ct')}`, { key, body: {} }, 400, 'invalid_request'],
    ['DELETE', `/containers?id=${makeId('ct')}`, { key }, 404, 'container_not_found'],
    ['GET', '/api-keys', { key }, 401, 'session_required'],
    ['POST', '/api-keys', { key, body: '{' }, 401, 'session_required'],
  ] // prettier-ignore
  for (const [method, path, options, status, type] of cases) {
    const answer = await call(method, path, options)
    const place = `${method} ${path} ${answer.text}`
    assert.deepEqual([answer.status, answer.body.error.type], [status, type], place)
    assert.equal(answer.body.error.requestId, answer.headers['x-request-id'], place)
    assert.equal(answer.headers['cache-control'], 'no-store', place)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', place)
  }
  assert.deepEqual(engine.calls.slice(before).filter((name) => /^(create|start|exec|remove|stop)$/.test(name)), []) // prettier-ignore
})

test('a method that a path lacks is refused with those it has, and HEAD works as GET without a body', async (t) => {
  const { call, key } = await openUsedRig(t)
  const { headers } = await call('PUT', '/containers', { key })
  assert.deepEqual(String(headers['allow']).split(', ').toSorted(), ['DELETE', 'GET', 'HEAD', 'POST'])
  const ofFiles = await call('PATCH', '/containers/files', { key })
  assert.equal(ofFiles.headers['allow'], 'GET, HEAD, PUT, DELETE')
  // the contract has no such methods, which need a query
  for (const [method, path, allow, wanted] of [
    ['GET', '/containers/exec', 'POST', /^GET needs the query parameters of this path: `id`\.$/],
    ['DELETE', '/containers/files', 'GET, HEAD, PUT', /^DELETE needs .*: `containerId`, `path`\.$/],
  ] as const) {
    const refused = await call(method, path, { key })
    assert.deepEqual([refused.status, refused.headers['allow']], [405, allow], path)
    assert.match(refused.body.error.message, wanted)
  }
  for (const path of ['/containers', '/subscription/config', '/healthz', '/openapi.json']) {
    const [head, get] = [await call('HEAD', path, { key }), await call('GET', path, { key })]
    assert.deepEqual([head.status, head.text], [get.status, ''])
    assert.equal(head.headers['content-type'], get.headers['content-type'])
  }
})

test('a message about a whole body names the body', async (t) => {
  const { call, key } = await openUsedRig(t, noLimit)
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  for (const [method, path, options, message] of [
    ['DELETE', '/containers?id=x', { body: '{}' }, 'This request takes no body.'],
    ['POST', '/containers', { body: '[]' }, 'The body is not a JSON object.'],
    ['POST', '/containers', { body: '{' }, 'The body is not JSON in UTF-8.'],
    ['POST', '/images', { body: 'none', headers: form }, 'The multipart body does not begin with its boundary.'],
  ] as const) {
    const { status, body } = await call(method, path, { key, ...options })
    assert.deepEqual([status, body.error.message, body.error.details.field], [400, message, ''], path)
  }
})

test('a body is read strictly: each fault is 400 and names the member', async (t) => {
  const { call, key, engine } = await openUsedRig(t, noLimit)
  const deep = `{"image":"base","labels":${'{"a":'.repeat(20)}1${'}'.repeat(21)}`
  const cases: readonly [string | object, string | undefined][] = [
    ['{"image":"base","image":"base"}', ''],
    ['{"image":"base","labels":{"a":"1","\\u0061":"2"}}', ''],
    ['{"image":"\\ud800"}', ''],
    ['[]', ''],
    ['\ufeff{"image":"base"}', ''],
    [deep, undefined],
    [{ image: 'base', colour: 1 }, 'colour'],
    ['{"image":"base","__proto__":{}}', '__proto__'],
    ['{"image":"base","constructor":{}}', 'constructor'],
    [{ image: 'base', limits: { cpu: 0.1, x: 1 } }, 'limits.x'],
    [{ image: 'base', limits: { cpu: '1' } }, 'limits.cpu'],
    [{ image: 'base', limits: { cpu: 0.125 } }, 'limits.cpu'],
    [{ image: 'base', limits: { cpu: 2.01 } }, 'limits.cpu'],
    [{ image: 'base', limits: { memoryMiB: 31 } }, 'limits.memoryMiB'],
    [{ image: 'base', limits: { pids: 16.5 } }, 'limits.pids'],
    [{ image: 'base', ttlSeconds: 59 }, 'ttlSeconds'],
    [{ image: 'base', ttlSeconds: null }, 'ttlSeconds'],
    [{ image: 'base', idleTimeoutSeconds: 86_401 }, 'idleTimeoutSeconds'],
    [{ image: 'base', name: 'Upper' }, 'name'],
    [{ image: 'base', name: ' a' }, 'name'],
    [{ image: 'base', name: 'a\n' }, 'name'],
    [{ image: 'base', user: '1024' }, 'user'],
    [{ image: 'base', user: '01' }, 'user'],
    [{ image: 'base', command: [] }, 'command'],
    [{ image: 'base', command: [''] }, 'command[0]'],
    [{ image: 'base', command: ['a\0'] }, 'command[0]'],
    [{ image: 'base', command: 'ls' }, 'command'],
    [{ image: 'base', workingDir: '/a/../b' }, 'workingDir'],
    [{ image: 'base', workingDir: '/a/' }, 'workingDir'],
    [{ image: 'base', network: 'host' }, 'network'],
    [{ image: 'base', env: { A: 1 } }, 'env.A'],
    [{ image: 'base', env: { ATELIER_X: '1' } }, 'env.ATELIER_X'],
    [{ image: 'base', env: { 'A-B': '1' } }, 'env.A-B'],
    [{ image: 'base', env: { A: '\0' } }, 'env.A'],
    [{ image: 'base', env: { A: 'x'.repeat(140_000) } }, 'env'],
    [{ image: 'base', labels: { 'atelier.x': '' } }, 'labels.atelier.x'],
    [{ image: 'base', labels: { a: 'x'.repeat(257) } }, 'labels.a'],
    [{ image: 7 }, 'image'],
    [{}, 'image'],
  ]
  for (const [body, field] of cases) {
    const given = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await call('POST', '/containers', { key, body: given })
    const place = `${given.slice(0, 80)} ${answer.text}`
    assert.deepEqual([answer.status, answer.body.error.type], [400, 'invalid_request'], place)
    if (field !== undefined) assert.equal(answer.body.error.details.field, field, place)
    assert.ok(answer.body.error.details.reason, place)
  }
  assert.equal(engine.containers.size, 0)
})

test('a query is read strictly: unknown, repeated, empty or coerced values are 400', async (t) => {
  const { call, key } = await openUsedRig(t, noLimit)
  const cases = [
    ['x=1', 'x'], ['limit=1&limit=1', 'limit'], ['limit=', 'limit'], ['limit', 'limit'], ['limit=0', 'limit'],
    ['limit=201', 'limit'], ['limit=+5', 'limit'], ['limit=05', 'limit'], ['limit=5.0', 'limit'], ['limit=1e1', 'limit'],
    ['limit=%205', 'limit'], ['status=', 'status'], ['status=running,', 'status'], ['status=Running', 'status'],
    ['cursor=x', 'cursor'], ['name=', 'name'], ['label=x', 'label'], ['label==x', 'label'], ['__proto__=1', '__proto__'],
  ] as const // prettier-ignore
  for (const [query, field] of cases) {
    const { status, body, text } = await call('GET', `/containers?${query}`, { key })
    assert.deepEqual([status, body.error.type], [400, 'invalid_request'], `${query} ${text}`)
    assert.equal(body.error.details.field, field, `${query} ${text}`)
  }
  assert.equal((await call('GET', `/containers?id=${makeId('ct')}&limit=5`, { key })).status, 400)
  assert.equal((await call('DELETE', '/containers', { key })).body.error.details.field, 'id')
})

test('lengths, codings and media types: 411, 413 and 415', async (t) => {
  const { call, key } = await openUsedRig(t, noLimit)
  const body = JSON.stringify({ image: 'x'.repeat(1024 * 1024) })
  const large = await call('POST', '/containers', { key, body })
  assert.deepEqual(
    [large.status, large.body.error.type, large.body.error.details.limit],
    [413, 'too_large', 1024 * 1024],
  )
  for (const headers of [
    { 'content-encoding': 'gzip' },
    { 'content-type': 'text/json' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ]) {
    const answer = await call('POST', '/containers', { key, body: '{"image":"none"}', headers })
    assert.equal(answer.status, 415, JSON.stringify(headers))
  }
  const fine = { 'content-type': 'application/json; charset=UTF-8', 'content-encoding': 'identity' }
  assert.equal((await call('POST', '/containers', { key, body: '{"image":"none"}', headers: fine })).status, 404)
})

const raw = (url: string, text: string): Promise<string> =>
  new Promise((ok, no) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    let said = ''
    socket.setTimeout(5_000, () => socket.destroy())
    socket
      .on('data', (part) => (said += part.toString()))
      .on('close', () => ok(said))
      .on('error', no)
  })

test('broken framing is refused before anything else, and the connection closes', async (t) => {
  const { rig } = await openUsedRig(t)
  const { url } = rig.service
  const cases = [
    ['GET /containers HTTP/1.1\r\n\r\n', 400],
    ['POST /containers HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST /containers HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 400],
    [`GET /containers HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    [`GET /${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414],
  ] as const
  for (const [text, status] of cases) {
    const said = await raw(url, text)
    assert.match(said, new RegExp(`^HTTP/1.1 ${status} `), `${text.slice(0, 60)} ${said.slice(0, 80)}`)
    assert.match(said, /\r\nconnection: close\r\n/i, said)
  }
})

test('a refusal that quotes what a member is for ends with one full stop', async (t) => {
  const { call, key } = await openUsedRig(t, noLimit)
  const body = { containerId: makeId('ct'), command: 'say' }
  const { message, details } = (await call('POST', '/containers/exec', { key, body })).body.error
  assert.match(message, /No shell is added\.$/)
  assert.match(details.reason, /No shell is added$/)
})
