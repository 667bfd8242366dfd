// A platform under a test's control: each request is recorded and handed to the test's function.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Call {
  readonly path: string
  readonly query: URLSearchParams
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly socket: Socket
}

export type Script = (call: Call, res: ServerResponse) => void | Promise<void>

export interface ScriptedPlatform {
  readonly url: string
  readonly calls: Call[]
  script: Script
  readonly close: () => Promise<void>
}

/** a 200 in the platform's media type; text is sent unchanged */
export function send(res: ServerResponse, body: unknown, headers: Record<string, string> = {}, status = 200) {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
}

export const refuse = (res: ServerResponse, status: number, code: string, source?: object, headers = {}) =>
  send(
    res,
    { errors: [{ status: String(status), code, title: 't', detail: 'PLATFORM WORDS', ...(source && { source }) }] },
    headers,
    status,
  )

export async function startScriptedPlatform(script: Script): Promise<ScriptedPlatform> {
  const platform: ScriptedPlatform = { url: '', calls: [], script, close: async () => {} }
  const server = createServer((req, res) => {
    const { pathname: path, searchParams: query } = new URL(req.url ?? '', 'http://platform')
    const call = { path, query, url: req.url ?? '', headers: req.headers, socket: req.socket }
    platform.calls.push(call)
    void platform.script(call, res)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok))
  return Object.assign(platform, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((ok) => {
        server.close(() => ok())
        server.closeAllConnections()
      }),
  })
}
