// Loads a page and its files as a browser does, and says which files those are.
import { request, type IncomingHttpHeaders } from 'node:http'

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

/** page -> the files that the script loads to show it; `base`: above the assets */
export function partsOf(script: string, base: string): [page: string, files: string[]][] {
  const listed: string[] = JSON.parse(/__vite__mapDeps=.*?(\["assets\/[^\]]*\])/.exec(script)?.[1] ?? '[]')
  const lazy = /import\((["'`])\.\/([\w-]+)-[\w-]{8}\.js\1\)(?:\.then\([^()]*\))?,__vite__mapDeps\(\[([\d,]+)\]\)/g
  return [...script.matchAll(lazy)].map(([, , page = '', numbers = '']) => [
    page,
    numbers.split(',').map((at) => `${base}${listed[Number(at)]}`),
  ])
}
