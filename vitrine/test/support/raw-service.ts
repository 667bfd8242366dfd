// A service over a healthy platform that takes raw bytes, with its own count of open connections.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { page } from './example-routes.ts'
import { type RawResult, type RawOptions, sendRaw } from '../../../base/test/raw-client.ts'
import { type ScriptedPlatform, send } from './scripted-platform.ts'
import { type Service, type ServiceOptions, startScripted } from './service.ts'

export const pagePath = `/v1/connections/acme${page.path}`

export interface RawService {
  readonly platform: ScriptedPlatform
  readonly service: Service
  /** the header field with the key, and its line end */
  readonly auth: string
  readonly open: () => Promise<number>
  /** a whole GET with Host, key and further fields */
  readonly get: (url: string, fields?: string, version?: string) => string
  readonly say: (bytes: string | readonly string[], manner?: RawOptions) => Promise<RawResult>
}

export async function startRaw(t: TestContext, options: ServiceOptions = {}): Promise<RawService> {
  const { platform, service, close } = await startScripted((_, res) => send(res, page.healthy), options)
  t.after(close)
  let server: Server | undefined
  const notice = (message: unknown) => {
    const { server: one } = message as { server: Server }
    if ((one.address() as AddressInfo | null)?.port === service.port) server = one
  }
  subscribe('http.server.request.start', notice)
  await service.ask('/healthz')
  unsubscribe('http.server.request.start', notice)
  const auth = `Authorization: Bearer ${service.key}\r\n`
  return {
    platform,
    service,
    auth,
    open: () => new Promise((ok, no) => server?.getConnections((error, count) => (error ? no(error) : ok(count)))),
    get: (url, fields = '', version = '1.1') => `GET ${url} HTTP/${version}\r\nHost: localhost\r\n${auth}${fields}\r\n`,
    say: (bytes, manner) => sendRaw(service.port, bytes, manner),
  }
}

/** a platform that answers when the test releases it */
export async function startSlow(t: TestContext, options: ServiceOptions) {
  const raw = await startRaw(t, options)
  const waiting: (() => void)[] = []
  raw.platform.script = (_, res) => void waiting.push(() => send(res, page.healthy))
  const release = () => waiting.splice(0).forEach((answer) => answer())
  t.after(release)
  return { ...raw, waiting, release }
}
