// The screenshots of the guide: each scene is shown with every run; `UPDATE_PICTURES=1` saves it.
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { call } from '../service-rig.ts'
import { openEngineConsole, withoutEngine } from './engine-scene.ts'

const folder = 'docs/console'
const mayKeep = process.env['UPDATE_PICTURES'] !== undefined

async function keep(page: Page, name: string) {
  const picture = await page.screenshot({ animations: 'disabled' })
  assert.deepEqual([...picture.subarray(1, 4)], [...Buffer.from('PNG')])
  if (!mayKeep) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), picture)
}

async function someContainers(url: string, key: string): Promise<string> {
  let id = ''
  for (const [name, memoryMiB, team] of [
    ['preview-418', 256, 'web'],
    ['agent-7', 1024, 'research'],
    ['nightly', 512, 'build'],
  ] as const) {
    const body = { image: 'base', name, limits: { memoryMiB }, labels: { team } }
    id = (await call(url, 'POST', '/containers', { key, body })).body.id
  }
  return id
}

async function run(page: Page) {
  await page.getByRole('textbox', { name: 'Command' }).fill('id; uname -s; echo "hello from $(hostname)"')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText(/^Exit code 0 after /).waitFor()
}

const wide = { width: 1280, height: 800 }
const scenes = [
  ['container-light.png', { colorScheme: 'light', viewport: wide }, 'containers?id=ID', run],
  [
    'overview-dark.png',
    { colorScheme: 'dark', viewport: wide },
    '',
    (page: Page) => page.getByText('nightly').waitFor(),
  ],
] as const

test('the screenshots of the guide can be taken again', { skip: withoutEngine, timeout: 120_000 }, async (t) => {
  const scene = await openEngineConsole(t)
  if (!scene) return
  const id = await someContainers(scene.url, scene.key)
  for (const [name, look, path, draw] of scenes) {
    const page = await scene.page({ ...look, path: join('/console', path.replace('ID', id)) })
    await draw(page)
    await keep(page, name)
    await page.context().close()
  }
  assert.deepEqual(scene.complaints, [])
})

test('the guide shows every picture that is there, and no other', () => {
  const shown = [...readFileSync('docs/console.md', 'utf8').matchAll(/\]\(console\/([\w-]+\.png)\)/g)].map(
    ([, one]) => one,
  )
  assert.deepEqual(new Set(shown), new Set(globSync(`${folder}/*.png`).map((file) => basename(file))))
  for (const [name] of scenes) assert.ok(existsSync(join(folder, name)), name)
})
