// A caller that never throws: it returns the outcome of every request, also if there was no answer.
import { Agent, request } from 'node:http'

export interface Told {
  /** 0: no whole answer came */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: any
  readonly sentAt: number
  readonly doneAt: number
}

export interface Asking {
  readonly method?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly mostMs?: number
  /** an agent with kept connections; if left out, each request gets a new one */
  readonly agent?: Agent
}

function read(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function ask(url: string, key: string, { method = 'GET', body, agent, mostMs = 15_000, ...more }: Asking = {}) {
  const text = body && JSON.stringify(body)
  const headers = {
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...more.headers,
  }
  const sentAt = performance.now()
  return new Promise<Told>((ok) => {
    const tell = (status: number, got: Told['headers'] = {}, whole = '') =>
      ok({ status, headers: got, text: whole, json: read(whole), sentAt, doneAt: performance.now() })
    const req = request(url, { method, headers, agent: agent ?? false, timeout: mostMs }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', () => tell(0))
      res.on('end', () => tell(res.complete ? (res.statusCode ?? 0) : 0, res.headers, Buffer.concat(parts).toString()))
    })
    req.on('error', () => tell(0))
    req.on('timeout', () => req.destroy())
    req.end(text)
  })
}
