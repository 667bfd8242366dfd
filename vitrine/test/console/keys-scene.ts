// What the tests of the keys and access pages share.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Locator, Page } from 'playwright-core'
import { type KeyInput } from '../../src/keys/keys.ts'
import type { ConsoleScene } from '../support/console-scene.ts'
import { type Service, tester } from '../support/service.ts'

export const hostile = '<img src="https://elsewhere.example/x" onerror="document.title=1">\u202Eevil'
/** as it is to be read */
export const hostileShown = '<img src="https://elsewhere.example/x" onerror="document.title=1">⟨U+202E⟩evil'

export const dayMs = 86_400_000

/** creates a key without the page, and returns its id */
export async function issue({ running }: Service, wish: Partial<KeyInput> & { name: string }): Promise<string> {
  const { shown } = await running.keys.issue({ connections: ['acme'], ...wish }, tester)
  return shown.id
}

/** a settings file with this many connections, beside those of the tests */
export function manyConnections(amount: number): Record<string, object> {
  const account = { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKeyFile: 'key.p8' }
  const ids = Array.from({ length: amount }, (_, i) => `account-${String(i).padStart(3, '0')}`)
  return Object.fromEntries(ids.map((id) => [id, account]))
}

export const dialog = (page: Page): Locator => page.getByRole('dialog')
export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true })
export const panel = (page: Page): Locator => page.locator('.panel')

/** the form for a new key, with a name */
export async function openForm(page: Page, name = 'ci') {
  await button(page, 'Create key').click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name)
}

export const send = (page: Page): Promise<void> => button(dialog(page), 'Create key').click()

export interface Heard {
  readonly status: number
  readonly json: any
}

/** asks the public endpoint with the key */
export function askWith(service: Service, key: string, path: string): Promise<Heard> {
  return new Promise((ok, no) => {
    const headers = { authorization: `Bearer ${key}` }
    const req = request(`${service.url}${path}`, { headers, agent: false }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', no)
      res.on('end', () => ok({ status: res.statusCode ?? 0, json: JSON.parse(Buffer.concat(parts).toString()) }))
    })
    req.on('error', no)
    req.end()
  })
}

/** the key that the dialog shows */
export async function shownSecret(page: Page): Promise<string> {
  const secret = (await dialog(page).getByRole('textbox', { name: 'The new key' }).innerText()).trim()
  assert.match(secret, /^vtr_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
  return secret
}

/** closes the dialog by its own button */
export async function takeSecret(page: Page): Promise<string> {
  const secret = await shownSecret(page)
  await dialog(page).getByLabel('I have copied the key.').check()
  await button(dialog(page), 'Done').click()
  await dialog(page).waitFor({ state: 'detached' })
  return secret
}

/** the heap of the page as text, after a garbage collection */
export async function wholeMemory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const parts: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => parts.push(chunk))
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return parts.join('')
}

export const nodes = (page: Page): Promise<number> => page.evaluate('document.getElementsByTagName("*").length')

/** from elsewhere, as by signing out in another tab */
export async function endSession(page: Page, { url }: ConsoleScene) {
  const { request } = page.context()
  const { csrf } = (await (await request.get(`${url}/operator/v1/session`)).json()) as { csrf: string }
  const answer = await request.delete(`${url}/operator/v1/session`, { headers: { 'x-vitrine-csrf': csrf } })
  assert.equal(answer.status(), 200)
}

/** the page may have noticed the end of the session first */
export const clickIfThere = (one: Locator): Promise<void> => one.click({ timeout: 2_000 }).catch(() => undefined)

export async function signInAgain(page: Page, { token }: ConsoleScene) {
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
  await page.getByLabel('Operator token').fill(token)
  await button(page, 'Sign in').click()
}
