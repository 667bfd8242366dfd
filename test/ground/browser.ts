// Chromium for a test, or the loud word that there is none.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

const candidates = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome']
const executablePath = candidates.find((path) => path !== undefined && existsSync(path))
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const silence = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

/** one for all tests of the process: it takes longer to start than many a test to run. Each test has visitors of its own */
let opened: Promise<Browser> | undefined

const launch = (more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath ?? '', args: [...flags, ...silence, ...more] })

async function sharedBrowser(): Promise<Browser> {
  opened ??= launch([])
  const browser = await opened
  if (browser.isConnected()) return browser
  // one that fell over takes no other test along
  opened = undefined
  return sharedBrowser()
}

after(async () => (await opened)?.close())

/**
 * Its visitors are gone when the test is over; undefined where there is no browser, and `what` goes untested. `more`: flags of its
 * own, and then it is one for this test alone.
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
