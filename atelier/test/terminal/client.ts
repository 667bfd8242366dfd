// A client of terminals, by the library's own WebSocket.
import { WebSocket } from 'ws'
import { until } from '../../../base/test/until.ts'

export interface TerminalLogin {
  readonly key?: string
  readonly cookie?: string
  readonly origin?: string
}

export function headersOf({ key, cookie, origin }: TerminalLogin): Record<string, string> {
  return {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(cookie !== undefined && { cookie: `atelier_session=${cookie}` }),
    ...(origin !== undefined && { origin }),
  }
}

export interface TestTerminal {
  readonly ws: WebSocket
  /** what came in binary messages */
  readonly output: () => string
  readonly bytes: () => number
  /** what came in text messages */
  readonly said: readonly { readonly type: string; readonly [member: string]: unknown }[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  type(text: string): void
  tell(message: object): void
  /** resolves once the output holds it */
  shows(text: string): Promise<void>
}

/** resolves when the service has accepted it */
export async function connectTerminal(url: string, query: string, login: TerminalLogin): Promise<TestTerminal> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/containers/terminal?${query}`, { headers: headersOf(login) })
  const parts: Buffer[] = []
  const said: { type: string }[] = []
  ws.on('message', (data: Buffer, isBinary) => void (isBinary ? parts.push(data) : said.push(JSON.parse(String(data)))))
  const closed = new Promise<{ code: number; reason: string }>((ok) =>
    ws.once('close', (code, reason) => ok({ code, reason: String(reason) })),
  )
  const output = () => Buffer.concat(parts).toString()
  await new Promise<void>((ok, fail) => ws.once('open', ok).once('error', fail))
  ws.on('error', () => {})
  return {
    ws,
    output,
    bytes: () => parts.reduce((sum, { length }) => sum + length, 0),
    said,
    closed,
    type: (text) => ws.send(Buffer.from(text)),
    tell: (message) => ws.send(JSON.stringify(message)),
    shows: (text) => until(() => output().includes(text), 30_000),
  }
}
