import assert from 'node:assert/strict'
import test from 'node:test'
import { badGateway, openScene, type Scene, slowDown } from './scene.ts'

/** most of the sandbox's dates are of January 2026, whatever the clock says; three apps have some of the last hour */
const days = String((Date.now() - Date.parse('2026-01-06T23:00:00Z')) / 86_400_000)

const ask = (scene: Scene, env: Record<string, string> = {}, since = days) =>
  scene.run(process.execPath, ['--import', './test/examples/checkout-client.mjs', recipe, since], { env })

const recipe = 'examples/typescript/new-feedback.ts'

test('the TypeScript recipe counts new feedback of every app, and requests only dates', async (t) => {
  const scene = await openScene(t)
  const { code, out, err } = await ask(scene, {}, '3650')
  assert.deepEqual([code, err], [0, ''])
  const lines = out.trimEnd().split('\n')
  assert.equal(lines.length, 21)
  assert.equal(lines[0], '64\t2026-01-24T01:03:55.454Z\tTidal Charts')
  assert.match(lines[1] ?? '', /^9\t20\S+Z\tPocket Seismograph$/)
  assert.equal(lines[3], '8\t2026-01-07T17:04:16.454Z\tLichen Field Guide')
  // 24 apps, and Tidal Charts has two pages
  assert.equal(scene.asked.length, 1 + 25)
  for (const target of scene.asked) assert.match(target, /fields=(name|createdDate)(&|$)/)
})

test('the TypeScript recipe stops at the first older item, comparing points in time and not texts', async (t) => {
  const scene = await openScene(t)
  const { code, out } = await ask(scene)
  assert.equal(code, 0)
  assert.doesNotMatch(out, /Kiln & Clay/)
  assert.match(out, /^1\t2026-01-07T03:04:02\.454Z\tAurora Almanac$/m)
  const week = (await ask(scene, {}, '7')).out.trimEnd().split('\n')
  assert.deepEqual(
    week.map((line) => line.split('\t').toSpliced(1, 1).join(' ')),
    ['2 Fjordwalk', '1 Vesper Sleep', '1 月の暦'],
  )
  assert.equal((await ask(scene, {}, '0.001')).out, '')
})

test('the TypeScript recipe ends well if its output is not read, as with head', async (t) => {
  const scene = await openScene(t)
  const line = `set -o pipefail; "${process.execPath}" --import ./test/examples/checkout-client.mjs ${recipe} 3650 | true`
  const { code, err } = await scene.run('/bin/bash', ['--norc', '-c', line], { env: {} })
  assert.deepEqual([code, err], [0, ''])
})

test('the TypeScript recipe waits after a 429 and retries a 502', async (t) => {
  const scene = await openScene(t)
  scene.spoil = (nth) => (nth === 3 ? slowDown : nth === 6 ? badGateway : undefined)
  const { code, out, err } = await ask(scene)
  assert.equal(code, 0, err)
  assert.match(out, /Tidal Charts/)
  assert.equal(scene.asked[2], scene.asked[3])
})

test('the TypeScript recipe fails without output if one app cannot be read', async (t) => {
  const scene = await openScene(t)
  scene.trouble('agreement:9@/v1/apps')
  const { code, out, err } = await ask(scene)
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /^new-feedback: .*agreement.* \(req_[\w-]{16}\)\n$/i)
})

test('the TypeScript recipe fails with a message without a key and with a wrong one', async (t) => {
  const scene = await openScene(t)
  for (const key of ['', 'vtr_test_wrong']) {
    const { code, out, err } = await ask(scene, { VITRINE_KEY: key })
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /^new-feedback: .+\n$/)
  }
})
