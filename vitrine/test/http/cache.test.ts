import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { codes, pageOf, startCaching } from '../support/caching-service.ts'
import { refuse } from '../support/scripted-platform.ts'
import { startService } from '../support/service.ts'

test('without cacheSeconds nothing is cached, and no cache header is sent', async (t) => {
  const { ask, calls, seen } = await startCaching(t, { file: { cacheSeconds: 0 } })
  for (const headers of [{}, { 'if-none-match': '*' }]) {
    const answer = await ask(codes, { headers })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
    for (const name of ['etag', 'age', 'cache-status', 'vary']) assert.equal(answer.headers[name], undefined, name)
    assert.ok(!('cache' in ((await seen()) ?? {})))
  }
  assert.equal(calls(), 2)
})

test('a cached answer costs no platform call, and states its age and its remaining time', async (t) => {
  const { platform, ask, calls, pass, seen } = await startCaching(t)
  const first = await ask(codes)
  const told = ({ headers: { age, vary, etag, ...rest } }: typeof first) => ({
    age,
    vary,
    etag,
    control: rest['cache-control'],
    status: rest['cache-status'],
  })
  const { etag } = first.headers
  assert.match(String(etag), /^"[\w-]{22,}"$/)
  const always = { vary: 'Authorization', etag, control: 'private, max-age=60' }
  assert.deepEqual(told(first), { ...always, age: '0', status: 'vitrine; fwd=uri-miss; stored' })
  assert.equal((await seen())?.cache, 'miss')

  platform.script = pageOf('Summer')
  pass(48.9)
  const second = await ask(codes)
  assert.deepEqual(told(second), { ...always, age: '48', status: 'vitrine; hit; ttl=12' })
  assert.equal(second.text, first.text)
  assert.equal(second.headers['content-type'], 'application/json; charset=utf-8')
  const { cache, platformCalls } = (await seen()) ?? {}
  assert.deepEqual([cache, platformCalls, calls()], ['hit', 0, 1])
  assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])

  pass(11)
  assert.equal((await ask(codes)).text, first.text)
  pass(0.1)
  const third = await ask(codes)
  assert.equal(third.json.items[0].name, 'Summer')
  assert.equal(third.headers['cache-status'], 'vitrine; fwd=uri-miss; stored')
  assert.notEqual(third.headers['etag'], etag)
  assert.equal(calls(), 2)
})

test('requests that differ only in the order of parameters share a cached answer, and any other difference does not', async (t) => {
  const { ask, calls } = await startCaching(t)
  await ask(`${codes}?limit=5&fields=name`)
  await ask(`${codes}?fields=name&limit=5`)
  assert.equal(calls(), 1)
  const others = ['?limit=5', '?limit=6&fields=name', '?limit=5&fields=active', '?fields=name', '']
  for (const query of others) assert.equal((await ask(codes + query)).status, 200)
  assert.equal(calls(), 1 + others.length)
  for (const id of ['s2', 's1%2F', 'S1']) await ask(`/subscriptions/${id}/offer-codes?limit=5&fields=name`)
  assert.equal(calls(), 1 + others.length + 3)
  assert.equal((await ask(`${codes}?limit=5&fields=name&limit=5`)).json.error.code, 'repeated_parameter')
  assert.equal((await ask(`${codes}?limit=5&fields=name&x=1`)).json.error.code, 'unknown_parameter')
})

test('HEAD has the headers of GET, and both share one cached answer', async (t) => {
  const { ask, calls, pass } = await startCaching(t)
  const names = ['etag', 'age', 'vary', 'cache-control', 'cache-status', 'content-type', 'content-length']
  const told = ({ headers }: Awaited<ReturnType<typeof ask>>) => names.map((name) => headers[name])
  const head = await ask(codes, { method: 'HEAD' })
  assert.deepEqual([head.status, head.text, head.headers['age']], [200, '', '0'])
  pass(7)
  const get = await ask(codes)
  assert.deepEqual(told(await ask(codes, { method: 'HEAD' })), told(get))
  assert.equal(get.headers['age'], '7')
  assert.equal(get.headers['content-length'], String(Buffer.byteLength(get.text)))
  assert.equal(calls(), 1)
})

test('an error is never cached', async (t) => {
  const { platform, ask, calls } = await startCaching(t)
  for (const status of [403, 404, 409, 422, 500]) {
    platform.script = (_, res) => refuse(res, status, 'CODE')
    const before = calls()
    for (let i = 1; i <= 2; i++) {
      const { headers, status: answered } = await ask(codes)
      assert.ok(answered >= 400)
      assert.equal(headers['cache-control'], 'no-store')
      assert.ok(calls() >= before + i, `${status} is asked for again`)
    }
  }
  platform.script = pageOf('Spring')
  assert.equal((await ask(codes)).status, 200)
})

test('the cache time of a connection, for all groups or one, overrides that of the settings', async (t) => {
  const told = async (cacheSeconds: unknown, own?: unknown) => {
    const { ask } = await startCaching(t, {
      file: { cacheSeconds },
      ...(own !== undefined && { connection: { cacheSeconds: own } }),
    })
    return (await ask(codes)).headers['cache-control']
  }
  assert.equal(await told(60), 'private, max-age=60')
  assert.equal(await told({ commerce: 30 }), 'private, max-age=30')
  assert.equal(await told({ marketing: 30 }), 'no-store')
  assert.equal(await told(60, 10), 'private, max-age=10')
  assert.equal(await told(60, 0), 'no-store')
  assert.equal(await told(0, { commerce: 10 }), 'private, max-age=10')
  assert.equal(await told(60, { marketing: 10 }), 'private, max-age=60')
  assert.equal(await told({ commerce: 30 }, { commerce: 0 }), 'no-store')
})

test('an unknown cache group stops the start, with an error that names its place and the known groups', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const list = 'apps, builds, commerce, feedback, legacy, marketing, performance, reviews'
  for (const [options, where] of [
    [{ file: { cacheSeconds: { aps: 5 } } }, 'cacheSeconds'],
    [{ connection: { cacheSeconds: { aps: 5 } } }, 'connections: acme: cacheSeconds'],
  ] as const)
    await assert.rejects(startService('http://127.0.0.1:9', { ...options, folder }), ({ message }: Error) => {
      assert.ok(message.includes(`${where}: there is no group "aps"; groups: `), message)
      for (const group of list.split(', ')) assert.ok(message.includes(group), group)
      return true
    })
})

test('on a cold cache a hundred equal requests cost one platform call and get the same bytes', async (t) => {
  const { platform, ask, calls } = await startCaching(t)
  platform.script = async (call, res) => {
    await new Promise((ok) => setTimeout(ok, 300))
    await pageOf('Spring', 'next-1')(call, res)
  }
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(codes)))
  assert.equal(calls(), 1)
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(typeof answers[0]?.json.nextCursor, 'string')
})

test('an answer above 2 MiB is sent but not cached', async (t) => {
  const { platform, ask, calls } = await startCaching(t)
  const words = (bytes: number) => pageOf('x'.repeat(bytes))
  for (const [bytes, kept] of [
    [2.1 * 1024 * 1024, false],
    [1.9 * 1024 * 1024, true],
  ] as const) {
    platform.script = words(bytes)
    const path = `${codes}?limit=${kept ? 1 : 2}`
    const before = calls()
    assert.equal((await ask(path)).headers['cache-status'], `vitrine; fwd=uri-miss${kept ? '; stored' : ''}`)
    assert.equal((await ask(path)).text.length > bytes, true)
    assert.equal(calls() - before, kept ? 1 : 2)
  }
})
