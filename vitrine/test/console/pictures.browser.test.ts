// The screenshots of the guide: each scene is shown with every run; `UPDATE_PICTURES=1` saves it.
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { type ConsoleScene, inEachTheme, openConsole } from '../support/console-scene.ts'

const folder = 'docs/console'
const mayKeep = process.env['UPDATE_PICTURES'] !== undefined
const [[, light], [, dark], [, narrow]] = inEachTheme

const account = (keyId: string, rest: object = {}) => ({ keyId, privateKeyFile: 'key.p8', ...rest })
const acme = { issuerId: '57246542-96fe-1a63-e053-0824d0110001' }
const other = { issuerId: '57246542-96fe-1a63-e053-0824d0110002' }
const connections = {
  northlight: account('ACMEKEY001', acme),
  'northlight-tv': account('ACMEKEY001', { ...acme, linkage: 'asked' }),
  paperboy: account('OTHERKEY01', other),
  'paperboy-lab': account('UNKNOWN001', other),
  solo: account('SOLOKEY001'),
}

/** an hour in some seconds: the clock advances by minutes, with some reads in each */
async function anHour({ service }: ConsoleScene, pass: () => void) {
  for (let minute = 0; minute < 60; minute++) {
    const asked = Object.keys(connections).filter((_, i) => (minute * (i + 2)) % 7 < 3 - (i % 2))
    for (const id of asked) await service.ask(`/v1/connections/${id}/apps?limit=${1 + (minute % 40)}`)
    if (minute % 9 === 4) await service.ask('/v1/connections/northlight/apps?nmae=x')
    if (minute < 59) pass()
  }
  const same = '/v1/connections/northlight/apps?limit=17'
  await Promise.all(Array.from({ length: 6 }, () => service.ask(same)))
}

async function someKeys({ service }: ConsoleScene) {
  const wishes = [
    { name: 'dashboards', connections: ['*'], groups: ['apps', 'builds', 'metrics'] },
    { name: 'ci-northlight', connections: ['northlight', 'northlight-tv'], groups: ['apps', 'builds'] },
    { name: 'support-agent', connections: ['northlight', 'paperboy'], groups: ['apps', 'feedback', 'reviews'] },
    { name: 'spreadsheet', connections: ['paperboy'], perMinute: 60 },
    { name: 'release-notes-bot', connections: ['solo', 'northlight'], groups: ['apps'] },
  ] as const
  for (const { name, connections: named, ...rest } of wishes)
    await service.issue({ name, connections: [...named], ...(rest as object), expiresAt: Date.now() + 90 * 86_400_000 })
}

async function keep(page: Page, name: string) {
  await page.waitForTimeout(300)
  const picture = await page.screenshot({ animations: 'disabled' })
  assert.deepEqual([...picture.subarray(1, 4)], [...Buffer.from('PNG')])
  if (!mayKeep) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), picture)
}

async function read(page: Page) {
  await page.getByRole('button', { name: 'Use example' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('columnheader', { name: 'bundleId' }).waitFor()
}

type Draw = (page: Page) => Promise<unknown>
const scenes: readonly [name: string, path: string, look: object, draw: Draw][] = [
  ['overview-light.png', '/', light, (page) => page.locator('.badge', { hasText: 'Key rejected' }).waitFor()],
  ['overview-narrow.png', '/', narrow, (page) => page.locator('.badge', { hasText: 'Key rejected' }).waitFor()],
  ['explorer-dark.png', '/explorer?connection=northlight&operation=listApps', dark, read],
  ['keys-light.png', '/keys', light, (page) => page.getByText('release-notes-bot').waitFor()],
  ['access-dark.png', '/access', dark, (page) => page.getByText('release-notes-bot').waitFor()],
  ['health-light.png', '/health', light, (page) => page.getByRole('heading', { name: 'Response time' }).waitFor()],
]

test('the screenshots of the guide can be taken again', async (t) => {
  let offset = 0
  const scene = await openConsole(t, { steady: () => performance.now() + offset, file: { connections } })
  if (!scene) return
  await anHour(scene, () => (offset += 60_000))
  await someKeys(scene)
  for (const [name, path, look, draw] of scenes) {
    const page = await scene.page({ ...look, path })
    await draw(page)
    await keep(page, name)
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})

test('each screenshot exists, is used in the guide, and is small enough', () => {
  const guide = readFileSync('docs/guides/console.md', 'utf8')
  const kept = globSync(`${folder}/*.png`).map((file) => basename(file))
  assert.deepEqual(kept.toSorted(), scenes.map(([name]) => name).toSorted())
  for (const name of kept) {
    assert.ok(guide.includes(`](../console/${name})`), `${name} is not shown`)
    assert.ok(existsSync(join(folder, name)) && readFileSync(join(folder, name)).length < 250_000, name)
  }
})
