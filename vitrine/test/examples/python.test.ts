import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { badGateway, isHere, openScene, slowDown } from './scene.ts'

const recipe = 'examples/python/regressions.py'

const expected = ['Kiln & Clay', 'Quiet Orchard', 'Tidal Charts'].flatMap((app) => [
  `${app}\t3.0\thangRate\thangRate rose in version 3.0 on some devices.`,
  `${app}\t3.0\tdiskWrites\tdiskWrites rose in version 3.0 on some devices.`,
])

/** with pages of ten items, so that the list has three */
async function open(t: TestContext) {
  if (!(await isHere(t, 'python3'))) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-recipe-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const small = join(folder, 'regressions.py')
  writeFileSync(small, readFileSync(recipe, 'utf8').replace('limit=200', 'limit=10'))
  return { scene: await openScene(t), small }
}

test('the Python recipe lists the regressions of every app, over all pages', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, small } = opened
  for (const [file, requests] of [
    [recipe, 1 + 24],
    [small, 3 + 24],
  ] as const) {
    scene.asked.length = 0
    const { code, out, err } = await scene.run('python3', ['-I', file])
    assert.deepEqual([code, err], [0, ''])
    assert.deepEqual(out.trimEnd().split('\n'), expected)
    assert.equal(scene.asked.length, requests)
  }
})

test('the Python recipe waits after a 429 and retries a 502', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, small } = opened
  scene.spoil = (nth) => (nth === 2 ? slowDown : nth === 7 ? badGateway : undefined)
  const { code, out, err } = await scene.run('python3', [small])
  assert.equal(code, 0, err)
  assert.deepEqual(out.trimEnd().split('\n'), expected)
  assert.equal(scene.asked[1], scene.asked[2])
})

test('the Python recipe fails without output if a page or an app cannot be read', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, small } = opened
  for (const trouble of ['agreement:2@/v1/apps', 'agreement:9@/v1/apps']) {
    scene.trouble(trouble)
    const { code, out, err } = await scene.run('python3', [small])
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /^regressions: .*agreement.* \(req_[\w-]{16}\)\n$/i)
  }
})

test('the Python recipe limits its waits, and does not follow redirects with the key', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene } = opened
  scene.spoil = () => ({ ...slowDown, headers: { 'retry-after': '3600' } })
  const late = await scene.run('python3', [recipe])
  assert.deepEqual(late, { code: 1, out: '', err: 'regressions: Slower. (req_slow)\n' })
  scene.asked.length = 0
  scene.spoil = () => ({ status: 302, headers: { location: '/elsewhere' }, body: '' })
  const led = await scene.run('python3', [recipe])
  assert.deepEqual(led, { code: 1, out: '', err: 'regressions: status 302, not from Vitrine\n' })
  assert.equal(scene.asked.length, 1)
})

test('the Python recipe fails with a message without a key and with a wrong one', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene } = opened
  const bare = await scene.run('python3', [recipe], { env: { VITRINE_KEY: '' } })
  assert.match(bare.err, /^regressions: set VITRINE_KEY /)
  const wrong = await scene.run('python3', [recipe], { env: { VITRINE_KEY: 'vtr_test_wrong' } })
  assert.match(wrong.err, /^regressions: .* \(req_[\w-]{16}\)\n$/)
  assert.deepEqual([bare.code, wrong.code, bare.out + wrong.out], [1, 1, ''])
  // a secret pasted with its line end: the library would print it in its error
  for (const stray of ['\n', '\r', ' \u2026']) {
    const { code, out, err } = await scene.run('python3', [recipe], { env: { VITRINE_KEY: `${scene.key}${stray}` } })
    assert.deepEqual([code, out], [1, ''])
    assert.match(
      err,
      /^regressions: VITRINE_KEY is not a facade key: it has only letters, digits and signs, and no spaces\n$/,
    )
  }
})

test('the Python recipe ends well if its output is not read, as with head', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const line = `set -o pipefail; python3 ${recipe} | true`
  const { code, err } = await opened.scene.run('/bin/bash', ['--norc', '-c', line], { env: {} })
  assert.deepEqual([code, err], [0, ''])
})
