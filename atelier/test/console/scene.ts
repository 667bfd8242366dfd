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
export const hashed = await hashPassword(password)

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

/** pages of a service that runs; undefined without a browser */
export async function openPages(t: TestContext, serviceUrl: () => string) {
  const browser = await openBrowser(t, 'The console')
  if (!browser) return undefined
  buildConsole()
  const complaints: string[] = []
  return {
    complaints,
    /** a page in a new browser profile, signed in */
    async page({ path = '/console', signedIn = true, ...context }: PageOptions = {}) {
      const url = serviceUrl()
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

/** undefined without a browser; closed when the test ends */
export async function openConsole(t: TestContext, options: RigOptions = {}) {
  const rig = await openRig(t, options)
  const pages = await openPages(t, () => rig.service.url)
  if (!pages) return undefined
  const account = await rig.account(email, hashed)
  await rig.baseImage()
  return { ...rig, ...pages, rig, account }
}

export type ConsoleScene = NonNullable<Awaited<ReturnType<typeof openConsole>>>

const axe = readFileSync('../node_modules/axe-core/axe.min.js', 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

/** the serious and critical barriers that axe finds on the page */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const violations = await page.evaluate<readonly Violation[]>('axe.run().then(({ violations }) => violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
const wide = { width: 1280, height: 800 }
const narrow = { width: 360, height: 740 }

/** what is on the page has no barrier in both themes at desktop and phone size, and does not scroll sideways */
export async function assertAccessible(page: Page, what: string) {
  for (const viewport of [narrow, wide])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      assert.deepEqual(await barriers(page), [], `${what}: ${colorScheme}, ${viewport.width} px`)
      assert.equal(await page.evaluate(isTooWide), false, `${what}: ${viewport.width} px`)
    }
}
