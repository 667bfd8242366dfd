// The platform answers the ids of one facade key badly. Another key on the same connection must not be affected.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { type Call, refuse, send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'
import { until } from '../../../base/test/until.ts'

type Bad = (call: Call, res: ServerResponse) => void

const refusing =
  (status: number, headers: Record<string, string> = {}): Bad =>
  (_, res) =>
    refuse(res, status, 'CODE', undefined, headers)
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toUTCString()

const troubles: Readonly<Record<string, Bad>> = {
  '401': refusing(401),
  '401 with a date in an hour': (_, res) => refuse(res, 401, 'NOT_AUTHORIZED', undefined, { date: inAnHour() }),
  '403': refusing(403),
  '500': refusing(500),
  '503': refusing(503),
  '504': refusing(504),
  'a reset': ({ socket }) => socket.resetAndDestroy(),
  'no answer': () => {},
}

const offersOf = (id: string): string => page.path.replace('s1', id)
const badPaths = [
  ...[1, 2, 3, 4, 5, 6].map((n) => offersOf(`bad${n}`)),
  '/apps/bad7/versions/ids',
  '/background-assets/bad8',
  '/events/bad9',
]

async function scene(t: TestContext, bad: Bad) {
  const { platform, service, close } = await startScripted(
    (call, res) => {
      if (call.path.includes('bad')) return bad(call, res)
      if (call.path === '/v1/apps') return send(res, { data: [], links: {} })
      return send(res, page.healthy)
    },
    { file: { upstream: { timeoutMs: 1_500 } } },
  )
  t.after(close)
  const [narrow, other, good] = await Promise.all([service.issue(), service.issue(), service.issue()])
  /** 20 reads of the good key, with an action before each of them */
  async function twenty(before: (n: number) => unknown): Promise<string[]> {
    const ends: string[] = []
    for (let n = 0; n < 20; n++) {
      await before(n)
      const { status, json } = await service.ask(offersOf(`good${n}`), { key: good })
      ends.push(status === 200 ? 'good' : `${status} ${json.error.code}`)
    }
    return ends
  }
  const askBad = (n: number, key = narrow) => service.ask(badPaths[n % badPaths.length] ?? '', { key })
  const kinds = () => service.events.map((event) => event.kind)
  return { platform, service, narrow, other, good, twenty, askBad, kinds }
}

const allGood = Array.from({ length: 20 }, () => 'good')

for (const [words, bad] of Object.entries(troubles)) {
  const isSlow = words === 'no answer'
  test(`ids that cause ${words} one after the other do not affect another key`, async (t) => {
    const { twenty, askBad } = await scene(t, bad)
    // a read that hangs is not awaited
    assert.deepEqual(await twenty((n) => (isSlow ? void askBad(n) : askBad(n))), allGood)
  })

  test(`ids that cause ${words}, many at once and from two keys, do not affect another key`, async (t) => {
    const { twenty, askBad, other } = await scene(t, bad)
    const asking: Promise<unknown>[] = []
    const more = async (n: number) => {
      if (isSlow && n % 4 > 0) return
      asking.push(askBad(n), askBad(n + 1), askBad(n + 2, other), askBad(n + 3, other))
      await sleep(5)
    }
    assert.deepEqual(await twenty(more), allGood)
    await Promise.all(asking)
  })
}

test('hanging calls of one key leave a turn to another key', async (t) => {
  const { askBad, twenty, platform } = await scene(t, () => {})
  await twenty(() => undefined)
  const hanging = Array.from({ length: 12 }, (_, n) => askBad(n))
  await until(() => platform.calls.some(({ path }) => path.includes('bad')))
  assert.deepEqual(await twenty(() => undefined), allGood)
  await Promise.all(hanging)
})

test('ids that cause 401 before any other answer do not affect other keys', async (t) => {
  const { askBad, twenty, kinds } = await scene(t, refusing(401))
  for (let n = 0; n < 6; n++) assert.equal((await askBad(n * 2)).json.error.code, 'upstream_key_rejected')
  assert.deepEqual(await twenty(() => undefined), allGood)
  // the neutral read was made
  assert.ok(kinds().filter((kind) => kind === 'key_rejected').length <= 1)
})

test('ids that cause 401 use about one call of the quota for each request', async (t) => {
  const { platform, askBad, twenty } = await scene(t, refusing(401))
  await twenty((n) => askBad(n % 6))
  const bad = platform.calls.filter(({ path }) => path.includes('bad')).length
  const neutral = platform.calls.filter(({ path }) => path === '/v1/apps').length
  assert.ok(bad <= 4, `${bad} calls for one kind of read, which rests for two seconds`)
  assert.ok(neutral <= 1, `${neutral} neutral reads`)
})

test('ids that cause 401 do not replace the token of other keys', async (t) => {
  const { platform, askBad, twenty } = await scene(t, refusing(401))
  await twenty((n) => askBad(n))
  const tokens = platform.calls.filter(({ path }) => path.includes('good')).map(({ headers }) => headers.authorization)
  assert.equal(new Set(tokens.slice(1)).size, 1)
})

test('if the platform rejects a signing key for a neutral read too, its calls pause for all facade keys', async (t) => {
  const { platform, service, good, askBad, kinds } = await scene(t, refusing(401))
  platform.script = (_, res) => refuse(res, 401, 'NOT_AUTHORIZED')
  await askBad(0)
  await service.ask('/apps/a1/versions/ids', { key: good })
  await until(() => platform.calls.some(({ path }) => path === '/v1/apps'))
  await sleep(50)
  platform.calls.length = 0
  for (const path of ['/background-assets/b1', '/events/e1', offersOf('s3')]) {
    const { status, json } = await service.ask(path, { key: good })
    assert.deepEqual([status, json.error.code], [502, 'upstream_key_rejected'])
  }
  assert.equal(platform.calls.length, 0)
  assert.ok(kinds().includes('key_rejected'))
})

test('if a neutral read fails too, a platform that fails for several keys is called by none of them', async (t) => {
  const { platform, service, good, narrow, kinds } = await scene(t, refusing(503))
  platform.script = (_, res) => refuse(res, 503, 'DOWN')
  for (const key of [narrow, good]) await service.ask(page.path, { key })
  await until(() => kinds().includes('breaker'))
  await sleep(50)
  platform.calls.length = 0
  const key = await service.issue()
  for (const path of [page.path, '/background-assets/b1']) {
    const { status, json, headers } = await service.ask(path, { key })
    assert.deepEqual([status, json.error.code, headers['retry-after']], [503, 'upstream_unavailable', '1'])
  }
  assert.equal(platform.calls.length, 0)
  platform.script = (_, res) => send(res, page.healthy)
  for (const until = performance.now() + 6_000; (await service.ask(page.path, { key })).status !== 200; await sleep(50))
    assert.ok(performance.now() < until, 'still refused')
})

test('the retries that one key has used up do not count for another', async (t) => {
  const { service, narrow, good, platform } = await scene(t, refusing(500))
  for (let n = 0; n < 6; n++) await service.ask(offersOf(`bad${n}`), { key: narrow })
  let failures = 1
  const healthy = platform.script
  platform.script = (call, res) => (failures-- > 0 ? refuse(res, 500, 'UNEXPECTED_ERROR') : healthy(call, res))
  assert.equal((await service.ask(page.path, { key: good })).status, 200)
})
