// Enters private keys into the forms as people do, and checks that none is found anywhere afterwards.
import assert from 'node:assert/strict'
import { hash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { ConsoleScene } from '../support/console-scene.ts'
import { tracesOf } from '../support/console-scene.ts'
import { pem, pieces, strangerPem } from '../operator/manager.ts'

export { pem, strangerPem }

export const account = { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001' }

/** SHA-256 of the public key, in hex */
export const fingerprintOf = (text: string): string =>
  hash('sha256', createPublicKey(text).export({ type: 'spki', format: 'der' }), 'hex')

export const otherCurve = String(
  generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)

export interface File {
  readonly name: string
  readonly bytes: Buffer | string
}

/** as if they were dragged from a folder onto the dialog */
export const drop = (page: Page, ...files: readonly File[]): Promise<void> =>
  page.evaluate(`(() => {
    const dataTransfer = new DataTransfer()
    for (const { name, bytes } of ${JSON.stringify(files.map(({ name, bytes }) => ({ name, bytes: [...Buffer.from(bytes)] })))})
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], name))
    const target = document.querySelector('dialog') ?? document.body
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })()`)

export const choose = (page: Page, { name, bytes }: File): Promise<void> =>
  page
    .locator('dialog input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })

/** the bodies sent to this path */
export function askedOf(page: Page, path: string): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/operator/v1${path}`) asked.push(request.postData() ?? '')
  })
  return asked
}

/** returns a check that no piece of any key is found where a page keeps, shows or logs something */
export function watchKeys(scene: ConsoleScene, page: Page, ...more: readonly string[]) {
  const said: string[] = []
  page.on('request', (request) => void said.push(request.url(), JSON.stringify(request.headers())))
  page.on('console', (message) => void said.push(message.text()))
  const all = pieces(pem, strangerPem, ...more)
  return async (after: string) => {
    const told = [await tracesOf(page), ...said, JSON.stringify(scene.service.events)].join('\n')
    const found = all.filter((piece) => told.includes(piece))
    assert.deepEqual(found, [], `a piece of a private key is left after ${after}`)
    assert.ok(!told.includes('PRIVATE KEY-----'), `the frame of a private key is left after ${after}`)
  }
}

/** the panel of a connection, the dialog that is open */
export const panelOf = (page: Page) => page.locator('.panel')
export const dialogOf = (page: Page) => page.getByRole('dialog')
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export async function beginAdding(page: Page) {
  await button(page, 'Add connection').click()
  await dialogOf(page).waitFor()
  return dialogOf(page)
}
