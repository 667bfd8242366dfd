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

interface ReferenceOptions {
  /** of the OpenAPI description that the reference shows */
  readonly descriptionPath?: string
  /** false: the reference is not served in Markdown */
  readonly inMarkdown?: boolean
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

function operationIds(description: string): ReadonlySet<string> {
  const { paths } = JSON.parse(description) as Described
  return new Set(Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)))
}

export class Site {
  readonly ready: Pages['ready']
  readonly descriptionPath: string
  readonly #inMarkdown: boolean
  readonly #pages: Pages
  readonly #known = new Map<string, OpenPage>()
  #operations: Promise<ReadonlySet<string>> | undefined

  constructor(pages: Pages, { descriptionPath = '/openapi.json', inMarkdown = true }: ReferenceOptions = {}) {
    this.ready = pages.ready
    this.descriptionPath = descriptionPath
    this.#inMarkdown = inMarkdown
    this.#pages = pages
  }

  async page(path: string, make: (pages: Pages) => OpenPage | Promise<OpenPage>): Promise<OpenPage> {
    const page = this.#known.get(path) ?? (await make(this.#pages))
    this.#known.set(path, page)
    return page
  }

  /** the ids of the operations that the description names */
  operations(): Promise<ReadonlySet<string>> {
    return (this.#operations ??= this.#pages.description().then(operationIds))
  }

  async hasMarkdown(path: string): Promise<boolean> {
    return this.#inMarkdown && (await this.#pages.reference()).has(path)
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

/** HTML, or Markdown if the caller prefers it; `twin`: the path of the Markdown, if there is any */
async function either(
  site: Site,
  path: string,
  accept: string | undefined,
  twin: string | undefined,
  textAt: (path: string) => string,
): Promise<OpenPage> {
  const link = twin === undefined ? [] : ['link', `<${twin}>; rel="alternate"; type="text/markdown"`]
  const page = await site.page(path, () => ({
    text: new PageText('text/html; charset=utf-8', textAt(path)),
    fields: [...varyBoth, ...link, ...guarded],
  }))
  if (twin === undefined || !prefersMarkdown(accept)) return page
  return { text: (await site.markdown(twin)).text, fields: [...varyBoth, ...link] }
}

const eitherWith =
  (textAt: (path: string) => string): PageRow<Site>['find'] =>
  (site, path, accept) =>
    either(site, path, accept, `${path}.md`, textAt)

const markdown: PageRow<Site>['find'] = (site, path) => site.markdown(path)

const referenceTwin = ' rel="alternate" type="text/markdown" href="/docs.md"'

/** the same document for each of its pages, which its script draws; `twin` as for `either` */
function referenceText({ descriptionPath }: Site, twin: string | undefined): string {
  const text = fileText('index.html').replaceAll('"/openapi.json"', `"${descriptionPath}"`)
  if (twin === undefined) return text.replace(`    <link${referenceTwin} />\n`, '')
  return text.replace(referenceTwin, referenceTwin.replace('/docs.md', twin))
}

async function referencePage(site: Site, path: string, accept: string | undefined, markdownPath: string) {
  const twin = (await site.hasMarkdown(markdownPath)) ? markdownPath : undefined
  return either(site, path, accept, twin, () => referenceText(site, twin))
}

const reference: PageRow<Site>['find'] = (site, path, accept) => referencePage(site, path, accept, '/docs.md')

/** a person who mistyped an operation is shown which ones there are */
const findOperation: PageRow<Site>['find'] = async (site, path, accept) => {
  const id = path.slice('/docs/'.length)
  if ((await site.operations()).has(id)) return referencePage(site, path, accept, `/docs/routes/${id}.md`)
  if (accept?.includes('text/html') !== true) throw new Problem('route_not_found')
  return { ...(await reference(site, '/docs', 'text/html')), status: 404 }
}

const describe = async ({ description }: Pages): Promise<OpenPage> => ({
  text: new PageText(jsonType, await description()),
  fields: vary,
})

const front = (): OpenPage => ({
  text: new PageText(
    'text/plain; charset=utf-8',
    'Vitrine: a read-only facade over the App Store Connect API. Reference: /docs\n',
  ),
  fields: vary,
})

const findError = eitherWith((path) => {
  const text = errorPage(path.slice('/errors/'.length))
  if (text === undefined) throw new Problem('route_not_found')
  return text
})

/** the reference in HTML, with its files */
export const referenceNames: readonly string[] = [
  '/docs',
  '/docs/',
  '/docs/:operation',
  ...assets.map(({ name }) => name),
]

export const publicPages: readonly PageRow<Site>[] = [
  ...probes,
  { name: '/', find: (site, path) => site.page(path, front) },
  { name: '/openapi.json', find: (site, path) => site.page(path, describe) },
  { name: '/docs', find: reference },
  { name: '/docs/', find: reference },
  { name: '/docs/:operation', path: /^\/docs\/\w{1,100}$/, find: findOperation },
  ...assets,
  { name: '/errors', find: eitherWith(errorIndex) },
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
