// Serves the console: one page at several paths, and its files, which hold no secret and need no token. All files are read at
// once on first use: no path of a request reaches the file system.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type Coding, codings } from '../../../base/web/content-coding.ts'
import { type OpenPage, PageText } from '../../../base/web/page-text.ts'

const pagePaths = ['/', '/connections', '/keys', '/access', '/explorer', '/audit', '/health'] as const
const filePath = '/assets/:file'

/** labels of metrics */
export const consolePaths: readonly string[] = [...pagePaths, filePath]

/** images of other origins: the explorer shows those that the platform links to, on request */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: https:; font-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const guarded = [
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
] as const

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
}

/** the name of a file contains the hash of its content */
const forEver = 'public, max-age=31536000, immutable'

const suffixes: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

function readOne(file: string, type: string): PageText {
  const there = codings.filter((coding) => existsSync(`${file}${suffixes[coding]}`))
  const coded = there.map((coding) => [coding, readFileSync(`${file}${suffixes[coding]}`)] as const)
  return new PageText(type, readFileSync(file), new Map(coded))
}

function readAll(folder: string): Built {
  const index = join(folder, 'index.html')
  const assets = join(folder, 'assets')
  const files = readdirSync(assets).flatMap((name) => {
    const type = types[extname(name)]
    if (type === undefined) return []
    return [[`/assets/${name}`, { text: readOne(join(assets, name), type), fields: guarded, keep: forEver }] as const]
  })
  return { page: { text: readOne(index, htmlType), fields: guarded }, files: new Map(files) }
}

/** undefined if it is not built, being built, or unreadable: the next request tries again */
function readBuilt(folder: string): Built | undefined {
  try {
    return readAll(folder)
  } catch {
    return undefined
  }
}

/** `dist/console`, from the sources or from the built files beside it */
const standardFolder = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../dist' : '../../..',
  'console',
)

const missing = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vitrine</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body class="plain">
<main>
<h1>The console is not built</h1>
<p>The operator endpoint itself works: programs and the command line can use it.</p>
<p>In a checkout, <code>npm ci</code> builds the console, and so does <code>node scripts/build-console.mjs</code> once the packages for
development are installed. Then load this page again. A package brings the console along: install it again if this one does not.
Where <code>dist/console</code> is there, the service may not read it.</p>
</main>
</body>
</html>
`

const notBuilt: OpenPage = { text: new PageText(htmlType, missing), fields: guarded, keep: 'no-store', status: 503 }

export function openConsole(folder = standardFolder): Console {
  let built: Built | undefined
  const read = () => (built ??= readBuilt(folder))
  const isPage = new Set<string>(pagePaths)
  return {
    find(path) {
      if (isPage.has(path)) return { name: path, page: read()?.page ?? notBuilt }
      const page = path.startsWith('/assets/') ? read()?.files.get(path) : undefined
      return page && { name: filePath, page }
    },
  }
}
