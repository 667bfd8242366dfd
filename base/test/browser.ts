// Chromium for a test. Without it, a message says that the browser tests are skipped.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

const candidates = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome']
const executablePath = candidates.find((path) => path !== undefined && existsSync(path))
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const silence = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

/** one browser for all tests of the process, since it starts slowly; each test has its own profiles */
let opened: Promise<Browser> | undefined

const launch = (more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath ?? '', args: [...flags, ...silence, ...more] })

async function sharedBrowser(): Promise<Browser> {
  opened ??= launch([])
  const browser = await opened
  if (browser.isConnected()) return browser
  // if it crashed, the next test starts a new one
  opened = undefined
  return sharedBrowser()
}

after(async () => (await opened)?.close())

/**
 * Its profiles are closed when the test is over. Undefined if there is no browser, and then `what` is not tested. With `more`,
 * flags of its own, it is a separate browser for this test.
 */
export async function openBrowser(
  t: TestContext,
  what: string,
  more: readonly string[] = [],
): Promise<Browser | undefined> {
  if (executablePath === undefined) {
    const cure = 'NO CHROMIUM: install it (apt-get install chromium), or name its path in the variable CHROMIUM'
    if (process.env['CI'] !== undefined) assert.fail(cure)
    process.stderr.write(`\n*** ${cure}. ${what} goes untested. ***\n\n`)
    t.skip(cure)
    return undefined
  }
  const browser = more.length === 0 ? await sharedBrowser() : await launch(more)
  if (more.length > 0) t.after(() => browser.close())
  t.after(async () => {
    for (const visitor of browser.contexts()) await visitor.close()
  })
  return browser
}
