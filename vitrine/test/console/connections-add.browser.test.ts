// Long: every way to provide a private key, every mistake, and that nothing of the key is left.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { openConsole, token } from '../support/console-scene.ts'
import { refuse } from '../support/scripted-platform.ts'
import {
  account,
  askedOf,
  beginAdding,
  button,
  choose,
  dialogOf,
  drop,
  fingerprintOf,
  otherCurve,
  panelOf,
  pem,
  strangerPem,
  watchKeys,
} from './key-upload-page.ts'
import { untilEqual } from '../../../base/test/until.ts'

const path = '/connections'
const p8 = { name: 'AuthKey_ACMEKEY001.p8', bytes: pem }

test('a dropped key file is inspected, checked and stored, and nothing of the key stays in the page', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  const holdsNone = watchKeys(scene, page)
  const dialog = await beginAdding(page)
  await drop(page, p8)
  await dialog.getByText('AuthKey_ACMEKEY001.p8, 241 bytes').waitFor()
  await dialog.getByText('usable').waitFor()
  await untilEqual(() => dialog.locator('.connections-print').innerText(), fingerprintOf(pem))
  await dialog.getByText('Also the key of 3 connections: acme, other, solo. They share its quota.').waitFor()
  await untilEqual(() => dialog.getByLabel('Key ID').inputValue(), 'ACMEKEY001')
  await holdsNone('it was dropped')

  await dialog.getByLabel('ID', { exact: true }).fill('studio')
  await dialog.getByLabel('Issuer ID').fill(account.issuerId)
  await button(page, 'Add connection').last().click()
  await page.getByRole('heading', { name: 'studio added' }).waitFor()
  await dialog.getByText('The platform accepts the key, and the key may list apps.').waitFor()
  await holdsNone('it was stored')
  await button(page, 'View connection').click()
  await panelOf(page).getByRole('heading', { name: 'studio' }).waitFor()
  assert.equal(new URL(page.url()).search, '?id=studio')
  await page.getByRole('row').filter({ hasText: 'studio' }).getByText('hosted').waitFor({ state: 'attached' })
  await holdsNone('the dialog was closed')
  assert.ok((await scene.service.running.connections()).includes('studio'))
  assert.deepEqual(scene.complaints, [])
})

