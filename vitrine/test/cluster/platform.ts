// A platform with long lists and a quota for each key by the minute and the hour, as the real one has: it reports what is left
// with every answer, refuses what is beyond, and records that it did.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pageOf } from '../faults/long-lists.ts'

export interface Quota {
  readonly minute?: number
  readonly hour?: number
}

export interface Counted {
  calls: number
  /** calls beyond the quota */
  beyond: number
  /** when the first of them came, by the wall clock */
  readonly beyondAt: number[]
  /** the most calls counted within one window */
  mostInMinute: number
  mostInHour: number
}

export interface PlatformOptions {
  /** by key id */
  readonly quotas?: Readonly<Record<string, Quota>>
  /** how many items each list has */
  readonly size?: number
  readonly latencyMs?: number
}

export interface Platform {
  readonly port: number
  readonly url: string
  counted(keyId: string): Counted
  /** calls so far */
  calls(): number
  /** the paths requested since the last call of this function, with their counts */
  takeAsked(): Map<string, number>
  /** when the calls since the last call of this function came */
  takeTimes(): readonly number[]
  latency(ms: number): void
  close(): Promise<void>
}

/** a sliding window of times */
export function createSliding(lengthMs: number, now: () => number = () => performance.now()) {
  const times: number[] = []
  let gone = 0
  const age = () => {
    const since = now() - lengthMs
    while (gone < times.length && (times[gone] as number) <= since) gone++
    if (gone > 4_096) gone -= times.splice(0, gone).length
  }
  return {
    add: () => void times.push(now()),
    count() {
      age()
      return times.length - gone
    },
  }
}

const json = { 'content-type': 'application/json' }
const refusal = (code: string) => JSON.stringify({ errors: [{ status: '0', code, title: 'PLATFORM WORDS' }] })

function keyIdOf(authorization = ''): string {
  try {
    return String(JSON.parse(Buffer.from(authorization.slice(7).split('.', 1)[0] ?? '', 'base64url').toString()).kid)
  } catch {
    return ''
  }
}

function createAccount(quota: Quota) {
  const windows = { minute: createSliding(60_000), hour: createSliding(3_600_000) }
  const counted: Counted = { calls: 0, beyond: 0, beyondAt: [], mostInMinute: 0, mostInHour: 0 }
  const left = (name: 'minute' | 'hour') => (quota[name] ?? Number.POSITIVE_INFINITY) - windows[name].count()
  return {
    counted,
    /** false if the call is beyond the quota */
    take(): boolean {
      counted.calls++
      const isWithin = left('minute') > 0 && left('hour') > 0
      if (!isWithin && counted.beyond++ < 1_000) counted.beyondAt.push(Date.now())
      for (const window of Object.values(windows)) window.add()
      counted.mostInMinute = Math.max(counted.mostInMinute, windows.minute.count())
      counted.mostInHour = Math.max(counted.mostInHour, windows.hour.count())
      return isWithin
    },
    header: () =>
      (['hour', 'minute'] as const)
        .filter((name) => quota[name] !== undefined)
        .map((name) => `user-${name}-lim:${quota[name]};user-${name}-rem:${Math.max(0, left(name))};`)
        .join(''),
  }
}

export async function startPlatform({
  quotas = {},
  size = 600,
  latencyMs = 5,
}: PlatformOptions = {}): Promise<Platform> {
  const accounts = new Map<string, ReturnType<typeof createAccount>>()
  const accountOf = (keyId: string) => {
    const account = accounts.get(keyId) ?? createAccount(quotas[keyId] ?? {})
    accounts.set(keyId, account)
    return account
  }
  let [calls, waitMs, asked] = [0, latencyMs, new Map<string, number>()]
  let times: number[] = []

  async function answer(keyId: string, target: URL, res: ServerResponse) {
    const account = accountOf(keyId)
    const isWithin = account.take()
    if (waitMs > 0) await pause(waitMs)
    const page = pageOf(target, size)
    const header = account.header()
    const headers = { ...json, ...(header !== '' && { 'x-rate-limit': header }) }
    if (!isWithin) return res.writeHead(429, headers).end(refusal('RATE_LIMIT_EXCEEDED'))
    if (!page) return res.writeHead(404, headers).end(refusal('NOT_FOUND'))
    return res.writeHead(200, headers).end(JSON.stringify(page.document))
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    calls++
    times.push(performance.now())
    const target = req.url ?? ''
    asked.set(target, (asked.get(target) ?? 0) + 1)
    void answer(keyIdOf(req.headers.authorization), new URL(target, `http://${req.headers.host}`), res)
  })
  server.on('connection', (socket) => socket.on('error', () => {}))
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    counted: (keyId) => accountOf(keyId).counted,
    calls: () => calls,
    takeAsked() {
      const taken = asked
      asked = new Map()
      return taken
    },
    takeTimes() {
      const taken = times
      times = []
      return taken
    },
    latency: (ms) => void (waitMs = ms),
    close: () =>
      new Promise<void>((ok) => {
        server.close(() => ok())
        server.closeAllConnections()
      }),
  }
}
