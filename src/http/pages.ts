// The open pages: health, the description, the reference, a page per error. They need no key, and no work of their own for
// each request: every text is made once (page-text.ts).
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Problem } from '../problem.ts'
import { prefersMarkdown } from './accept.ts'
import { errorIndex, errorPage } from './error-pages.ts'
import type { Exchange } from './exchange.ts'
import { checkFraming, hasContent } from './framing.ts'
import type { Hosts } from './hosts.ts'
import { createMarkdown, linkTo, type MarkdownPages, markdownNameOf, markdownPaths, twinOf } from './markdown-pages.ts'
import { type Page, PageText } from './page-text.ts'
import { jsonType } from './refusal.ts'

export interface Pages extends MarkdownPages {
  /** the OpenAPI description, as text; made when it is first asked for */
  readonly description: () => Promise<string>
  /** rejects while the service should get no traffic */
  readonly ready: () => Promise<void>
}

/** nothing inline and nothing from elsewhere: the reference asks people to paste a key into it */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const folder = join(import.meta.dirname, 'docs')
const htmlType = 'text/html; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** the style sheet and the modules of the reference page */
const assets = readdirSync(folder).flatMap((file) => {
  const type = types[extname(file)]
  return type === undefined ? [] : [{ path: `/docs/${file}`, file, type }]
})

/** of the process: these are asked often, by machines, and tell nobody anything but this */
export const probePaths = ['/livez', '/healthz', '/readyz'] as const

const isProbe = (name: string): boolean => (probePaths as readonly string[]).includes(name)

const fixed = [...probePaths, '/openapi.json', '/docs', '/docs/', ...assets.map(({ path }) => path), '/errors']
const fixedPaths: ReadonlySet<string> = new Set(fixed)
const errorPattern = '/errors/:code'

/** the names of the open pages: labels of metrics, so they are few */
export const openPaths: readonly string[] = [...fixed, errorPattern, ...markdownPaths]

/** the form of a name alone, of a page or of its twin in Markdown */
export const isErrorPath = (path: string): boolean =>
  path.startsWith('/errors/') && /^\/errors\/[\w-]+(?:\.md)?$/.test(path)

/** the name of the open page at this path; undefined: the rest of the door asks for a key first */
export function openNameOf(path: string): string | undefined {
  if (fixedPaths.has(path)) return path
  return isErrorPath(path) ? errorPattern : markdownNameOf(path)
}

const vary = ['vary', 'Accept-Encoding'] as const
const varyBoth = ['vary', 'Accept, Accept-Encoding'] as const
const guarded = ['content-security-policy', policy, 'referrer-policy', 'no-referrer'] as const

/** whether it is ready is found out each time, and nobody may keep it */
const health = (status: string): Page => ({
  text: new PageText(jsonType, `{"status":"${status}"}`),
  ...{ fields: [], keep: 'no-store' },
})

export type FindPage = (path: string, accept: string | undefined) => Page | Promise<Page>

type FindText = ReturnType<typeof createMarkdown>

/** the pages for people, each made when it is first asked for; their twin where the caller prefers Markdown */
function createEithers(markdown: FindText, reference: () => string): FindPage {
  const known = new Map<string, Page>()

  function textAt(path: string): string {
    if (path === '/errors') return errorIndex()
    if (!isErrorPath(path)) return reference()
    const text = errorPage(path.slice('/errors/'.length))
    if (text === undefined) throw new Problem('route_not_found')
    return text
  }

  return async (path, accept) => {
    const page = known.get(path) ?? {
      text: new PageText(htmlType, textAt(path)),
      fields: [...varyBoth, ...linkTo(path), ...guarded],
    }
    known.set(path, page)
    if (!prefersMarkdown(accept)) return page
    return { text: await markdown(twinOf(path)), fields: [...varyBoth, ...linkTo(path)] }
  }
}

/** what is open at a path; finding throws a Problem where nothing is */
export function createPages(pages: Pages): FindPage {
  const { description, ready } = pages
  const asset = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const markdown = createMarkdown(pages)
  const either = createEithers(markdown, () => asset('index.html'))
  const [live, isReady] = [health('ok'), health('ready')]
  const files = new Map(
    assets.map(({ path, file, type }) => [path, { text: new PageText(type, asset(file)), fields: vary }]),
  )
  let described: Page | undefined
  return async (path, accept) => {
    // neither asks the store: a process that is started anew for a store that is away is no better off
    if (path === '/livez' || path === '/healthz') return live
    if (path === '/readyz') return ready().then(() => isReady)
    if (path === '/openapi.json')
      return (described ??= { text: new PageText(jsonType, await description()), fields: vary })
    const file = files.get(path)
    if (file) return file
    if (path.endsWith('.md') || path === '/llms.txt') return { text: await markdown(path), fields: vary }
    return either(path, accept)
  }
}

interface Answering {
  /** its label */
  readonly name: string
  readonly hosts?: Hosts | undefined
  readonly stopping: () => boolean
  readonly find: (accept: string | undefined) => Page | Promise<Page>
}

/** throws a Problem where it is refused */
export async function answerPage(exchange: Exchange, { name, hosts, stopping, find }: Answering) {
  const { req, target } = exchange
  exchange.begin(name)
  exchange.closes = hasContent(req) || stopping()
  checkFraming(req, target)
  // what watches over the process asks for whatever name, and hears nothing but how it is
  if (!isProbe(name)) hosts?.check(req, target)
  if (!exchange.isReading) throw new Problem('method_not_allowed')
  const page = await find(req.headers.accept)
  const one = await page.text.as(req.headers['accept-encoding'])
  exchange.closes ||= stopping()
  exchange.sendPage(page, one)
}
