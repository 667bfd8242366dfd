// The console as it is built from what stands in src/console now, and how a browser loads a file of it.
import { execFileSync } from 'node:child_process'
import { request, type IncomingHttpHeaders } from 'node:http'
import { resolve } from 'node:path'

let isBuilt = false

/** nothing where nothing has changed; a single test file that is run by hand sees no stale one either */
export function buildConsole(): void {
  if (isBuilt) return
  execFileSync(process.execPath, [resolve('scripts/build-console.mjs')], { stdio: 'pipe', timeout: 120_000 })
  isBuilt = true
}

export interface Loaded {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** as they came over the wire */
  readonly bytes: Buffer
}

/** the path goes out as it is, dots and all */
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

/** what a page has a browser load with it */
export const namedBy = (page: string): string[] =>
  [...page.matchAll(/<(?:script|link)\b[^>]*\s(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path)
