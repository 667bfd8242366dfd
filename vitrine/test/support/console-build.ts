// Builds the console from src/console, and loads a file of it as a browser does.
import { execFileSync } from 'node:child_process'
import { request, type IncomingHttpHeaders } from 'node:http'
import { resolve } from 'node:path'

let isBuilt = false

/** builds only after a change, so that a test file run alone never sees a stale build */
export function buildConsole(): void {
  if (isBuilt) return
  execFileSync(process.execPath, [resolve('scripts/build-console.mjs')], { stdio: 'pipe', timeout: 120_000 })
  isBuilt = true
}

export interface Loaded {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** the bytes as they were sent */
  readonly bytes: Buffer
}

/** sends the path unchanged, dots included */
export function load(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Loaded> {
  return new Promise((ok, no) => {
    const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', no)
      res.on('end', () => ok({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(parts) }))
    })
    req.on('error', no)
    req.end()
  })
}

/** the files that a page makes a browser load */
export const namedBy = (page: string): string[] =>
  [...page.matchAll(/<(?:script|link)\b[^>]*\s(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path)
