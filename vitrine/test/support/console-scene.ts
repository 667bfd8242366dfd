// The console in a real browser, over the whole service with the sandbox. Every script error, policy violation and
// request to another origin is recorded as a complaint.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { openBrowser } from '../../../base/test/browser.ts'
import { buildConsole } from './console-build.ts'
import type { Script } from './scripted-platform.ts'
import { type Service, type ServiceOptions, startOverSandbox, startScripted } from './service.ts'

/** longer than any step takes on a busy machine */
const patienceMs = 20_000

export const token = 'the-token-of-the-Operator-q8Zr2Vx5'

export interface PageOptions extends BrowserContextOptions {
  /** the first page; by default the overview */
  readonly path?: string
  /** false: the sign-in page */
  readonly signedIn?: boolean
  /** the address of the operator endpoint, if it is reached through a proxy */
  readonly at?: string
}

export interface ConsoleScene {
  readonly browser: Browser
  readonly service: Service
  readonly sandbox: Sandbox
  /** of the operator endpoint */
  readonly url: string
  readonly token: string
  /** everything that went wrong on any page so far; a test removes what it expects */
  readonly complaints: string[]
  /** a page in a new browser profile, signed in */
  page(options?: PageOptions): Promise<Page>
}

/** the browser logs every refusal of the endpoint, which may be an expected one */
const isRefusal = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource') && message.location().url.includes('/operator/v1/')

function listen(page: Page, origin: string, complaints: string[]) {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isRefusal(message)) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol !== 'data:' && asked.origin !== origin) complaints.push(`left for ${asked.href}`)
  })
}

export interface SceneOptions extends ServiceOptions {
  /** a scripted platform instead of the sandbox */
  readonly over?: Script
}

/** undefined without a browser; closed when the test ends */
export async function openConsole(
  t: TestContext,
  { over, ...options }: SceneOptions = {},
): Promise<ConsoleScene | undefined> {
  const browser = await openBrowser(t, 'The console')
  if (!browser) return undefined
  buildConsole()
  const masterKeys = `m1:${randomBytes(32).toString('base64')}`
  const whole = {
    ...options,
    file: { operatorListen: '127.0.0.1:0', ...options.file },
    secrets: { operatorToken: token, masterKeys, ...options.secrets },
  }
  const { service, close, ...rest } = await (over ? startScripted(over, whole) : startOverSandbox(whole))
  t.after(close)
  const url = service.operatorUrl ?? assert.fail('the operator endpoint is closed')
  const complaints: string[] = []
  return {
    browser,
    service,
    url,
    token,
    complaints,
    get sandbox() {
      return 'sandbox' in rest ? rest.sandbox : assert.fail('the platform is scripted')
    },
    async page({ path = '/', signedIn = true, at = url, ...context } = {}) {
      const visitor = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context })
      visitor.setDefaultTimeout(patienceMs)
      if (signedIn) {
        const answer = await visitor.request.post(`${at}/operator/v1/session`, { data: { token } })
        assert.equal(answer.status(), 201, await answer.text())
      }
      const page = await visitor.newPage()
      listen(page, at, complaints)
      await page.addInitScript("addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective))")
      await page.goto(`${at}${path}`)
      // wait for the frame, not for what is shown until the session is known
      await page.locator(signedIn ? '#main' : 'main').waitFor()
      return page
    },
  }
}

/** runs every test on the one scene, and requires that none leaves a complaint */
export const promisesOf =
  (t: TestContext, scene: ConsoleScene) => (title: string, check: (scene: ConsoleScene) => Promise<void>) =>
    t.test(title, async () => {
      await check(scene)
      assert.deepEqual(scene.complaints.splice(0), [])
    })

/** each page is checked in both themes, at desktop and phone size */
export const inEachTheme = [
  ['light, wide', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark, wide', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['light, narrow', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ['dark, narrow', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const satisfies readonly (readonly [string, BrowserContextOptions])[]

const axe = readFileSync('../node_modules/axe-core/axe.min.js', 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

/** makes revocation answers say that a replica could not be reached */
export const answerUnconfirmed = (page: Page, path: string) =>
  page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), untoldUntil: '2099-03-03T12:00:00Z' } })
  })

/** the serious and critical barriers that axe finds on the page */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const violations = await page.evaluate<readonly Violation[]>('axe.run().then(({ violations }) => violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** whether the page scrolls sideways */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

const everything = `(() => {
  const fields = [...document.querySelectorAll('input, textarea, select')].map(({ value }) => value)
  const kept = [localStorage, sessionStorage].map((place) => JSON.stringify({ ...place }))
  const told = [document.title, location.href, JSON.stringify(history.state), document.cookie, window.name]
  const names = performance.getEntries().map(({ name }) => name)
  const whole = [document.documentElement.outerHTML, getSelection().toString(), ...told, ...names, ...fields, ...kept]
  return whole.join('\\n')
})()`

/** everything on a page that a script could read: elements, fields, storage, addresses */
export const tracesOf = (page: Page): Promise<string> => page.evaluate<string>(everything)
