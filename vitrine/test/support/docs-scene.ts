// The reference page in a real browser, against a small API server that records its requests.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { routes } from '../../src/catalogue/index.ts'
import { describeApi as describeRoutes } from '../../src/derive/openapi.ts'
import { openBrowser } from '../../../base/test/browser.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
const folder = join(import.meta.dirname, '../../src/pages/docs')
const types: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript' }

export const hostile =
  '<img src="https://elsewhere.example/x" onerror="document.title=1"><a href="javascript:1">\u202Eevil</a>'
export const cursor = 'page two/+&=\'"#'
export const key = 'vtr_test_0123456789_secret'

interface Parameter {
  readonly name: string
  readonly schema: { maxItems?: number }
}

interface Described {
  readonly paths: Readonly<Record<string, { get: { operationId: string; parameters?: readonly Parameter[] } }>>
  tags: readonly { name: string; description?: string }[]
}

/** the heading and introduction of the first group */
export const groupText = `Of the first group, \`code\` and ${hostile}`
/** the parameter of listApps that takes a single value */
export const singleParameter = 'versionState'

function describe(): Described {
  const examples = { listApps: { items: [{ id: '1', name: hostile }], nextCursor: null } }
  const whole = structuredClone(describeRoutes(routes, examples)) as unknown as Described
  whole.tags = whole.tags.map(({ name }, i) => (i === 0 ? { name, description: groupText } : { name }))
  const listApps = Object.values(whole.paths).find(({ get }) => get.operationId === 'listApps')
  const single = listApps?.get.parameters?.find(({ name }) => name === singleParameter)
  assert.ok(single)
  single.schema.maxItems = 1
  return whole
}

const description = describe()
export const operations = Object.values(description.paths).map(({ get }) => get)
export const ids = operations.map(({ operationId }) => operationId)

/** what the fake API received */
interface Received {
  readonly url: URL
  readonly authorization: string | undefined
}

export class FakeApi {
  readonly seen: Received[] = []
  broken = false
  readonly #server: Server = createServer((req, res) => this.#answer(req, res))

  async open(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #answer(req: IncomingMessage, res: ServerResponse) {
    const url = new URL(req.url ?? '/', 'http://endpoint')
    const send = (type: string, body: string | Buffer, status = 200) =>
      res.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy }).end(body)
    const [, file] = /^\/docs\/([a-z-]+\.(?:js|css))$/.exec(url.pathname) ?? []
    if (/^\/docs(\/\w+)?$/.test(url.pathname)) return send('text/html', readFileSync(join(folder, 'index.html')))
    if (file !== undefined) return send(types[extname(file)] ?? '', readFileSync(join(folder, file)))
    if (url.pathname === '/openapi.json')
      return this.broken ? send('text/plain', 'no', 503) : send('application/json', JSON.stringify(description))
    if (!url.pathname.startsWith('/v1/')) return send('text/plain', 'nothing here', 404)
    this.seen.push({ url, authorization: req.headers.authorization })
    res.setHeader('x-request-id', 'req_from_the_door')
    res.setHeader('ratelimit', '"key";r=59;t=1')
    const items = `[${JSON.stringify(hostile)},9007199254740993]`
    const nextCursor = JSON.stringify(url.searchParams.has('cursor') ? null : cursor)
    return send('application/json', `{"items":${items},"nextCursor":${nextCursor}}`)
  }
}

/** one visit to the page, with everything that went wrong during it */
export interface Visit {
  readonly page: Page
  readonly complaints: string[]
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const page = await (await browser.newContext(options)).newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol !== 'data:' && asked.origin !== new URL(url).origin) complaints.push(`left for ${asked.href}`)
  })
  await page.addInitScript("addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective))")
  await page.goto(url)
  return { page, complaints }
}

/** the request and its answer */
export const panelOf = (page: Page) => page.locator('.side')

/** goes to the page of an operation as a reader does, by its link in the contents */
export async function open(page: Page, id: string) {
  await page.locator(`#contents a[href="/docs/${id}"]`).click()
  await page.waitForURL(`**/docs/${id}`)
}

/** sends the request as filled in, and returns the shown answer */
export async function sendRequest(page: Page): Promise<string> {
  await page.fill('#key', key)
  await panelOf(page).getByRole('button', { name: 'Send' }).click()
  await panelOf(page).getByText('200 OK').waitFor()
  return await panelOf(page).locator('.json').innerText()
}

export interface Scene {
  readonly browser: Browser
  readonly endpoint: FakeApi
  readonly base: string
  /** a visit that also fails on a request to another origin, a policy violation or a script error */
  readonly promise: (
    title: string,
    check: (visit: Visit) => Promise<void>,
    at?: string,
    options?: BrowserContextOptions,
  ) => Promise<void>
}

/** undefined without a browser */
export async function openScene(t: TestContext): Promise<Scene | undefined> {
  const browser = await openBrowser(t, 'The reference page')
  if (!browser) return undefined
  const endpoint = new FakeApi()
  const base = await endpoint.open()
  t.after(() => endpoint.close())
  const promise: Scene['promise'] = (title, check, at = '', options = {}) =>
    t.test(title, async () => {
      const visited = await visit(browser, `${base}/docs${at}`, options)
      await check(visited)
      assert.deepEqual(visited.complaints, [])
      await visited.page.context().close()
    })
  return { browser, endpoint, base, promise }
}
