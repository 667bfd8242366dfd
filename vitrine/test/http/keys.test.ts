import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { openCore } from '../../src/core/core.ts'
import { readSettings } from '../../src/settings.ts'
import { startOverSandbox, tester } from '../support/service.ts'

test('in a running service a new key works at once, and a revoked one is rejected at once', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  const key = await service.issue({ name: 'short-lived' })
  assert.equal((await service.ask('/apps', { key })).status, 200)
  const [made] = (await service.running.keys.list()).filter(({ name }) => name === 'short-lived')
  assert.equal(await service.running.keys.revoke(made!.id, tester), true)
  const asked = sandbox.asked.length
  const { status, json } = await service.ask('/apps', { key })
  assert.deepEqual([status, json.error.code], [401, 'key_invalid'])
  assert.equal(sandbox.asked.length, asked)
  assert.equal(await service.running.keys.revoke(made!.id, tester), false)
})

test('an expired key is rejected from the moment it expires', async (t) => {
  let now = Date.UTC(2026, 10, 21)
  const { service, close } = await startOverSandbox({ now: () => now })
  t.after(close)
  const key = await service.issue({ expiresAt: now + 1_000 })
  // the sandbox keeps its own clock, so what the platform says does not matter here
  assert.notEqual((await service.ask('/apps', { key })).status, 401)
  now += 1_000
  assert.equal((await service.ask('/apps', { key })).status, 401)
})

test('a key reads its connections and groups, and nothing else', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const key = await service.issue({ connections: ['acme'], groups: ['apps'] })
  const ask = async (path: string) => (await service.ask(path, { key })).json.error?.code ?? 'fine'
  assert.equal(await ask('/v1/connections/acme/apps'), 'fine')
  assert.equal(await ask('/v1/connections/other/apps'), 'connection_not_found')
  assert.equal(await ask('/v1/connections/acme/events/1'), 'group_not_granted')
  assert.equal(await ask('/v1/connections/other/events/1'), 'connection_not_found')
})

test('unknown, mistyped, truncated and revoked keys get byte-identical answers', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const revoked = await service.issue({ name: 'gone' })
  await service.running.keys.revoke((await service.running.keys.list()).find(({ name }) => name === 'gone')!.id, tester)
  const good = service.key
  const swapped = good.replace(/_(.)(.)/, (_, a: string, b: string) => `_${b}${a}`)
  const bodies = new Set<string>()
  for (const key of [
    revoked,
    `${good}x`,
    good.slice(0, -1),
    swapped,
    good.replace('test', 'live'),
    'nonsense',
    good.toUpperCase(),
  ]) {
    const { status, text, json, headers } = await service.ask('/apps', { key })
    assert.equal(status, 401)
    assert.match(String(headers['www-authenticate']), /^Bearer realm="vitrine", error="invalid_token"$/)
    bodies.add(text.replaceAll(json.error.requestId, '*'))
  }
  assert.equal(bodies.size, 1)
})

test('the scheme is Bearer in any case, followed by the key alone', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const status = async (authorization: string) =>
    (await service.ask('/apps', { key: undefined, headers: { authorization } })).status
  assert.equal(await status(`bearer ${service.key}`), 200)
  for (const odd of [
    service.key,
    `Token ${service.key}`,
    `Bearer ${service.key},${service.key}`,
    `Bearer ${service.key} x`,
    'Bearer',
    `Basic ${btoa(`x:${service.key}`)}`,
  ])
    assert.equal(await status(odd), 401, odd)
})

test('a request over the rate limit is rejected with the time to wait and without a platform call', async (t) => {
  const { service, sandbox, close } = await startOverSandbox({ file: { rateLimit: { perMinute: 3 } } })
  t.after(close)
  const answers = []
  for (let i = 0; i < 5; i++) answers.push(await service.ask('/apps?limit=1'))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 429, 429],
  )
  assert.deepEqual(
    answers.map(({ headers }) => /r=(\d+)/.exec(String(headers['ratelimit']))?.[1]),
    ['2', '1', '0', '0', '0'],
  )
  assert.equal(answers[4]?.headers['ratelimit-policy'], '"key";q=3;w=60')
  assert.match(String(answers[4]?.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
  assert.equal(sandbox.asked.length, 3)
  const own = await service.issue({ perMinute: 0 })
  for (let i = 0; i < 5; i++) assert.equal((await service.ask('/apps?limit=1', { key: own })).status, 200)
})

test('the store contains no key, and keys made by another process on it work in the running service', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const secret = service.key.split('_')[3] ?? ''
  for (const file of readdirSync(service.folder))
    assert.ok(!readFileSync(join(service.folder, file), 'latin1').includes(secret), file)
  assert.equal(statSync(join(service.folder, 'v.db')).mode & 0o77, 0)
  const settings = readSettings({ store: 'sqlite:v.db', upstream: { baseUrl: 'http://127.0.0.1:1' } }, {})
  const surroundings = { folder: service.folder, secrets: {}, observe: () => {}, now: Date.now }
  const ring = await openCore(settings, surroundings)
  const { key } = await ring.keys.issue({ name: 'second', connections: ['*'] }, tester)
  await ring.close()
  assert.equal((await service.ask('/apps', { key })).status, 200)
})

test('text that a caller writes into a path does not reach the log', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  for (const text of [service.key, '%1b%5b31m', 'x'.repeat(3_000)])
    await service.ask(`/v1/connections/${text}/apps?name=${text}`)
  await service.ask(`/apps/${service.key}/versions/ids`)
  const told = JSON.stringify(service.events)
  for (const text of [service.key, '31m', 'xxx']) assert.ok(!told.includes(text), text.slice(0, 9))
})
