// The open pages: probes, the description, the reference, a page per error, and the same in Markdown for programs.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { prefersMarkdown } from '../../../base/web/accept.ts'
import { type OpenPage, PageText } from '../../../base/web/page-text.ts'
import type { PageRow } from '../../../base/web/pages.ts'
import { jsonType } from '../../../base/web/refusal.ts'
import { Problem } from '../problems.ts'
import { errorIndex, errorPage } from './error-pages.ts'

export interface Pages {
  readonly description: () => Promise<string>
  /** rejects while the service should get no traffic */
  readonly ready: () => Promise<void>
  readonly reference: () => Promise<ReadonlyMap<string, string>>
}

export class Site {
  readonly ready: Pages['ready']
  readonly #pages: Pages
  readonly #known = new Map<string, OpenPage>()

  constructor(pages: Pages) {
    this.ready = pages.ready
    this.#pages = pages
  }

  async page(path: string, make: (pages: Pages) => OpenPage | Promise<OpenPage>): Promise<OpenPage> {
    const page = this.#known.get(path) ?? (await make(this.#pages))
    this.#known.set(path, page)
    return page
  }

  markdown(path: string): Promise<OpenPage> {
    return this.page(path, async ({ reference }) => {
      const text = (await reference()).get(path)
      if (text === undefined) throw new Problem('route_not_found')
      return { text: new PageText('text/markdown; charset=utf-8', text), fields: vary }
    })
  }
}

/** nothing inline and nothing from other origins: people paste a key into the reference */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const folder = join(import.meta.dirname, 'docs')
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

const vary = ['vary', 'Accept-Encoding'] as const
const varyBoth = ['vary', 'Accept, Accept-Encoding'] as const
const guarded = ['content-security-policy', policy, 'referrer-policy', 'no-referrer'] as const

const fileText = (file: string): string => readFileSync(join(folder, file), 'utf8')

const assets = readdirSync(folder).flatMap((file): PageRow<Site>[] => {
  const type = types[extname(file)]
  if (type === undefined) return []
  const make = (): OpenPage => ({ text: new PageText(type, fileText(file)), fields: vary })
  return [{ name: `/docs/${file}`, find: (site, path) => site.page(path, make) }]
})

/** never cached: readiness is checked each time */
const health = (status: string): OpenPage => ({
  text: new PageText(jsonType, `{"status":"${status}"}`),
  fields: [],
  keep: 'no-store',
})
const [alive, isReady] = [health('ok'), health('ready')]

// the first two read no store: a restart does not fix a store that is down
const probes: readonly PageRow<Site>[] = [
  { name: '/livez', isProbe: true, find: () => alive },
  { name: '/healthz', isProbe: true, find: () => alive },
  { name: '/readyz', isProbe: true, find: ({ ready }) => ready().then(() => isReady) },
]
export const probePaths: readonly string[] = probes.map(({ name }) => name)

/** HTML, or Markdown if the caller prefers it */
const either =
  (textAt: (path: string) => string): PageRow<Site>['find'] =>
  async (site, path, accept) => {
    const twin = `${path.replace(/\/$/, '')}.md`
    const link = ['link', `<${twin}>; rel="alternate"; type="text/markdown"`]
    const page = await site.page(path, () => ({
      text: new PageText('text/html; charset=utf-8', textAt(path)),
      fields: [...varyBoth, ...link, ...guarded],
    }))
    if (!prefersMarkdown(accept)) return page
    return { text: (await site.markdown(twin)).text, fields: [...varyBoth, ...link] }
  }

const markdown: PageRow<Site>['find'] = (site, path) => site.markdown(path)
const reference = either(() => fileText('index.html'))

const describe = async ({ description }: Pages): Promise<OpenPage> => ({
  text: new PageText(jsonType, await description()),
  fields: vary,
})

const findError = either((path) => {
  const text = errorPage(path.slice('/errors/'.length))
  if (text === undefined) throw new Problem('route_not_found')
  return text
})

export const publicPages: readonly PageRow<Site>[] = [
  ...probes,
  { name: '/openapi.json', find: (site, path) => site.page(path, describe) },
  { name: '/docs', find: reference },
  { name: '/docs/', find: reference },
  ...assets,
  { name: '/errors', find: either(errorIndex) },
  {
    name: '/errors/:code',
    path: /^\/errors\/[\w-]+(?:\.md)?$/,
    find: (site, path, accept) => (path.endsWith('.md') ? site.markdown(path) : findError(site, path, accept)),
  },
  { name: '/llms.txt', find: markdown },
  { name: '/docs.md', find: markdown },
  { name: '/docs/routes.md', find: markdown },
  { name: '/docs/settings.md', find: markdown },
  { name: '/errors.md', find: markdown },
  { name: '/docs/routes/:page', path: /^\/docs\/routes\/\w{1,100}\.md$/, find: markdown },
  { name: '/docs/settings/:page', path: /^\/docs\/settings\/[\w.]{1,100}\.md$/, find: markdown },
]
