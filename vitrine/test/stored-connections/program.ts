// The program as its operator runs it: `bin/vitrine serve` as a process that can be killed, and its commands, over one folder.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stalledMs } from '../../../base/test/stall-time.ts'
import { freePort } from '../../../base/test/free-port.ts'

/** full sizes give the published figures, short ones run with every commit */
export const full = process.env['ENDURANCE'] === 'full'

export const operatorToken = `operator-${randomBytes(16).toString('hex')}`
export const masterKeys = (...ids: string[]): string =>
  ids.map((id) => `${id}:${randomBytes(32).toString('base64')}`).join('\n')

export interface Pair {
  readonly pem: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export function makePair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, publicKey, pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

export interface Answer {
  readonly status: number
  readonly json: any
  readonly sentAt: number
  /** until the whole answer was read, without the time this process was stalled */
  readonly ms: number
}

/** rejects if the connection broke before a whole answer */
export function ask(
  url: string,
  path: string,
  key: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
) {
  const text = body && JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${key}`,
    ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const [sentAt, stalledBefore] = [performance.now(), stalledMs()]
  return new Promise<Answer>((ok, no) => {
    const req = request(new URL(path, url), { method, headers, agent: false }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', no)
      res.on('aborted', () => no(new Error('cut')))
      res.on('end', () => {
        const json = JSON.parse(Buffer.concat(parts).toString() || 'null')
        const ms = performance.now() - sentAt - (stalledMs() - stalledBefore)
        ok({ status: res.statusCode ?? 0, json, sentAt, ms })
      })
    })
    req.on('error', no)
    req.end(text)
  })
}

/** the operator endpoint is the last to open in a service of several processes */
export async function untilManaged({ operatorUrl }: Pick<Installation, 'operatorUrl'>) {
  while (!(await ask(operatorUrl, '/livez', '').catch(() => undefined))) await sleep(10)
}

export interface Installation {
  readonly folder: string
  readonly url: string
  readonly operatorUrl: string
  /** starts the server and returns the milliseconds until it is ready */
  start(): Promise<number>
  kill(signal: NodeJS.Signals): Promise<void>
  /** the server's, while it runs */
  pid(): number
  /** the first line on its standard error */
  said(): string
  /** null while it runs, and after a signal ended it */
  exitCode(): number | null
  command(...args: string[]): Promise<{ code: number; out: string; err: string }>
  /** a command that the test can kill */
  launch(...args: string[]): ChildProcess
  close(): Promise<void>
}

const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))
const bin = resolve('bin/vitrine')

export async function makeInstallation(
  platform: string,
  settings: object = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  const [port, operatorPort] = [await freePort(), await freePort()]
  const [url, operatorUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${operatorPort}`]
  writeFileSync(join(folder, 'keys.txt'), masterKeys('k1'), { mode: 0o600 })
  const file = {
    listen: `127.0.0.1:${port}`,
    operatorListen: `127.0.0.1:${operatorPort}`,
    store: 'sqlite:data/v.db',
    masterKeysFile: 'keys.txt',
    rateLimit: { perMinute: 0 },
    upstream: { baseUrl: platform },
    log: 'problems',
    // without a balancer, a drain delay would only slow every test
    drainSeconds: 0,
    ...settings,
  }
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify(file))
  const env = { ...clean, NODE_OPTIONS: '', VITRINE_OPERATOR_TOKEN: operatorToken, ...environment }
  let server: ChildProcess | undefined
  let said = ''
  const launch = (...args: string[]) => spawn(bin, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })

  async function kill(signal: NodeJS.Signals) {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }

  return {
    folder,
    url,
    operatorUrl,
    launch,
    kill,
    pid: () => server?.pid ?? 0,
    said: () => said,
    exitCode: () => server?.exitCode ?? null,
    async start() {
      const begun = performance.now()
      server = launch('serve')
      const before = said.length
      server.stderr?.on('data', (part: Buffer) => (said += part))
      for (;;) {
        const ready = await ask(url, '/readyz', '').catch(() => undefined)
        if (ready?.status === 200) return performance.now() - begun
        if (server.exitCode !== null) throw new Error(`the server ended: ${said.slice(before)}`)
        await sleep(10)
      }
    },
    command: (...args) =>
      new Promise((ok) => {
        execFile(bin, args, { cwd: folder, env, maxBuffer: 1e9 }, (error, out, err) =>
          ok({ code: error ? Number(error.code ?? 1) : 0, out, err }),
        )
      }),
    async close() {
      await kill('SIGKILL')
      rmSync(folder, { recursive: true })
    },
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
export const share = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN
