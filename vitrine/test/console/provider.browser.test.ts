import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { untilEqual } from '../../../base/test/until.ts'
import { clientId, openTestProvider } from '../../../base/test/oidc.ts'
import { ada, ann, clientSecret, kim, oidcRoles, way } from '../operator/provider-scene.ts'
import { barriers, isTooWide, inEachTheme, openConsole } from '../support/console-scene.ts'
import { freePort } from '../../../base/test/free-port.ts'

/** the console at `localhost` and the provider at `127.0.0.1` are two sites for the browser */
async function openScene(t: TestContext) {
  const port = await freePort()
  const operatorUrl = `http://localhost:${port}`
  const provider = await openTestProvider(t, { redirectUri: `${operatorUrl}${way}/callback`, clientSecret })
  const oidc = { issuer: provider.issuer, clientId, roles: oidcRoles }
  const file = { operatorListen: `127.0.0.1:${port}`, operatorUrl, oidc }
  const scene = await openConsole(t, { file, secrets: { oidcClientSecret: clientSecret } })
  if (!scene) return undefined
  const { complaints } = scene
  return {
    provider,
    complaints,
    page: (options: object = {}) => scene.page({ signedIn: false, at: operatorUrl, ...options }),
    /** that the browser leaves for the provider is what it should do */
    assertQuiet: () =>
      assert.deepEqual(
        complaints.splice(0).filter((one) => !one.includes(provider.issuer)),
        [],
      ),
  }
}

const wayOf = (page: Page) => page.getByRole('link', { name: /^Sign in with 127\.0\.0\.1/ })

async function enter(page: Page, who: string) {
  await wayOf(page).click()
  await page.getByText(`oidc:${who}`).waitFor()
}

const open = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true }).click()

test('the console signs in with the provider, and shows what the role may do and who has the rest', async (t) => {
  const scene = await openScene(t)
  if (!scene) return
  scene.provider.person = ann
  const page = await scene.page()
  await enter(page, ann.email)
  await page.reload()
  await page.getByText(`oidc:${ann.email}`).waitFor()
  await open(page, 'Keys')
  await page.getByText('Creating keys needs the role of a key manager. You are signed in as viewer.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create key' }).count(), 0)
  await open(page, 'Connections')
  await page.getByText('Adding connections needs the role of an administrator.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add connection' }).count(), 0)
  await open(page, 'Health')
  await page.getByText('Running checks needs the role of an administrator.').waitFor()
  assert.deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await wayOf(page).waitFor()

  for (const [person, canAdd] of [
    [kim, 0],
    [ada, 1],
  ] as const) {
    // prettier-ignore
    scene.provider.person = person
    const other = await scene.page()
    await enter(other, person.email)
    await open(other, 'Keys')
    await other.getByRole('button', { name: 'Create key' }).waitFor()
    await open(other, 'Connections')
    await other.getByRole('table').or(other.getByRole('grid')).first().waitFor()
    assert.equal(await other.getByRole('button', { name: 'Add connection' }).count(), canAdd)
  }
  scene.assertQuiet()
})

test('the sign-in page says why the provider led back, and keeps the token as a way', async (t) => {
  const scene = await openScene(t)
  if (!scene) return
  scene.provider.person = { ...ann, groups: [] }
  const page = await scene.page()
  await wayOf(page).click()
  await page.getByText('The provider knows you, but gives you no role here.').waitFor()
  await untilEqual(async () => new URL(page.url()).search, '')
  const odd = await scene.page({ path: '/?refused=%3Cimg%20src%3Dx%3E' })
  await odd.getByText('The sign-in with the provider failed. Start again.').waitFor()
  scene.provider.close()
  for (const [name, options] of inEachTheme) {
    const one = await scene.page(options)
    await wayOf(one).waitFor()
    assert.deepEqual([await barriers(one), await isTooWide(one)], [[], false], name)
    await one.getByLabel('Operator token').waitFor()
  }
  scene.assertQuiet()
})
