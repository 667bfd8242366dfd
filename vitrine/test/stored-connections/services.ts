// Servers over one database in the test's own process, so that a test can stop, restart and inspect them.
import type { TestContext } from 'node:test'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { readSettings } from '../../src/settings.ts'
import { type RunningService, openService } from '../../src/service.ts'
import { freshDatabase } from '../../../base/test/postgres.ts'
import { type Answer, ask, makePair, masterKeys, operatorToken } from './program.ts'

export const [first, second] = [makePair(), makePair()]
export const account = { keyId: 'FIRST', issuerId: 'issuer', privateKey: first.pem }
export const secret = masterKeys('k1')

export interface Server {
  readonly running: RunningService
  readonly operatorUrl: string
  read(path: string, key: string): Promise<Answer>
  act(method: string, path: string, body?: object): Promise<Answer>
  /** may be called again */
  close(): Promise<void>
}

export const settingsOf = (store: string, baseUrl: string, more: object = {}) =>
  readSettings(
    {
      listen: '127.0.0.1:0',
      operatorListen: '127.0.0.1:0',
      store,
      rateLimit: { perMinute: 0 },
      upstream: { baseUrl, timeoutMs: 5_000 },
      ...more,
    },
    {},
  )

async function startServer(store: string, baseUrl: string, more?: object): Promise<Server> {
  const secrets = { operatorToken, masterKeys: secret }
  const running = await openService(settingsOf(store, baseUrl, more), { folder: '/', observe: () => {}, secrets })
  let closed: Promise<void> | undefined
  const { url, operatorUrl = '' } = await running.listen()
  return {
    running,
    operatorUrl,
    read: (path, key) => ask(url, path, key),
    act: (method, path, body) =>
      ask(operatorUrl, `/operator/v1${path}`, operatorToken, { method, ...(body && { body }) }),
    close: () => (closed ??= running.close()),
  }
}

export interface Scene {
  readonly database: string
  readonly platform: string
  /** servers are closed when the test is over, before the database and the platform */
  start(store?: string, more?: object): Promise<Server>
  later(close: () => Promise<void>): void
}

/** a database, and a platform with two keys */
export async function makeScene(t: TestContext): Promise<Scene> {
  const accounts = [
    { keyId: 'FIRST', issuerId: 'issuer', publicKey: first.publicKey },
    { keyId: 'SECOND', issuerId: 'issuer', publicKey: second.publicKey },
  ]
  const closing: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const close of closing.toReversed()) await close()
  })
  const later = (close: () => Promise<void>) => void closing.push(close)
  const sandbox = await startSandbox({ accounts })
  later(() => sandbox.close())
  const database = await freshDatabase()
  later(database.drop)
  return {
    database: database.url,
    platform: sandbox.url,
    later,
    async start(store = database.url, more) {
      const server = await startServer(store, sandbox.url, more)
      later(server.close)
      return server
    },
  }
}

export const listPath = (id: string): string => `/v1/connections/${id}/apps?limit=2&fields=name`

export async function makeKey(server: Server): Promise<{ id: string; key: string }> {
  return (await server.act('POST', '/keys', { name: 'k', connections: ['*'] })).json
}
