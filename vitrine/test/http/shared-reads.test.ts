import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { startScripted, tester } from '../support/service.ts'

/** a platform that answers when released */
async function held(t: test.TestContext) {
  const waiting: (() => void)[] = []
  const script: Script = ({ headers }, res) =>
    void waiting.push(() => send(res, page.healthy, { who: headers.host ?? '' }))
  const { platform, service, close } = await startScripted(script, { file: { upstream: { timeoutMs: 8_000 } } })
  t.after(close)
  const calls = async (count: number) => {
    for (const endsAt = performance.now() + 5_000; platform.calls.length < count; await sleep(5))
      assert.ok(performance.now() < endsAt, `${platform.calls.length} calls`)
    await sleep(30)
    assert.equal(platform.calls.length, count)
  }
  const release = () => {
    for (const answer of waiting.splice(0)) answer()
  }
  /** asks, and disconnects when aborted */
  const visit = (key: string) => {
    const path = `/v1/connections/acme${page.path}`
    const req = request({ port: service.port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${key}` } })
    req.on('error', () => {})
    req.end()
    return () => req.destroy()
  }
  return { platform, service, calls, release, visit, asked: () => waiting.length }
}

test(
  'a hundred equal requests at once cost one platform call, whichever keys they use',
  { timeout: 20_000 },
  async (t) => {
    const { service, calls, release } = await held(t)
    const keys = await Promise.all(Array.from({ length: 5 }, () => service.issue()))
    const asked = Array.from({ length: 100 }, (_, i) => service.ask(page.path, { key: keys[i % 5] }))
    while (service.events.filter(({ kind }) => kind === 'shared').length < 99) await sleep(5)
    await calls(1)
    release()
    for (const { status, json } of await Promise.all(asked)) {
      assert.equal(status, 200)
      assert.deepEqual(json, page.answer)
    }
    await calls(1)
    const answered = service.events.filter((event) => event.kind === 'answered')
    assert.equal(
      answered.reduce((sum, { platformCalls }) => sum + platformCalls, 0),
      1,
    )
    assert.equal(
      answered.reduce((sum, { shared = 0 }) => sum + shared, 0),
      99,
    )
  },
)

test('two connections never share a platform call, and neither do different queries or no-cache requests', async (t) => {
  const { service, calls, release } = await held(t)
  const asked = [
    service.ask(page.path),
    service.ask(`/v1/connections/other${page.path}`),
    service.ask(`${page.path}?limit=7`),
    service.ask(page.path, { headers: { 'cache-control': 'no-cache' } }),
  ]
  await calls(4)
  release()
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
})

test('a caller who may not read, or whose key was revoked, is rejected although an equal call is in progress', async (t) => {
  const { service, calls, release } = await held(t)
  const first = service.ask(page.path)
  await calls(1)
  const narrow = await service.issue({ groups: ['apps'] })
  const elsewhere = await service.issue({ connections: ['other'] })
  const revoked = await service.issue()
  const [, , id = ''] = revoked.split('_')
  await service.running.keys.revoke(id, tester)
  assert.deepEqual(
    await Promise.all(
      [narrow, elsewhere, revoked, undefined].map(async (key) => (await service.ask(page.path, { key })).status),
    ),
    [403, 404, 401, 401],
  )
  await calls(1)
  release()
  assert.equal((await first).status, 200)
})

test('F180: a caller who disconnects does not affect others who wait for the same call', async (t) => {
  const { service, calls, release, visit } = await held(t)
  const leave = visit(service.key)
  await calls(1)
  const stays = service.ask(page.path)
  await sleep(50)
  leave()
  await sleep(100)
  release()
  assert.deepEqual((await stays).json, page.answer)
  await calls(1)
})

test('when the last waiting caller disconnects, the platform call is aborted', async (t) => {
  const { platform, service, calls, visit } = await held(t)
  const leaves = [visit(service.key), visit(service.key)]
  await calls(1)
  const gone = new Promise<void>((ok) => platform.calls[0]?.socket.once('close', () => ok()))
  for (const leave of leaves) leave()
  await gone
})

test('a failure is reported to all who waited for it, and the next request makes a new call', async (t) => {
  const { platform, service, calls } = await held(t)
  platform.script = (_, res) => void setTimeout(() => send(res, '{"errors":[]}', {}, 403), 100)
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.ask(page.path)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([403]))
  assert.equal(new Set(answers.map(({ json }) => json.error.requestId)).size, 20, 'each with an id of its own')
  await calls(1)
  platform.script = (_, res) => send(res, page.healthy)
  assert.equal((await service.ask(page.path)).status, 200)
})
