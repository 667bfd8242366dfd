// The console in a real browser, over the whole service with the sandbox. Whatever is wrong with a page while it is driven
// is a complaint: an error of its script, a breach of its policy, a request that leaves the service.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { openBrowser } from './browser.ts'
import { buildConsole } from './console-built.ts'
import type { Script } from './scripted-platform.ts'
import { type Service, type ServiceOptions, startOverSandbox, startScripted } from './service.ts'

/** longer than anything takes on a machine that does much else; what is wrong still ends */
const patienceMs = 20_000

export const token = 'the-token-of-the-Operator-q8Zr2Vx5'

export interface PageOptions extends BrowserContextOptions {
  /** where it begins; by default at the overview */
  readonly path?: string
  /** false: at the way in */
  readonly signedIn?: boolean
  /** where the door is reached, if not at its own address: a line that can be cut, say */
  readonly at?: string
}

export interface ConsoleScene {
  readonly browser: Browser
  readonly service: Service
  /** the platform that it reads */
  readonly sandbox: Sandbox
  /** of the operator's door */
  readonly url: string
  readonly token: string
  /** what was wrong with any page so far: a test that expects some takes them out */
  readonly complaints: string[]
  /** a page of a browser that nobody has used, signed in */
  page(options?: PageOptions): Promise<Page>
}

/** the browser itself tells of every refusal of the door, which a page may well have asked for */
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
  /** in the place of the sandbox, a platform that the test scripts */
  readonly over?: Script
}

/** undefined where there is no browser. Ends with the test */
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
  const url = service.operatorUrl ?? assert.fail('the door is closed')
  const complaints: string[] = []
  return {
    ...{ browser, service, url, token, complaints },
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
      // the frame, and not what stands there until it is known whether there is a session
      await page.locator(signedIn ? '#main' : 'main').waitFor()
      return page
    },
  }
}

/** each is kept over the one scene, and leaves nothing that was wrong behind */
export const promisesOf =
  (t: TestContext, scene: ConsoleScene) => (title: string, check: (scene: ConsoleScene) => Promise<void>) =>
    t.test(title, async () => {
      await check(scene)
      assert.deepEqual(scene.complaints.splice(0), [])
    })

/** both themes at a desk and on a telephone: every page is looked at in each */
export const looks = [
  ['light, wide', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark, wide', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['light, narrow', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ['dark, narrow', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const satisfies readonly (readonly [string, BrowserContextOptions])[]

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

/** answers of what takes something away, as they are where a replica could be told by nobody */
export const untold = (page: Page, path: string) =>
  page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), untoldUntil: '2099-03-03T12:00:00Z' } })
  })

/** what axe holds to be a serious or critical barrier on the page as it stands */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const violations = await page.evaluate<readonly Violation[]>('axe.run().then(({ violations }) => violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** whether the page itself would have to be moved sideways */
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

/** all that a page holds where others could find it: its elements and fields, what is kept for it, addresses */
export const tracesOf = (page: Page): Promise<string> => page.evaluate<string>(everything)
