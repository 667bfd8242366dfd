import assert from 'node:assert/strict'
import test from 'node:test'
import { codes, pageOf, startCaching } from '../support/caching-service.ts'
import { refuse, send } from '../support/scripted-platform.ts'

test('no-cache and max-age=0 read anew and refresh the cache for other callers', async (t) => {
  const { platform, ask, calls, seen } = await startCaching(t)
  await ask(codes)
  for (const [i, control] of ['no-cache', 'max-age=0'].entries()) {
    platform.script = pageOf(`Season ${i}`)
    const fresh = await ask(codes, { headers: { 'cache-control': control } })
    assert.equal(fresh.json.items[0].name, `Season ${i}`)
    assert.equal(fresh.headers['cache-status'], 'vitrine; fwd=request; stored')
    assert.equal(fresh.headers['age'], '0')
    assert.equal((await seen())?.cache, 'miss')
    assert.equal((await ask(codes)).text, fresh.text)
    assert.equal(calls(), 2 + i)
  }
})

test('no-store reads anew, caches nothing and leaves the cached answer in place', async (t) => {
  const { platform, ask, calls } = await startCaching(t)
  const noStore = { headers: { 'cache-control': 'no-store' } }
  const first = await ask(codes, noStore)
  assert.equal(first.headers['cache-status'], 'vitrine; fwd=request')
  await ask(codes)
  assert.equal(calls(), 2)
  platform.script = pageOf('Summer')
  assert.equal((await ask(codes, noStore)).json.items[0].name, 'Summer')
  assert.equal((await ask(codes)).json.items[0].name, 'Spring')
  assert.equal(calls(), 3)
})

test('max-age rejects older answers, and only-if-cached is ignored', async (t) => {
  const { ask, calls, pass } = await startCaching(t)
  const within = (control: string) => ask(codes, { headers: { 'cache-control': control } })
  await within('max-age=5')
  pass(5)
  assert.equal((await within('max-age=5')).headers['cache-status'], 'vitrine; hit; ttl=55')
  pass(0.5)
  assert.equal((await within('max-age=5')).headers['cache-status'], 'vitrine; fwd=request; stored')
  assert.equal(calls(), 2)
  assert.equal((await ask(codes)).headers['age'], '0')
  assert.equal((await ask(`${codes}?limit=7`, { headers: { 'cache-control': 'only-if-cached' } })).status, 200)
})

test('a fresh read that finds the resource gone evicts the cached answer, and one that fails does not', async (t) => {
  const { platform, ask } = await startCaching(t)
  const fresh = { headers: { 'cache-control': 'no-cache' } }
  await ask(codes)
  platform.script = (_, res) => refuse(res, 422, 'CODE')
  assert.equal((await ask(codes, fresh)).status, 502)
  assert.equal((await ask(codes)).status, 200)
  platform.script = (_, res) => refuse(res, 404, 'NOT_FOUND')
  assert.equal((await ask(codes, fresh)).status, 404)
  assert.equal((await ask(codes)).status, 404)
})

test('a slow read never replaces the answer of a read that began after it', async (t) => {
  const { platform, ask, pass } = await startCaching(t)
  let answerSlow = () => {}
  const isAsked = new Promise<void>((asked) => {
    platform.script = (_, res) => {
      answerSlow = () => send(res, { data: [], links: {} })
      asked()
    }
  })
  const slow = ask(codes)
  await isAsked
  pass(1)
  platform.script = pageOf('Summer')
  await ask(codes, { headers: { 'cache-control': 'no-cache' } })
  pass(1)
  answerSlow()
  assert.deepEqual((await slow).json.items, [])
  assert.equal((await slow).headers['cache-status'], 'vitrine; fwd=uri-miss')
  assert.equal((await ask(codes)).json.items[0].name, 'Summer')
})
