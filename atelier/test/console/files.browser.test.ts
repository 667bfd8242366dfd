// Files of a container in the console, in a real browser over a real engine (Docker): hostile names, uploads, downloads, removal.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { createEngine } from '../../src/engine/create-engine.ts'
import { serveOn } from '../client/engine-rig.ts'
import { removeAll } from '../engines.ts'
import { call } from '../service-rig.ts'
import { assertAccessible, type ConsoleScene, hashed, openPages } from './scene.ts'

type Page = Awaited<ReturnType<ConsoleScene['page']>>

const rowOf = (page: Page, name: RegExp) => page.getByRole('row', { name })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const names = String.raw`cd /home/u; mkdir -p work/sub; cd work; echo hello > readme.md; touch "$(printf 'bad\377name')" "$(printf '\342\200\256gpj.exe')" '<img src=x onerror=document.title=1>'`

async function showsNames(page: Page) {
  await rowOf(page, /readme\.md/).waitFor()
  const shown = await page.locator('[role=row] bdi').allInnerTexts()
  assert.deepEqual(shown, [
    '<img src=x onerror=document.title=1>',
    'bad\\xffname',
    'readme.md',
    'sub/',
    '\u27E8U+202E\u27E9gpj.exe',
  ])
  await rowOf(page, /bad/).click()
  await page.getByText('No path can name this entry.').waitFor()
  await assertAccessible(page, 'files')
}

async function uploads(page: Page, content: Buffer) {
  const files = page.getByLabel('Files to upload')
  await files.setInputFiles({ name: 'data.bin', mimeType: 'text/plain', buffer: content })
  await page.getByText('All uploads are over.').waitFor()
  await rowOf(page, /data\.bin/).waitFor()
  await files.setInputFiles({ name: 'data.bin', mimeType: 'text/plain', buffer: content.subarray(1) })
  await page.getByText('There is a file or folder of this name.').waitFor()
  await press(page, 'Replace it')
  await page.evaluate(`{
    const transfer = new DataTransfer()
    transfer.items.add(new File(['dropped'], 'dropped.txt'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }`)
  await rowOf(page, /dropped\.txt/).waitFor()
}

async function downloads(page: Page, content: Buffer) {
  await rowOf(page, /data\.bin/).click()
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')])
  assert.equal(file.suggestedFilename(), 'data.bin')
  assert.ok((await readFile(await file.path())).equals(content.subarray(1)))
  const [tree] = await Promise.all([page.waitForEvent('download'), press(page, 'Download as tar')])
  assert.equal(tree.suggestedFilename(), 'work.tar')
  assert.ok((await readFile(await tree.path())).includes('bad\xffname', 'latin1'))
}

async function removes(page: Page) {
  await press(page, 'Delete file')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click()
  await rowOf(page, /data\.bin/).waitFor({ state: 'detached' })
  await press(page, 'New folder')
  await page.getByRole('dialog').getByLabel('Name').fill('made here')
  await page.getByRole('dialog').getByRole('button', { name: 'Create folder' }).click()
  await page.getByText('This folder is empty.').waitFor()
  await page.goBack()
  await rowOf(page, /made here/).waitFor()
  await press(page, 'Delete folder')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click()
  await page.getByText('This folder is empty.').waitFor()
}

const socket = process.env['TEST_DOCKER']

test(
  'files are listed, uploaded, downloaded and removed, whatever their names hold',
  { skip: socket === undefined ? 'no TEST_DOCKER' : false, timeout: 300_000 },
  async (t) => {
    const instance = `t-${randomBytes(6).toString('hex')}`
    const engine = createEngine({ socket: socket ?? '', instance, runtime: null, usesResident: false })
    const served = await serveOn({ engine, socket: socket ?? '', instance }, hashed)
    t.after(async () => {
      await served.close()
      await removeAll(engine)
      engine.close()
    })
    const scene = await openPages(t, () => served.url)
    if (!scene) return
    const { url, key } = served
    const { body } = await call(url, 'POST', '/containers', { key, body: { image: 'base' } })
    const command = ['sh', '-c', names]
    await call(url, 'POST', '/containers/exec', { key, body: { containerId: body.id, command } })
    const page = await scene.page({ path: `/console/files?id=${body.id}` })
    await rowOf(page, /work/).click()
    const title = await page.title()
    const content = randomBytes(1_000_003)
    await showsNames(page)
    await uploads(page, content)
    await downloads(page, content)
    await removes(page)
    assert.equal(await page.title(), title)
    assert.deepEqual(scene.complaints, [])
  },
)
