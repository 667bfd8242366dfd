// Two services over one PostgreSQL and one Redis behind a balancer, and callers that request without a pause. A caller that
// gets no answer, or a wrong one, is recorded.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import {
  ask,
  type Installation,
  makeInstallation,
  makePair,
  operatorToken,
  untilManaged,
} from '../stored-connections/program.ts'
import { type Balancer, startBalancer } from '../../../base/test/balancer.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { page } from '../support/example-routes.ts'
import { freshDatabase } from '../../../base/test/postgres.ts'
import { redisUrl } from '../../../base/test/redis.ts'
import { type Script, send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { until } from '../../../base/test/until.ts'

/** most calls are quick, one in twenty is slow */
const uneven = (): Script => {
  let calls = 0
  return (_, res) => void setTimeout(() => send(res, page.healthy), ++calls % 20 === 0 ? 900 : 5 + (calls % 60))
}

type Front = Pick<Balancer, 'url' | 'states' | 'downs' | 'turnedAway' | 'close'>

export interface Pair {
  readonly replicas: readonly Installation[]
  readonly balancer: Front
  readonly key: string
}

const portOf = (url: string): number => Number(new URL(url).port)

/** a minimal balancer */
function ours(_: TestContext, replicas: readonly Installation[]): Promise<Front> {
  const backends = replicas.map(({ url }) => ({ host: '127.0.0.1', port: portOf(url) }))
  return startBalancer({ backends, patienceMs: 10_000 })
}

/** the shipped configuration, without TLS */
export function shipped(t: TestContext, replicas: readonly Installation[]): Promise<Front> {
  const [one, two] = replicas.map(({ url, operatorUrl }) => ({ port: portOf(url), operatorPort: portOf(operatorUrl) }))
  assert.ok(one && two)
  return startHaproxy(t, { replicas: [one, two], changes: [[/ ssl crt \S+ alpn \S+/, '']] })
}

export async function startPair(t: TestContext, settings: object = {}, startFront = ours): Promise<Pair> {
  const platform = await startScriptedPlatform(uneven())
  t.after(() => platform.close())
  const database = await freshDatabase()
  t.after(() => database.drop())
  const file = {
    store: database.url,
    redis: redisUrl,
    drainSeconds: 1,
    upstream: { baseUrl: platform.url, concurrency: 64 },
    connections: { studio: { keyId: 'STUDIOKEY1', issuerId: 'issuer', privateKeyFile: 'key.p8' } },
    ...settings,
  }
  const { pem } = makePair()
  const replicas: Installation[] = []
  for (let n = 0; n < 2; n++) {
    const one = await makeInstallation(platform.url, file)
    t.after(() => one.close())
    writeFileSync(join(one.folder, 'key.p8'), pem, { mode: 0o600 })
    await one.start()
    await untilManaged(one)
    replicas.push(one)
  }
  const balancer = await startFront(t, replicas)
  t.after(() => balancer.close())
  const wish = { method: 'POST', body: { name: 'k', connections: ['*'] } }
  const made = await ask(replicas[0]?.operatorUrl ?? '', '/operator/v1/keys', operatorToken, wish)
  return { replicas, balancer, key: made.json.key }
}

export interface Load {
  readonly answered: () => number
  /** answers that were not as expected */
  readonly failed: readonly string[]
  stop(): Promise<void>
}

let asked = 0
/** reads that can share no answer */
const nextPath = (): string => `/v1/connections/studio/subscriptions/s${++asked}/offer-codes`

function fresh(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((ok, no) => {
    const req = request(new URL(nextPath(), url), { headers, agent: false }, (res) => {
      res.on('error', no).on('aborted', () => no(new Error('cut')))
      res.resume().on('end', () => ok(res.statusCode ?? 0))
    })
    req.on('error', no).end()
  })
}

/** over kept sockets, as a browser uses them: no longer than announced, and none that was to be closed */
const keeping = (pool: Pool, headers: Record<string, string>) => async (): Promise<number> => {
  const { statusCode, body } = await pool.request({ path: nextPath(), method: 'GET', headers })
  await body.dump({ limit: 1_000_000 })
  return statusCode
}

/** `restMs`: how long a caller waits after an answer */
const lanes = (count: number, restMs: (turn: number) => number) => Array.from({ length: count }, () => restMs)

export function beginLoad(t: TestContext, { balancer, key }: Pair): Load {
  const headers = { authorization: `Bearer ${key}` }
  const pool = new Pool(balancer.url, { connections: 24, pipelining: 1 })
  const [failed, over] = [[] as string[], new AbortController()]
  let answered = 0
  async function lane(name: string, act: () => Promise<number>, restMs: (turn: number) => number) {
    for (let turn = 0; !over.signal.aborted; turn++) {
      const said = await act().catch((error: NodeJS.ErrnoException) => `${error.code ?? error.name} ${error.message}`)
      if (said === 200) answered++
      else failed.push(`${name} ${said}`)
      await sleep(restMs(turn), undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const quick = () => 10
  // sockets that were idle for a moment, and for as long as a caller may keep them
  const slow = (turn: number) => 200 + ((turn * 317) % 3_500)
  const all = [
    ...lanes(8, quick).map((rest) => lane('kept', keeping(pool, headers), rest)),
    ...lanes(8, slow).map((rest) => lane('kept', keeping(pool, headers), rest)),
    ...lanes(4, quick).map((rest) => lane('fresh', () => fresh(balancer.url, headers), rest)),
  ]
  async function stop() {
    over.abort()
    await Promise.all(all)
    if (!pool.closed) await pool.close()
  }
  t.after(stop)
  return { answered: () => answered, failed, stop }
}

/** stops one as an operator does, and starts it again; returns how long the stop took */
export async function restart(
  { balancer }: Pair,
  one: Installation,
): Promise<{ endMs: number; exitCode: number | null }> {
  const port = portOf(one.url)
  const isUp = () => balancer.states().find((state) => state.port === port)?.up === true
  const from = performance.now()
  await one.kill('SIGTERM')
  const [endMs, exitCode] = [performance.now() - from, one.exitCode()]
  await one.start()
  await until(isUp)
  return { endMs, exitCode }
}
