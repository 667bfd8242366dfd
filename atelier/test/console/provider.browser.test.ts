// Signing in to the console with an OpenID Connect provider, in a real browser.
import assert from 'node:assert/strict'
import test from 'node:test'
import { clientId, openTestProvider } from '../../../base/test/oidc.ts'
import { openRig } from '../service-rig.ts'
import { email, hashed, openPages, password } from './scene.ts'
import { freePort } from '../../../base/test/free-port.ts'

test('the console is entered with the provider; where that fails, the password leads to the same page', async (t) => {
  const port = await freePort()
  // the service at `localhost` and the provider at `127.0.0.1` are two sites for the browser
  const publicUrl = `http://localhost:${port}`
  const provider = await openTestProvider(t, { redirectUri: `${publicUrl}/auth/oidc/callback` })
  const oidc = { issuer: provider.issuer, clientId }
  const rig = await openRig(t, { settings: { listen: `127.0.0.1:${port}`, publicUrl, oidc } })
  const pages = await openPages(t, () => publicUrl)
  if (!pages) return
  await rig.account(email, hashed)
  const follow = async (person: object) => {
    provider.person = { ...provider.person, ...person }
    const page = await pages.page({ signedIn: false, path: '/console/images?id=none' })
    await page.getByRole('link', { name: /^Sign in with 127\.0\.0\.1/ }).click()
    return page
  }
  const stranger = await follow({ sub: 'stranger', email: 'stranger@example.org', email_verified: true })
  await stranger.getByRole('alert').waitFor()
  await stranger.getByLabel('E-mail').fill(email)
  await stranger.getByLabel('Password').fill(password)
  await stranger.getByRole('button', { name: 'Sign in' }).click()
  await stranger.getByText('There is no such image. Choose one from the list.').waitFor()
  assert.equal(stranger.url(), `${publicUrl}/console/images?id=none`)

  const holder = await follow({ sub: 'holder', email, email_verified: true })
  await holder.getByText('There is no such image. Choose one from the list.').waitFor()
  assert.equal(holder.url(), `${publicUrl}/console/images?id=none`)
  assert.deepEqual(
    pages.complaints.filter((one) => !one.includes(provider.issuer)),
    [],
  )
})
