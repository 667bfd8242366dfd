// The code samples, run unchanged: with curl in a shell, at the command line, in TypeScript.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import test from 'node:test'
import { openConsole } from '../support/console-scene.ts'
import { type Explorer, openExplorer } from './explorer-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const run = (file: string, args: readonly string[], env: Record<string, string>): Promise<string> =>
  new Promise((ok, no) => {
    const path = [resolve('bin'), process.env['PATH']].join(delimiter)
    execFile(file, args, { env: { ...process.env, ...env, PATH: path }, timeout: 60_000 }, (error, out, err) =>
      error ? no(new Error(`${error.message}\n${err}`)) : ok(out),
    )
  })

async function lineOf({ page }: Explorer, name: string): Promise<string> {
  const lines = page.getByRole('region', { name: 'Code samples' })
  await lines.getByRole('tab', { name }).click()
  return await lines.getByRole('tabpanel').locator('code').first().innerText()
}

test('the samples for curl, the command line and TypeScript give the response that the explorer shows', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { service } = scene
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-lines-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const explorer = await openExplorer(scene)
  const { page, choose, fillExample, sendFor, json } = explorer
  const env = { VITRINE_KEY: service.key }
  for (const operation of ['listApps', 'getEvent', 'listProductPagePlacements', 'listAppVersionIds']) {
    await choose(operation)
    await fillExample()
    assert.equal(await page.getByLabel('Public address of Vitrine').inputValue(), service.url, 'where it listens')
    await sendFor(200)
    const shown = JSON.parse(await json())
    const curl = await lineOf(explorer, 'curl')
    assert.ok(curl.includes('$VITRINE_KEY') && !curl.includes(service.key))
    const body = JSON.parse(await run('sh', ['-c', curl.replace(/^curl /, 'curl -sS ')], env))
    assert.deepEqual({ ...body, nextCursor: 0 }, { ...shown, nextCursor: 0 }, curl)
    const command = await lineOf(explorer, 'Command line')
    const printed = JSON.parse(await run('sh', ['-c', command], env))
    assert.deepEqual({ ...printed, nextCursor: 0 }, { ...shown, nextCursor: 0 }, command)
    const program = await lineOf(explorer, 'TypeScript')
    const file = join(folder, `${operation}.mts`)
    writeFileSync(file, program.replace(/console\.log\((.*)\)$/, 'console.log(JSON.stringify([$1]))'))
    copyFileSync('client/vitrine.ts', join(folder, 'vitrine.ts'))
    const said = JSON.parse(await run(process.execPath, [file], env))
    assert.deepEqual(said[0], shown.items ?? shown, program)
  }
  assert.deepEqual(scene.complaints, [])
})

test('the samples follow the form, name missing ids, and are copied without the key', async (t) => {
  const scene = await openConsole(t, { file: { publicUrl: 'https://vitrine.example.com' } })
  if (!scene) return
  const explorer = await openExplorer(scene, 'listBetaFeedbackSubmissions', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page, field } = explorer
  const base = 'https://vitrine.example.com/v1/connections/acme/apps'
  assert.equal(
    await lineOf(explorer, 'curl'),
    `curl '${base}/{appId}/beta-feedback-screenshot-submissions' -H "Authorization: Bearer $VITRINE_KEY"`,
  )
  await field('appId').fill("o'1")
  assert.equal(
    await lineOf(explorer, 'Command line'),
    "vitrine read listBetaFeedbackSubmissions --url https://vitrine.example.com --connection acme --appId 'o'\\''1'",
  )
  const lines = page.getByRole('region', { name: 'Code samples' })
  await lines.getByRole('button', { name: 'Copy' }).click()
  await lines.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), await lineOf(explorer, 'Command line'))
  await field('limit').fill('0')
  await lines.getByText('Correct limit first.').waitFor()
  await field('limit').fill('5')
  await lines.getByLabel('Public address of Vitrine').fill('https://me:secret@vitrine.example.com')
  await lines
    .getByText('Enter an address such as https://vitrine.example.com, without user, query or fragment.')
    .waitFor()
  await untilEqual(() => lines.getByRole('tab').count(), 0)
  await lines.getByLabel('Public address of Vitrine').fill('http://10.0.0.7:8080')
  assert.equal(
    await lineOf(explorer, 'Command line'),
    "vitrine read listBetaFeedbackSubmissions --url http://10.0.0.7:8080 --insecure --connection acme --appId 'o'\\''1' --limit 5",
  )
  assert.deepEqual(scene.complaints, [])
})
