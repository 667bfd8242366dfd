// Services over one PostgreSQL and one Redis, each behind a wire of its own to both, which a test can cut and freeze.
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { account, first, second, secret } from '../stored-connections/services.ts'
import { type Answer, ask, operatorToken } from '../stored-connections/program.ts'
import type { Event } from '../../src/events.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { readSettings } from '../../src/settings.ts'
import { openService } from '../../src/service.ts'
import { freshDatabase } from '../../../base/test/postgres.ts'
import { redisUrl } from '../../../base/test/redis.ts'
import { startTcpProxy, type TcpProxy } from '../../../base/test/tcp-proxy.ts'

export { account, operatorToken }
export const replacement = { keyId: 'SECOND', issuerId: 'issuer', privateKey: second.pem }

export interface Replica {
  readonly pg: TcpProxy
  readonly redis: TcpProxy
  readonly events: Event[]
  read(key: string, connection?: string): Promise<Answer>
  get(path: string, key: string): Promise<Answer>
  ready(): Promise<Answer>
  act(method: string, path: string, body?: object): Promise<Answer>
  metric(name: string): Promise<string | undefined>
  makeKey(): Promise<{ id: string; key: string }>
  close(): Promise<void>
}

export interface Scene {
  readonly database: string
  readonly platform: string
  /** `aheadMs`: how far its clock is ahead */
  start(settings?: object, aheadMs?: number): Promise<Replica>
}

function through(url: string, proxy: TcpProxy): string {
  const other = new URL(url)
  other.hostname = '127.0.0.1'
  other.port = String(proxy.port)
  return other.href
}

const wireTo = (url: string, port: number) =>
  startTcpProxy({ host: new URL(url).hostname, port: Number(new URL(url).port || port) })

let replicas = 0

interface Own {
  readonly more: object
  readonly aheadMs: number
}

async function openReplica(database: string, baseUrl: string, redisAt: string, own: Own): Promise<Replica> {
  const { more, aheadMs } = own
  const [pg, redis] = [await wireTo(database, 5_432), await wireTo(redisAt, 6_379)]
  const file = {
    listen: '127.0.0.1:0',
    operatorListen: '127.0.0.1:0',
    store: through(database, pg),
    redis: through(redisAt, redis),
    rateLimit: { perMinute: 0 },
    upstream: { baseUrl, timeoutMs: 5_000 },
    ...more,
  }
  const events: Event[] = []
  // each replica has a limit of its own, so that no two share a read
  const limit = (replicas++ % 200) + 1
  const secrets = { operatorToken, masterKeys: secret }
  const observe = (event: Event) => void events.push(event)
  const running = await openService(readSettings(file, {}), {
    folder: '/',
    observe,
    secrets,
    now: () => Date.now() + aheadMs,
  })
  const { url, operatorUrl = '' } = await running.listen()
  const act: Replica['act'] = (method, path, body) =>
    ask(operatorUrl, `/operator/v1${path}`, operatorToken, { method, ...(body && { body }) })
  return {
    pg,
    redis,
    events,
    act,
    read: (key, connection = 'c') => ask(url, `/v1/connections/${connection}/apps?limit=${limit}&fields=name`, key),
    get: (path, token) => ask(url, path, token),
    ready: () => ask(url, '/readyz', ''),
    async metric(name) {
      const headers = { authorization: `Bearer ${operatorToken}` }
      const text = await (await fetch(`${operatorUrl}/metrics`, { headers })).text()
      return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
    },
    makeKey: async () => (await act('POST', '/keys', { name: 'k', connections: ['*'] })).json,
    async close() {
      for (const wire of [pg, redis]) wire.setState('whole')
      await running.close()
      for (const wire of [pg, redis]) await wire.close()
    },
  }
}

/** with the connection `c`, which the platform knows by its first key, and another key that it knows too */
export async function makeScene(t: TestContext, redisAt = redisUrl, databaseAt?: string): Promise<Scene> {
  const accounts = [
    { keyId: 'FIRST', issuerId: 'issuer', publicKey: first.publicKey },
    { keyId: 'SECOND', issuerId: 'issuer', publicKey: second.publicKey },
  ]
  const closing: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const close of closing.toReversed()) await close()
  })
  const sandbox = await startSandbox({ accounts })
  closing.push(() => sandbox.close())
  const database = databaseAt === undefined ? await freshDatabase() : { url: databaseAt, drop: async () => {} }
  closing.push(database.drop)
  return {
    database: database.url,
    platform: sandbox.url,
    async start(more = {}, aheadMs = 0) {
      const replica = await openReplica(database.url, sandbox.url, redisAt, { more, aheadMs })
      closing.push(replica.close)
      return replica
    },
  }
}

/** reads again and again until it is stopped, and answers all that came */
export function reading(read: () => Promise<Answer>, everyMs = 20) {
  const answers: Answer[] = []
  const stop = new AbortController()
  const going = (async () => {
    while (!stop.signal.aborted) {
      answers.push(await read())
      await sleep(everyMs)
    }
  })()
  return {
    answers,
    async end(): Promise<Answer[]> {
      stop.abort()
      await going
      return answers
    },
  }
}
