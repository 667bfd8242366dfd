// Serves a console: one page at several paths, and its files, which hold no secret and need no token. All files are read at
// once on first use: no path of a request reaches the file system.
import type { IncomingMessage } from 'node:http'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type Coding, codings } from './content-coding.ts'
import { type OpenPage, PageText } from './page-text.ts'

export interface ConsoleOptions {
  /** of the built console */
  readonly folder: string
  /** above its assets; empty: at the top */
  readonly at: string
  /** of its pages, which the browser tells apart */
  readonly paths: readonly string[]
  /** sources of images besides its own files */
  readonly images: string
  /** the page that is shown where the console is not built */
  readonly missing: string
}

const policyOf = (images: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' ${images}; font-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

const guardedBy = (policy: string): readonly string[] => [
  'content-security-policy',
  policy,
  'x-frame-options',
  'DENY',
  'referrer-policy',
  'no-referrer',
  'cross-origin-opener-policy',
  'same-origin',
  'vary',
  'Accept-Encoding',
]

const htmlType = 'text/html; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  '.html': htmlType,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

interface Built {
  readonly page: OpenPage
  /** path -> file */
  readonly files: ReadonlyMap<string, OpenPage>
}

export interface Console {
  /** `name`: its label in metrics */
  find(path: string): { readonly name: string; readonly page: OpenPage } | undefined
  /** for a person at an address that has none: the console says so in its frame; status 404 */
  readonly missing: () => OpenPage
}

/** a browser opens an address: no program asks for pages */
export const isVisit = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  headers.accept?.includes('text/html') === true

/** the name of a file contains the hash of its content */
const forEver = 'public, max-age=31536000, immutable'

const suffixes: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

function readOne(file: string, type: string): PageText {
  const there = codings.filter((coding) => existsSync(`${file}${suffixes[coding]}`))
  const coded = there.map((coding) => [coding, readFileSync(`${file}${suffixes[coding]}`)] as const)
  return new PageText(type, readFileSync(file), new Map(coded))
}

function readAll({ folder, at }: ConsoleOptions, fields: readonly string[]): Built {
  const index = join(folder, 'index.html')
  const assets = join(folder, 'assets')
  const files = readdirSync(assets).flatMap((name) => {
    const type = types[extname(name)]
    if (type === undefined) return []
    return [[`${at}/assets/${name}`, { text: readOne(join(assets, name), type), fields, keep: forEver }] as const]
  })
  return { page: { text: readOne(index, htmlType), fields }, files: new Map(files) }
}

/** undefined if it is not built, being built, or unreadable: the next request tries again */
function readBuilt(options: ConsoleOptions, fields: readonly string[]): Built | undefined {
  try {
    return readAll(options, fields)
  } catch {
    return undefined
  }
}

/** label of the files in metrics */
export const fileLabel = (at: string): string => `${at}/assets/:file`

export function openConsolePages(options: ConsoleOptions): Console {
  const { at, paths, images, missing } = options
  const fields = guardedBy(policyOf(images))
  const notBuilt: OpenPage = { text: new PageText(htmlType, missing), fields, keep: 'no-store', status: 503 }
  let built: Built | undefined
  const read = () => (built ??= readBuilt(options, fields))
  const isPage = new Set<string>(paths)
  return {
    find(path) {
      if (isPage.has(path)) return { name: path, page: read()?.page ?? notBuilt }
      const page = path.startsWith(`${at}/assets/`) ? read()?.files.get(path) : undefined
      return page && { name: fileLabel(at), page }
    },
    missing() {
      const page = read()?.page
      return page ? { ...page, status: 404 } : notBuilt
    },
  }
}
