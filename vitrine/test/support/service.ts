// The whole service for a test: real store, real sockets, over any platform. Every JSON answer that `ask` reads is
// checked against the OpenAPI description first.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Route } from '../../src/catalogue/define.ts'
import { createDoctor } from '../../src/commands/service-doctor.ts'
import type { Doctor } from '../../src/management/examination.ts'
import type { KeyInput } from '../../src/keys/keys.ts'
import type { Event } from '../../src/events.ts'
import type { Secrets } from '../../src/core/located.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { readSettings, type Settings } from '../../src/settings.ts'
import { type RunningService, openService, type ServiceOptions as OpenOptions } from '../../src/service.ts'
import { checkAnswer } from './description.ts'
import { type Script, startScriptedPlatform, type ScriptedPlatform } from './scripted-platform.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: any
}

export interface Asking {
  readonly key?: string | undefined
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** the audit entry's actor in tests */
export const tester = { who: 'cli:tester', from: 'here', requestId: null }

export interface Service {
  readonly url: string
  /** the address of the operator endpoint, if the test opened it */
  readonly operatorUrl: string | undefined
  readonly port: number
  readonly running: RunningService
  /** the settings it was started with */
  readonly settings: Settings
  /** the folder of its store and key file */
  readonly folder: string
  readonly events: Event[]
  /** a key with access to everything */
  readonly key: string
  /** sends a request with that key, below the connection `acme` unless the path begins with `/v1` or is a page */
  readonly ask: (path: string, asking?: Asking) => Promise<Answer>
  issue(wish?: Partial<KeyInput>): Promise<string>
  readonly close: () => Promise<void>
}

export interface ServiceOptions {
  readonly file?: Record<string, unknown>
  readonly routes?: readonly Route[]
  readonly now?: () => number
  /** a monotonic clock in milliseconds */
  readonly steady?: () => number
  /** the part of the heap that is in use */
  readonly heapInUse?: () => number
  /** how often listeners of the operator endpoint get an update */
  readonly pace?: OpenOptions['pace']
  /** the folder of an earlier service, to restart on its store; it is kept when the service closes */
  readonly folder?: string
  readonly secrets?: Secrets
  /** instead of the doctor of the started service */
  readonly doctor?: Doctor
  /** extra members of every connection */
  readonly connection?: Record<string, unknown>
}

function exchange(port: number, path: string, { key, method = 'GET', headers = {}, body }: Asking): Promise<Answer> {
  return new Promise((ok, no) => {
    const auth = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const req = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: { ...auth, ...headers }, agent: false },
      (res) => {
        const parts: Buffer[] = []
        res.on('data', (part: Buffer) => parts.push(part))
        res.on('error', no)
        res.on('end', () => {
          const text = Buffer.concat(parts).toString()
          const isJson = text !== '' && String(res.headers['content-type']).startsWith('application/json')
          ok({ status: res.statusCode ?? 0, headers: res.headers, text, json: isJson ? JSON.parse(text) : undefined })
        })
      },
    )
    req.on('error', no)
    req.end(body)
  })
}

export const accounts = {
  acme: { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001' },
  other: { keyId: 'OTHERKEY01', issuerId: '57246542-96fe-1a63-e053-0824d0110002' },
  solo: { keyId: 'SOLOKEY001' },
}

export const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

export async function startService(platformUrl: string, options: ServiceOptions = {}): Promise<Service> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  const privateKeyFile = join(folder, 'key.p8')
  writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const connections = Object.fromEntries(
    Object.entries(accounts).map(([id, account]) => [id, { ...account, privateKeyFile, ...options.connection }]),
  )
  const settings = readSettings(
    {
      listen: '127.0.0.1:0',
      operatorListen: 'off',
      store: 'sqlite:v.db',
      rateLimit: { perMinute: 0 },
      connections,
      ...options.file,
      upstream: { baseUrl: platformUrl, timeoutMs: 2_000, ...(options.file?.['upstream'] as object) },
    },
    {},
  )
  const events: Event[] = []
  const { routes, now, steady, heapInUse, secrets, pace } = options
  const running = await openService(settings, {
    folder,
    settingsName: 'vitrine.json',
    observe: (e) => events.push(e),
    ...(routes && { routes }),
    ...(now && { now }),
    ...(steady && { steady }),
    ...(heapInUse && { heapInUse }),
    ...(secrets && { secrets }),
    pace,
    doctor: options.doctor ?? createDoctor(() => ({ settings, folder, secrets: secrets ?? {}, file: undefined })),
  })
  const { url, operatorUrl } = await running.listen()
  const port = Number(new URL(url).port)
  const issue = async (wish: Partial<KeyInput> = {}) =>
    (await running.keys.issue({ name: 'test', connections: ['*'], personal: true, ...wish }, tester)).key
  const key = await issue()
  return {
    url,
    operatorUrl,
    port,
    running,
    settings,
    folder,
    events,
    key,
    issue,
    async ask(path, asking = {}) {
      const full = /^\/+(v1|livez|healthz|readyz|openapi|docs|errors|llms)/i.test(path)
        ? path
        : `/v1/connections/acme${path}`
      const answer = await exchange(port, full, { key, ...asking })
      if (asking.method !== 'HEAD') checkAnswer(full, answer, routes)
      return answer
    },
    async close() {
      await running.close()
      if (options.folder === undefined) rmSync(folder, { recursive: true })
    },
  }
}

/** a service over a scripted platform */
export async function startScripted(
  script: Script,
  options: ServiceOptions = {},
): Promise<{ platform: ScriptedPlatform; service: Service; readonly close: () => Promise<void> }> {
  const platform = await startScriptedPlatform(script)
  const service = await startService(platform.url, options)
  return { platform, service, close: () => service.close().then(platform.close) }
}

/** a service over the sandbox */
export async function startOverSandbox(
  options: ServiceOptions = {},
): Promise<{ sandbox: Sandbox; service: Service; readonly close: () => Promise<void> }> {
  const sandbox = await startSandbox({
    accounts: Object.values(accounts).map((account) => ({ ...account, publicKey })),
  })
  const service = await startService(sandbox.url, options)
  return { sandbox, service, close: () => service.close().then(() => sandbox.close()) }
}