test('a file dropped on the page opens the form that takes it, and never replaces the page', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  const holdsNone = watchKeys(scene, page)
  await button(page, 'Add connection').waitFor()
  await drop(page, p8)
  await dialogOf(page).getByText('AuthKey_ACMEKEY001.p8, 241 bytes').waitFor()
  await holdsNone('it was dropped on the page')
  await button(page, 'Cancel').click()
  await beginAdding(page)
  await dialogOf(page).getByText('No key provided.').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a pasted key is never in the field, and a chosen file leaves no path', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path, permissions: ['clipboard-read', 'clipboard-write'] })
  const dialog = await beginAdding(page)
  const field = dialog.getByLabel('Private key')
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(strangerPem)})`)
  const holdsNone = watchKeys(scene, page)
  await field.focus()
  await page.keyboard.press('Control+V')
  await dialog.getByText('Pasted key, 241 bytes').waitFor()
  await dialog.getByText(fingerprintOf(strangerPem)).waitFor()
  await untilEqual(() => field.inputValue(), '')
  await holdsNone('it was pasted')
  await page.keyboard.press('Control+Z')
  await holdsNone('it was undone')

  // as the keyboard of a phone enters it
  await field.fill(pem)
  await dialog.getByText(fingerprintOf(pem)).waitFor()
  await untilEqual(() => field.inputValue(), '')
  await holdsNone('it was filled in')

  await choose(page, { name: 'AuthKey_2X9R4HXF34 (1).p8', bytes: strangerPem })
  await dialog.getByText('AuthKey_2X9R4HXF34 (1).p8, 241 bytes').waitFor()
  await untilEqual(() => dialog.locator('input[type=file]').inputValue(), '')
  await untilEqual(() => dialog.getByLabel('Key ID').inputValue(), '2X9R4HXF34')
  await button(page, 'Clear').click()
  await dialog.getByText('No key provided.').waitFor()
  await holdsNone('it was taken out')
  await button(page, 'Cancel').click()
  await holdsNone('the form was left')
  assert.deepEqual(scene.complaints, [])
})

test('an unusable key is refused with the reason, and a file that cannot be a key is not sent', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  const asked = askedOf(page, '/private-key')
  const dialog = await beginAdding(page)
  const fault = dialog.locator('.connections-key .fault')
  const saysOf = async (files: Parameters<typeof drop>[1][], reason: string) => {
    await drop(page, ...files)
    await fault.getByText(reason).waitFor()
    await dialog.getByText('No key provided.').waitFor()
    await untilEqual(() => dialog.getByLabel('Private key').getAttribute('aria-invalid'), 'true')
  }
  await saysOf(
    [{ name: 'big.p8', bytes: 'x'.repeat(8_193) }],
    'big.p8: The file has 8,193 bytes, which is too large for a key',
  )
  await saysOf(
    [{ name: 'a.p12', bytes: Buffer.from([0x30, 0x82, 0, 1, 0xff]) }],
    'a.p12: This is a binary file, such as a',
  )
  await saysOf([{ name: 'zero.p8', bytes: Buffer.alloc(100) }], 'zero.p8: This is a binary file')
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(pem, 'utf16le')])
  await saysOf([{ name: 'wide.p8', bytes: wide }], 'wide.p8: The file is encoded as UTF-16: save it as UTF-8.')
  await saysOf([p8, { name: 'two.p8', bytes: pem }], 'You provided 2 files: choose the one that holds the key.')
  await saysOf([], 'No file was dropped.')
  await dialog.getByLabel('Private key').fill('MIG')
  await fault.getByText('Too short for a key: paste the whole text of its file.').waitFor()
  assert.deepEqual(asked, [])

  const isTold: readonly (readonly [name: string, text: string, reason: string])[] = [
    [
      'c.pem',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'it is a certificate, not a private key.',
    ],
    ['p.pem', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'it is a public key, not a private one.'],
    ['curve.p8', otherCurve, 'it lies on the curve secp384r1, not on P-256.'],
    ['half.p8', pem.slice(0, 120), 'it is truncated: its last line is missing.'],
    ['empty.p8', '', 'it is empty.'],
    ['note.txt', 'Dear Ada, the key is in the safe.', 'it holds no private key in PEM form.'],
    ['v.json', '{"connections": {"studio": 1}}', 'it is JSON, and there is no private key in it.'],
  ]
  for (const [name, bytes, reason] of isTold)
    await saysOf([{ name, bytes }], `${name}: The private key cannot be used: ${reason}`)
  assert.equal(asked.length, isTold.length)
  await saysOf(
    [{ name: '<img src=x onerror=alert(1)>\u202E.p8', bytes: 'A'.repeat(60) }],
    '<img src=x onerror=alert(1)>⟨U+202E⟩.p8:',
  )
  await untilEqual(() => dialog.locator('img').count(), 0)
  assert.deepEqual(scene.complaints, [])
})

test('the file name fills in the key ID, and never replaces typed text', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  const dialog = await beginAdding(page)
  const keyId = dialog.getByLabel('Key ID')
  const names: readonly (readonly [string, string])[] = [
    ['AuthKey_2X9R4HXF34.p8', '2X9R4HXF34'],
    ['ApiKey_7B3K9QWE21.p8', '7B3K9QWE21'],
    ['backup.p8', '7B3K9QWE21'],
  ]
  for (const [name, filled] of names) {
    await drop(page, { name, bytes: pem })
    await dialog.getByText(`${name}, 241 bytes`).waitFor()
    await untilEqual(() => keyId.inputValue(), filled)
  }
  await keyId.fill('TYPEDBYHAND')
  await drop(page, p8)
  await dialog.getByText('The file name says').waitFor()
  await untilEqual(() => keyId.inputValue(), 'TYPEDBYHAND')
  await button(page, 'Use it').click()
  await untilEqual(() => keyId.inputValue(), 'ACMEKEY001')
})

test('faults are shown at their fields, while typing and from the API', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  const dialog = await beginAdding(page)
  const [id, keyId, issuer] = [
    dialog.getByLabel('ID', { exact: true }),
    dialog.getByLabel('Key ID'),
    dialog.getByLabel('Issuer ID'),
  ]
  const says = (label: string, text: string) =>
    dialog
      .locator('.field')
      .filter({ has: page.getByLabel(label, { exact: true }) })
      .locator('.fault')
      .getByText(text)
      .waitFor()
  await button(page, 'Add connection').last().click()
  await says('ID', 'Enter an ID.')
  await says('Private key', 'Provide the private key')
  await says('Key ID', 'Enter the key ID.')
  await says('Issuer ID', 'Enter the issuer ID.')
  await untilEqual(() => page.evaluate("document.activeElement.getAttribute('aria-required')"), 'true')

  await id.fill('two words')
  await says('ID', 'An ID can contain only letters, digits, dots, hyphens and underscores.')
  await id.fill('-x')
  await says('ID', 'An ID must start with a letter or a digit.')
  await id.fill('x'.repeat(65))
  await says('ID', 'Use at most 64 characters instead of 65.')
  await id.fill('acme')
  await says('ID', 'A connection with this ID already exists.')
  await keyId.fill('a.b')
  await says(
    'Key ID',
    'A key ID is 10 capital letters and digits. App Store Connect shows it in the list of keys, under Users and Access',
  )
  await issuer.fill('https://x')
  await says('Issuer ID', 'An issuer ID is a UUID. App Store Connect shows it above the list of keys')

  // another operator was first
  await id.fill('studio')
  await keyId.fill('NOBODY0001')
  await issuer.fill(account.issuerId)
  await choose(page, { name: 'stranger.p8', bytes: strangerPem })
  await dialog.getByText('usable').waitFor()
  await button(page, 'Add connection').last().click()
  await says('Key ID', 'The platform does not accept this signing key, so nothing was stored.')
  await untilEqual(() => page.evaluate("document.activeElement.getAttribute('aria-invalid')"), 'true')
  const wish = { id: 'studio', ...account, privateKey: pem, check: false }
  await fetch(`${scene.url}/operator/v1/connections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  })
  await keyId.fill(account.keyId)
  await button(page, 'Add connection').last().click()
  await says('ID', 'A connection with this id is there already. Choose another id')

  // the API checks the key again
  await id.fill('second')
  await page.route('**/operator/v1/private-key', (route) =>
    route.fulfill({ json: { usable: true, message: 'x', fingerprint: 'f'.repeat(64), usedBy: [] } }),
  )
  await choose(page, { name: 'curve.p8', bytes: otherCurve })
  await dialog.getByText('usable').waitFor()
  await button(page, 'Add connection').last().click()
  await says('Private key', 'The private key cannot be used: it lies on the curve secp384r1, not on P-256.')
  await dialog.getByText('No key provided.').waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('a key can be saved unchecked, and an individual key has no issuer', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const page = await scene.page({ path })
  const asked = askedOf(page, '/connections')
  const dialog = await beginAdding(page)
  await choose(page, p8)
  await dialog.getByText('usable').waitFor()
  await dialog.getByLabel('ID', { exact: true }).fill('solo-2')
  await dialog.getByLabel('Key type').selectOption('Individual key')
  await untilEqual(() => dialog.getByLabel('Issuer ID').count(), 0)
  await dialog.getByLabel('Check the key before saving').uncheck()
  await dialog.getByText('The key is saved unchecked. The first read shows whether it works.').waitFor()
  await dialog.getByText('Options').click()
  await dialog.getByLabel('Include linkages').check()
  await dialog.getByLabel('One token per request').check()
  await button(page, 'Add connection').last().click()
  await dialog.getByText('The key was not checked.').waitFor()
  const { privateKey, ...sent } = JSON.parse(asked.at(-1) ?? '')
  assert.equal(privateKey, pem)
  assert.deepEqual(sent, {
    id: 'solo-2',
    keyId: 'ACMEKEY001',
    check: false,
    linkage: 'asked',
    tokenScope: 'request',
  })
  await button(page, 'View connection').click()
  for (const fact of ['none (individual key)', 'included', 'one per request'])
    await panelOf(page).getByText(fact).waitFor()
})

