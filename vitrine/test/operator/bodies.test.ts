import assert from 'node:assert/strict'
import test from 'node:test'
import { account, pem, startManager } from './manager.ts'

const anId = '0123456789ab'

test('a body is one JSON object of the right type, size and alphabet', async (t) => {
  const { ask } = await startManager(t)
  const good = JSON.stringify({ name: 'x', connections: ['*'] })
  const malformed: [what: string, body: string, headers?: Record<string, string>][] = [
    ['nothing', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['half an object', '{"name":'],
    ['two objects', `${good}${good}`],
    ['a byte order mark', `\uFEFF{"name":"x",}`],
    ['__proto__', '{"__proto__":{"name":"x"},"connections":["*"]}'],
    ['__proto__ within', '{"name":"x","connections":[{"__proto__":1}]}'],
    ['deep nesting', '['.repeat(60_000)],
    ['a form', good, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text', good, { 'content-type': 'text/plain' }],
    ['another JSON', good, { 'content-type': 'application/merge-patch+json' }],
    ['another alphabet', good, { 'content-type': 'application/json; charset=latin1' }],
    ['a coding', good, { 'content-encoding': 'gzip' }],
    ['no type', good, { 'content-type': '' }],
  ]
  for (const [what, body, headers] of malformed) {
    const { status, json, text } = await ask('POST', '/keys', { body, ...(headers && { headers }) })
    assert.deepEqual([status, json?.error?.code], [400, 'malformed_body'], `${what}: ${text}`)
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])
    assert.equal((await ask('POST', '/keys', { body: good, headers: { 'content-type': type } })).status, 201, type)
  const padded = (length: number) => good + ' '.repeat(length - good.length)
  assert.equal((await ask('POST', '/keys', { body: padded(65_536) })).status, 201)
  for (const length of [65_537, 500_000]) {
    const { status, headers, json } = await ask('POST', '/keys', { body: padded(length) })
    assert.deepEqual([status, json.error.code, headers['connection']], [413, 'payload_too_large', 'close'])
  }
})

test('members that are missing, unknown or wrong are named, and their values are not repeated', async (t) => {
  const { ask } = await startManager(t)
  const key = { name: 'x', connections: ['*'] }
  const connection = { id: 'studio', ...account }
  const rows: [path: string, body: object, param: string, message: RegExp][] = [
    ['/keys', { connections: ['*'] }, 'name', /^name: missing\. What the key is for/],
    ['/keys', { ...key, nmae: 'x' }, 'nmae', /there is no member "nmae"\. Did you mean "name"\?/],
    ['/keys', { ...key, constructor: 1 }, 'constructor', /no member "constructor"/],
    ['/keys', { ...key, name: ' ' }, 'name', /not usable/],
    ['/keys', { ...key, name: 'two\nlines' }, 'name', /one line/],
    ['/keys', { ...key, name: 'n'.repeat(101) }, 'name', /1 to 100/],
    ['/keys', { ...key, name: '\ud800' }, 'name', /not usable/],
    ['/keys', { ...key, connections: '*' }, 'connections', /1 to 1,000/],
    ['/keys', { ...key, connections: [] }, 'connections', /not usable/],
    ['/keys', { ...key, connections: ['acme', 'acme'] }, 'connections', /different/],
    [
      '/keys',
      { ...key, connections: ['acmee'] },
      'connections',
      /no "acmee"\. Did you mean "acme"\? Known: \*, acme, other, solo\./,
    ],
    ['/keys', { ...key, groups: ['app'] }, 'groups', /no "app"\. Did you mean "apps"\?/],
    ['/keys', { ...key, groups: null }, 'groups', /not usable/],
    ['/keys', { ...key, expires: 'soon' }, 'expires', /90d, 12h or 30m/],
    ['/keys', { ...key, expires: '2020-01-01' }, 'expires', /past/],
    ['/keys', { ...key, expires: '2027-02-31' }, 'expires', /must be/],
    ['/keys', { ...key, expires: '0m' }, 'expires', /past/],
    ['/keys', { ...key, perMinute: '5' }, 'perMinute', /0 to 1,000,000/],
    ['/keys', { ...key, perMinute: 1.5 }, 'perMinute', /not usable/],
    ['/keys', { ...key, perMinute: -1 }, 'perMinute', /not usable/],
    ['/keys', { ...key, platformCallsPerHour: 0 }, 'platformCallsPerHour', /1 to 1,000,000/],
    ['/keys', { ...key, apps: [] }, 'apps', /1 to 100/],
    ['/keys', { ...key, apps: ['a/b'] }, 'apps', /not usable/],
    ['/keys', { ...key, note: '' }, 'note', /1 to 500/],
    ['/connections', { keyId: 'K', privateKey: pem }, 'id', /missing/],
    ['/connections', { ...connection, id: '-x' }, 'id', /64 letters/],
    ['/connections', { ...connection, id: 7 }, 'id', /not usable/],
    ['/connections', { ...connection, keyId: 'a b' }, 'keyId', /not usable/],
    ['/connections', { ...connection, keyId: pem }, 'keyId', /not usable/],
    ['/connections', { ...connection, issuerId: null }, 'issuerId', /not usable/],
    ['/connections', { ...connection, linkage: 'askd' }, 'linkage', /Did you mean "asked"/],
    ['/connections', { ...connection, tokenScope: true }, 'tokenScope', /not usable/],
    ['/connections', { ...connection, check: 'no' }, 'check', /true or false/],
    ['/connections', { ...connection, privateKey: { pem } }, 'privateKey', /not usable/],
    ['/connections', { ...connection, privateKey: pem.repeat(100) }, 'privateKey', /8,192/],
    ['/connections/acme/credentials', connection, 'id', /no member "id"/],
    [`/keys/${anId}/reroll`, { overlap: 'a day' }, 'overlap', /24h, 30m or 7d/],
    [`/keys/${anId}/reroll`, { overlap: 0 }, 'overlap', /not usable/],
    [`/keys/${anId}/reroll`, { expires: 'soon' }, 'expires', /90d, 12h or 30m/],
    [`/keys/${anId}/reroll`, { expires: null }, 'expires', /not usable/],
  ]
  for (const [path, body, param, message] of rows) {
    const { status, json } = await ask('POST', path, { body })
    const at = `${path} ${param}`
    assert.deepEqual([status, json.error.code, json.error.param], [400, 'member_invalid', param], at)
    assert.match(json.error.message, message, at)
    assert.ok(json.error.message.startsWith(`${param}: `), at)
  }
})

test('a message lists at most 20 known names', async (t) => {
  const { ask } = await startManager(t)
  for (let i = 10; i < 40; i++)
    await ask('POST', '/connections', { body: { id: `studio-${i}`, ...account, check: false } })
  const { json } = await ask('POST', '/keys', { body: { name: 'x', connections: ['studio-99'] } })
  assert.equal(json.error.details.allowed.length, 20)
  assert.match(json.error.message, /… \(34 in all\)\.$/)
  assert.match(json.error.details.nearest, /^studio-\d9$/)
})
