// Images and commands in the console, in a real browser over a real engine (Docker).
import assert from 'node:assert/strict'
import test from 'node:test'
import { programTar } from '../../src/engine/small-tar.ts'
import { openEngineConsole, withoutEngine } from './engine-scene.ts'
import { assertAccessible, type ConsoleScene } from './scene.ts'

type Page = Awaited<ReturnType<ConsoleScene['page']>>

const hostile = '<img src=x onerror=document.title=1>'

async function buildsAndRefuses(page: Page) {
  await page.getByRole('button', { name: 'Build image' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('mine')
  await dialog.getByRole('textbox', { name: 'Dockerfile' }).fill('FROM base\nADD x /x')
  await dialog.getByRole('button', { name: 'Build image' }).click()
  await dialog.getByText(/^Line 2 of the Dockerfile: /).waitFor()
  await dialog.getByRole('textbox', { name: 'Dockerfile' }).fill(`FROM base
COPY files/note.txt /note.txt
RUN echo 'built ${hostile}'; printf '\\033[31m\\342\\200\\256'
`)
  const buffer = programTar('files', 'note.txt', Buffer.from('from the context\n'))
  await dialog.getByLabel('Files for COPY').setInputFiles({ name: 'c.tar', mimeType: 'application/x-tar', buffer })
  await dialog.getByRole('button', { name: 'Build image' }).click()
  await page.getByText('The image is ready.').waitFor()
  const log = await page.getByRole('region', { name: 'Build log' }).last().innerText()
  assert.ok(log.includes(`built ${hostile}`) && log.includes('\u27E8U+001B\u27E9[31m\u27E8U+202E\u27E9'), log)
}

async function runs(page: Page) {
  await page.getByRole('link', { name: 'Containers', exact: true }).click()
  await page.getByRole('button', { name: 'Create the first container' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Image').fill('mine')
  await dialog.getByRole('button', { name: 'Create container' }).click()
  await page.getByRole('textbox', { name: 'Command' }).fill(`cat /note.txt; echo '${hostile}' >&2; exit 3`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText(/^Exit code 3 after /).waitFor()
  const output = page.getByRole('region', { name: 'Output' })
  assert.equal(await output.locator('.stdout').innerText(), 'from the context\n')
  assert.equal(await output.locator('.stderr').innerText(), `${hostile}\n`)
  assert.equal(await output.locator('img').count(), 0)
}

async function deletes(page: Page) {
  await page.getByRole('link', { name: 'Images', exact: true }).click()
  await page.getByRole('row', { name: /mine/ }).click()
  const press = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await press('Delete image')
  await page.getByText('Containers use this image. Delete them first.').waitFor()
  await press('Cancel')
}

test(
  'an image is built from a Dockerfile and a tar with its log, run in a container, and kept while it is used',
  { skip: withoutEngine, timeout: 300_000 },
  async (t) => {
    const scene = await openEngineConsole(t)
    if (!scene) return
    const page = await scene.page({ path: '/console/images' })
    await buildsAndRefuses(page)
    await assertAccessible(page, 'an image')
    await runs(page)
    await assertAccessible(page, 'output')
    await deletes(page)
    assert.equal(await page.title(), 'Images \u00B7 Atelier')
    assert.deepEqual(scene.complaints, [])
  },
)
