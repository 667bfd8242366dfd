// A service of two workers as its operator runs it, over a platform that counts what reaches it at once.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask, type Installation, makeInstallation, makePair, operatorToken } from '../custody/program.ts'

export interface Platform {
  readonly url: string
  calls: number
  running: number
  mostRunning: number
  /** what the next answers take */
  delayMs: number
  /** what is left of the hour by its own count; undefined: it does not say */
  left: number | undefined
  /** every page has another behind it */
  next: boolean
}

const data = [{ type: 'apps', id: '1', attributes: { name: 'one', bundleId: 'com.example.one' } }]
const apps = JSON.stringify({ data, links: { self: 'https://api.appstoreconnect.apple.com/v1/apps' } })

/** behind the first page P2, behind that P3, and so on */
function withNext(url: string): string {
  const [, at = '1'] = /&cursor=P(\d+)$/.exec(url) ?? []
  return JSON.stringify({ data, links: { next: `${url.replace(/&cursor=.*$/, '')}&cursor=P${Number(at) + 1}` } })
}

export async function startPlatform(t: TestContext): Promise<Platform> {
  const platform: Platform = { url: '', calls: 0, running: 0, mostRunning: 0, delayMs: 0, left: undefined, next: false }
  const limit = 3_600
  const server = createServer(({ url = '' }, response) => {
    platform.calls++
    platform.mostRunning = Math.max(platform.mostRunning, ++platform.running)
    response.once('close', () => platform.running--)
    const isOver = platform.left === 0
    if (platform.left !== undefined && !isOver) platform.left--
    const rate =
      platform.left === undefined ? {} : { 'x-rate-limit': `user-hour-lim:${limit};user-hour-rem:${platform.left};` }
    setTimeout(() => {
      response.writeHead(isOver ? 429 : 200, { 'content-type': 'application/json', ...rate })
      response.end(isOver ? '{"errors":[]}' : platform.next ? withNext(url) : apps)
    }, platform.delayMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return Object.assign(platform, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

export interface Scene {
  readonly installation: Installation
  readonly platform: Platform
  /** what it has said on standard error */
  readonly said: () => string
  /** the lines of its log of this kind */
  readonly lines: (kind: string) => any[]
  readonly operate: (method: string, path: string, body?: object) => Promise<Answer>
  readonly issue: (wish?: object) => Promise<{ id: string; key: string }>
  /** ids of the processes that answer callers */
  readonly pids: () => Promise<number[]>
  readonly pid: () => number
  readonly exit: () => Promise<unknown[]>
  readonly kill: (signal: NodeJS.Signals) => void
}

export interface SceneOptions {
  readonly settings?: object
  readonly args?: readonly string[]
}

/** a service that may end before it serves */
export async function launch(t: TestContext, { settings = {}, args = ['--workers', '2'] }: SceneOptions = {}) {
  const platform = await startPlatform(t)
  const installation = await makeInstallation(platform.url, {
    connections: {
      acme: { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKeyFile: 'key.p8' },
    },
    ...{ log: 'all', ...settings },
  })
  writeFileSync(join(installation.folder, 'key.p8'), makePair().pem, { mode: 0o600 })
  const child = installation.launch('serve', ...args)
  let text = ''
  child.stderr?.on('data', (part: Buffer) => (text += part))
  const ended = once(child, 'close')
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
    await installation.close()
  })
  return { platform, installation, child, ended, said: () => text }
}

export async function startScene(t: TestContext, options: SceneOptions = {}): Promise<Scene> {
  const { platform, installation, child, ended, said } = await launch(t, options)
  const lines = (kind: string) =>
    said()
      .split('\n')
      // the last of them may not have come whole
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter((line) => line.kind === kind)
  while (lines('started').length === 0) {
    if (child.exitCode !== null) throw new Error(`it ended: ${said()}`)
    await sleep(10)
  }
  const operate = (method: string, path: string, body?: object) =>
    ask(installation.operatorUrl, path, operatorToken, { method, ...(body && { body }) })
  return {
    ...{ installation, platform, said, lines, operate },
    issue: async (wish = {}) =>
      (await operate('POST', '/operator/v1/keys', { name: 'test', connections: ['*'], ...wish })).json,
    pids: async () => (await operate('GET', '/operator/v1/status')).json.workers.map(({ pid }: { pid: number }) => pid),
    pid: () => child.pid ?? 0,
    exit: () => ended,
    kill: (signal) => void child.kill(signal),
  }
}

let asked = 0

/** one read of its own, on a socket of its own: no two of them are one call of the platform */
export const read = ({ installation }: Pick<Scene, 'installation'>, key: string): Promise<Answer> =>
  ask(installation.url, `/v1/connections/acme/apps?limit=1&name=${++asked}`, key)

export const many = <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act))

export const scrape = async ({ installation }: Scene): Promise<string> => {
  const answer = await fetch(new URL('/metrics', installation.operatorUrl), {
    headers: { authorization: `Bearer ${operatorToken}` },
  })
  return answer.text()
}

export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
