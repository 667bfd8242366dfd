// The way into the console and out of it, in a real browser.
import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, type ConsoleScene, email, openConsole, password } from './scene.ts'

async function signIn(page: Awaited<ReturnType<ConsoleScene['page']>>, given = password) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(given)
  await page.keyboard.press('Enter')
}

test(
  'the console is entered with e-mail and password, keeps the page, and is left',
  { timeout: 120_000 },
  async (t) => {
    const scene = await openConsole(t)
    if (!scene) return
    const page = await scene.page({ signedIn: false, path: '/console/containers' })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, 'wrong horse battery')
    await page.getByText('The e-mail or the password is wrong.').waitFor()
    await assertAccessible(page, 'the sign-in page')
    await signIn(page)
    await page.getByText('No containers yet.').waitFor()
    assert.equal(new URL(page.url()).pathname, '/console/containers')
    assert.equal(await page.title(), 'Containers · Atelier')
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('meter', { name: 'Containers' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/console')
    await page.reload()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { cookies } = await page.context().storageState()
    assert.deepEqual(cookies, [])
    assert.deepEqual(scene.complaints, [])
  },
)
