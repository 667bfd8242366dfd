// The console in a real browser, over the whole service with an engine in memory. Every script error, policy violation and request
// to another origin is recorded as a complaint.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { openBrowser } from '../../../base/test/browser.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { openRig, type RigOptions } from '../service-rig.ts'

/** longer than any step takes on a busy machine */
const patienceMs = 30_000

export const email = 'a@example.org'
export const password = 'correct horse battery'
const hashed = await hashPassword(password)

let isBuilt = false

/** builds only after a change, so that a test file run alone never sees a stale build */
export function buildConsole() {
  if (isBuilt) return
  execFileSync(process.execPath, [resolve('scripts/build-console.mjs')], { stdio: 'pipe', timeout: 120_000 })
  isBuilt = true
}

/** the browser logs every refusal of the API, which may be an expected one */
const isRefusal = (message: ConsoleMessage): boolean => message.text().startsWith('Failed to load resource')

function listen(page: Page, origin: string, complaints: string[]) {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isRefusal(message)) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (!['data:', 'blob:'].includes(asked.protocol) && asked.origin !== origin)
      complaints.push(`left for ${asked.href}`)
  })
}

export interface PageOptions extends BrowserContextOptions {
  /** the first page; by default the overview */
  readonly path?: string
  /** false: the sign-in page */
  readonly signedIn?: boolean
}

/** undefined without a browser; closed when the test ends. `url`: of a service that runs already, with this account */
export async function openConsole(t: TestContext, options: RigOptions & { readonly url?: string } = {}) {
  const browser = await openBrowser(t, 'The console')
  if (!browser) return undefined
  buildConsole()
  const rig = await openRig(t, options)
  const account = await rig.account(email, hashed)
  await rig.baseImage()
  const complaints: string[] = []
  return {
    ...rig,
    rig,
    account,
    browser,
    complaints,
    get url() {
      return rig.service.url
    },
    /** a page in a new browser profile, signed in */
    async page({ path = '/console', signedIn = true, ...context }: PageOptions = {}) {
      const { url } = rig.service
      const visitor = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context })
      visitor.setDefaultTimeout(patienceMs)
      if (signedIn) {
        const answer = await visitor.request.post(`${url}/auth/login`, { data: { email, password } })
        assert.equal(answer.status(), 200, await answer.text())
      }
      const page = await visitor.newPage()
      listen(page, url, complaints)
      await page.addInitScript("addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective))")
      await page.goto(`${url}${path}`)
      // wait for the frame, not for what is shown until the session is known
      await page.locator(signedIn ? '#main' : 'main').waitFor()
      return page
    },
  }
}

export type ConsoleScene = NonNullable<Awaited<ReturnType<typeof openConsole>>>

/** each page is checked in both themes, at desktop and phone size */
export const inEachTheme = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ].map((viewport) => ({ title: `${colorScheme}, ${viewport.width} px`, colorScheme, viewport })),
)

const axe = readFileSync('../node_modules/axe-core/axe.min.js', 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

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