test("a key that may not list apps is stored with that result, without the platform's words", async (t) => {
  const hostile = '<img src=x onerror="document.title=1">'
  const scene = await openConsole(t, {
    over: (_, res) => refuse(res, 403, 'FORBIDDEN_ERROR', { parameter: hostile }, { 'x-words': 'y' }),
  })
  if (!scene) return
  const page = await scene.page({ path })
  const dialog = await beginAdding(page)
  await choose(page, p8)
  await dialog.getByLabel('ID', { exact: true }).fill('studio')
  await dialog.getByLabel('Issuer ID').fill(account.issuerId)
  await dialog.getByText('usable').waitFor()
  await button(page, 'Add connection').last().click()
  await page.getByRole('heading', { name: 'studio added' }).waitFor()
  await dialog.getByText('accepted, cannot list apps').waitFor()
  await dialog.getByText("The connection's signing key may not read this resource.").waitFor()
  await button(page, 'View connection').click()
  // an API that repeated them would achieve nothing either
  await page.route('**/check', (route) =>
    route.fulfill({
      json: {
        ok: false,
        code: `</p>${hostile}`,
        message: `${hostile}\u202Eevil`,
        checkedAt: '2026-01-01T00:00:00.000Z',
      },
    }),
  )
  await button(page, 'Check now').click()
  await panelOf(page).getByText(`${hostile}⟨U+202E⟩evil`).waitFor()
  await untilEqual(() => page.locator('main img').count(), 0)
  assert.match(await page.title(), /^Connections/)
  assert.deepEqual(scene.complaints, [])
})

