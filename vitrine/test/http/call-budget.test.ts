// The budget of platform calls of a key: what costs something, who pays, and what is refused.
import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { agentOverHttp } from '../agents/scene.ts'
import { codes, pageOf, startCaching } from '../support/caching-service.ts'
import { startReplicas } from '../support/replicas.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { send } from '../support/scripted-platform.ts'
import { type Answer, startOverSandbox, startScripted } from '../support/service.ts'

const code = ({ status, json }: Answer) => `${status} ${json?.error?.code ?? 'ok'}`
const path = (id: string) => `/subscriptions/${id}/offer-codes`
const leftOf = ({ headers }: Answer) => /"platform-calls";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]

test('each platform call takes one, and beyond the budget a read is 429 until the hour is over', async (t) => {
  const { service, ask, calls, pass } = await startCaching(t, { file: { cacheSeconds: 0 } })
  const key = await service.issue({ platformCallsPerHour: 3, perMinute: 100 })
  const told = async () => (await ask('/v1/whoami', { key })).json.platformCalls
  assert.deepEqual(await told(), { perHour: 3, remaining: 3, resetSec: 3_600 })
  const left = []
  for (const id of ['a', 'b', 'c']) {
    const answer = await ask(path(id), { key })
    assert.equal(code(answer), '200 ok')
    left.push(leftOf(answer))
    assert.equal(answer.headers['ratelimit-policy'], '"key";q=100;w=60, "platform-calls";q=3;w=3600')
  }
  assert.deepEqual(left, ['2', '1', '0'])
  pass(600)
  const refused = await ask(path('d'), { key })
  assert.equal(code(refused), '429 key_budget_spent')
  assert.deepEqual([refused.json.error.type, refused.json.error.retryable], ['rate_limited', true])
  assert.deepEqual([refused.headers['retry-after'], leftOf(refused)], ['3000', '0'])
  assert.deepEqual(await told(), { perHour: 3, remaining: 0, resetSec: 3_000 })
  assert.equal(calls(), 3)
  assert.equal(code(await ask(path('d'))), '200 ok', 'a key without a budget has none')
  pass(3_000)
  assert.equal(code(await ask(path('e'), { key })), '200 ok')
  assert.equal((await told()).remaining, 2)
})

test('a cached answer costs nothing, also after the budget is spent', async (t) => {
  const { service, ask, calls } = await startCaching(t)
  const key = await service.issue({ platformCallsPerHour: 1 })
  assert.equal(leftOf(await ask(codes, { key })), '0')
  const again = await ask(codes, { key })
  assert.match(String(again.headers['cache-status']), /hit/)
  assert.deepEqual([code(again), leftOf(again)], ['200 ok', '0'])
  assert.equal(code(await ask(path('other'), { key })), '429 key_budget_spent')
  assert.equal(calls(), 1)
})

test('lookups, retries and the reads of agents count like any other call; refusals before it cost nothing', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  const key = await service.issue({ platformCallsPerHour: 3 })
  const screenshots = '/events/3f0c1b52-8a64-4e5e-9d10-0e0000000003/localizations/en-US/event-screenshots/ids'
  for (const wrong of ['/apps?limit=0', '/nothing', '/apps?cursor=abc']) await service.ask(wrong, { key })
  assert.equal(leftOf(await service.ask(screenshots, { key })), '1', 'a lookup, and the read')
  const { call } = await agentOverHttp(t, { url: service.url, key })
  const read = { operation: 'listApps', connection: 'acme', params: { limit: 1 } }
  assert.equal((await call('read', read)).isError, false)
  const refused = await call('read', { ...read, params: { limit: 2 } })
  assert.equal(refused.said.error.code, 'key_budget_spent')
  assert.ok(refused.said.error.retryAfterSec > 3_000)
  assert.equal(sandbox.asked.length, 3)
  const state = (await service.ask('/status', { key })).json.platformCalls
  assert.deepEqual([state.perHour, state.remaining], [3, 0])
})

test('a call that is sent again after a failure is paid again', async (t) => {
  let failures = 1
  const { platform, service, close } = await startScripted((call, res) =>
    failures-- > 0 ? send(res, '{"errors":[]}', {}, 503) : pageOf('Spring')(call, res),
  )
  t.after(close)
  const key = await service.issue({ platformCallsPerHour: 2 })
  const answer = await service.ask(codes, { key })
  assert.deepEqual([code(answer), leftOf(answer), platform.calls.length], ['200 ok', '0', 2])
})

test('a shared call is paid by the key whose request began it', async (t) => {
  const waiting: (() => void)[] = []
  const { platform, service, close } = await startScripted(
    (call, res) => void waiting.push(() => void pageOf('Spring')(call, res)),
    { file: { upstream: { timeoutMs: 30_000 } } },
  )
  t.after(close)
  const [first, second] = [
    await service.issue({ platformCallsPerHour: 9 }),
    await service.issue({ platformCallsPerHour: 9 }),
  ]
  const one = service.ask(codes, { key: first })
  await until(() => platform.calls.length === 1)
  const other = service.ask(codes, { key: second })
  await until(() => service.events.some(({ kind }) => kind === 'shared'))
  for (const answer of waiting.splice(0)) answer()
  assert.deepEqual([leftOf(await one), leftOf(await other)], ['8', '9'])
  assert.equal(platform.calls.length, 1)
})

for (const status of [503, 401])
  test(`a ${status} that the key which began a call cannot pay to retry is retried by the others who wait`, async (t) => {
    let refuses = true
    const waiting: (() => void)[] = []
    const { platform, service, close } = await startScripted(
      (call, res) =>
        void waiting.push(() => {
          if (refuses) send(res, '{"errors":[{"code":"TRY_AGAIN"}]}', {}, status)
          else void pageOf('Spring')(call, res)
          refuses = false
        }),
      { file: { upstream: { timeoutMs: 30_000 } } },
    )
    t.after(close)
    const poor = await service.issue({ platformCallsPerHour: 1 })
    const began = service.ask(codes, { key: poor })
    await until(() => platform.calls.length === 1)
    const other = service.ask(codes)
    await until(() => service.events.some(({ kind }) => kind === 'shared'))
    const answered = until(() => {
      for (const answer of waiting.splice(0)) answer()
      return platform.calls.length === 2 && waiting.length === 0
    })
    const answers = (await Promise.all([began, other, answered])).slice(0, 2) as Answer[]
    assert.deepEqual(answers.map(code), ['429 key_budget_spent', '200 ok'])
    const { lastFailure } = (await service.ask('/v1/connections/acme/status')).json
    assert.deepEqual([platform.calls.length, lastFailure], [2, null])
  })

test(
  'over two replicas a budget is exact, and each tells what is left of it',
  { skip: noPostgres || noRedis },
  async (t) => {
    const { platform, services, askOne, retryIfRedisWasDown } = await startReplicas(t, pageOf('Spring'))
    await retryIfRedisWasDown(async (attempt) => {
      const key = (await services[0]?.issue({ platformCallsPerHour: 7 })) ?? ''
      const before = platform.calls.length
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => askOne(n, path(`s${attempt}-${n}`), { key })),
      )
      assert.equal(platform.calls.length - before, 7)
      assert.equal(answers.filter(({ status }) => status === 200).length, 7)
      for (const replica of [0, 1]) {
        const { remaining } = (await askOne(replica, '/v1/whoami', { key })).json.platformCalls
        assert.equal(remaining, 0)
      }
    })
  },
)
