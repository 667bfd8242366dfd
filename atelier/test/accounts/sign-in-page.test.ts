import assert from 'node:assert/strict'
import test from 'node:test'
import { openBrowser } from '../../../base/test/browser.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { openRig } from '../service-rig.ts'

const password = 'correct horse battery'

test('a browser signs in by the form, and lands at `next` with a session', async (t) => {
  const browser = await openBrowser(t, 'the sign-in form')
  if (!browser) return
  const rig = await openRig(t)
  await rig.account('a@example.org', await hashPassword(password))
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${rig.service.url}/auth/login?next=${encodeURIComponent('/auth/session?')}`)
  await page.fill('[name=email]', 'a@example.org')
  await page.fill('[name=password]', 'wrong horse battery')
  await page.click('button')
  assert.match(await page.textContent('[role=alert]').then(String), /\w/)
  await page.fill('[name=password]', password)
  await page.click('button')
  assert.equal(page.url(), `${rig.service.url}/auth/session?`)
  assert.match(await page.textContent('body').then(String), /"email":"a@example\.org"/)
})