test('without a master key the form says what to do', async (t) => {
  const scene = await openConsole(t, { secrets: { masterKeys: undefined } })
  if (!scene) return
  const page = await scene.page({ path })
  const dialog = await beginAdding(page)
  await dialog.getByText('This service has no master key, so it cannot store credentials.').waitFor()
  await dialog.getByText('vitrine vault new-key --id k1 > master-keys.txt').waitFor()
  await untilEqual(() => dialog.getByRole('textbox').count(), 0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await untilEqual(() => page.evaluate('document.activeElement.textContent'), 'Add connection')
})

test('typed text outlives a session that ends meanwhile; the key does not, and another operator sees none of it', async (t) => {
  const tokens = join(mkdtempSync(join(tmpdir(), 'vitrine-tokens-')), 'tokens.txt')
  const another = 'Another-q8Zr2Vx5Lm7Tn4Kp9Wd3'
  writeFileSync(tokens, `${token}\n${another}\n`)
  const scene = await openConsole(t, { file: { operatorTokenFile: tokens }, secrets: { operatorToken: undefined } })
  if (!scene) return
  const page = await scene.page({ path })
  const holdsNone = watchKeys(scene, page)
  const dialog = dialogOf(page)
  const id = dialog.getByLabel('ID', { exact: true })
  const end = async () => {
    const { request } = page.context()
    const session = await (await request.get(`${scene.url}/operator/v1/session`)).json()
    await request.delete(`${scene.url}/operator/v1/session`, { headers: { 'x-vitrine-csrf': session.csrf } })
    await page.getByText('Your session has ended. Sign in to continue.').waitFor()
    await holdsNone('the session ended')
  }
  const signIn = async (as: string) => {
    await page.getByLabel('Operator token').fill(as)
    await button(page, 'Sign in').click()
    await page.getByRole('grid').waitFor()
  }
  await beginAdding(page)
  await id.fill('studio')
  await choose(page, p8)
  await dialog.getByText('usable').waitFor()
  await dialog.getByLabel('Issuer ID').fill(account.issuerId)
  await end()
  await signIn(token)
  await dialog.getByText('Your session ended before this was saved.').waitFor()
  await untilEqual(() => id.inputValue(), 'studio')
  await untilEqual(() => dialog.getByLabel('Key ID').inputValue(), 'ACMEKEY001')
  await dialog.getByText('No key provided.').waitFor()
  await holdsNone('the form came back')

  await end()
  await signIn(another)
  await untilEqual(() => dialog.count(), 0)
  await beginAdding(page)
  await untilEqual(() => id.inputValue(), '')
  await untilEqual(() => dialog.getByText('Your session ended before this was saved.').count(), 0)
  assert.deepEqual(scene.complaints, [])
})
