import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { badGateway, isHere, openScene, slowDown } from './scene.ts'

const recipe = resolve('examples/curl/apps.sh')

/** small pages: only the first request has the limit */
async function open(t: TestContext) {
  if (!(await isHere(t, 'jq')) || !(await isHere(t, 'curl'))) return undefined
  const scene = await openScene(t)
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-recipe-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'apps.sh'), readFileSync(recipe, 'utf8').replaceAll('limit=200', 'limit=10'))
  return { scene, folder, small: join(folder, 'apps.sh') }
}

test('the curl recipe prints all apps from any number of pages', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, small } = opened
  const whole = await scene.run(recipe)
  assert.equal(scene.asked.length, 1)
  assert.equal(whole.code, 0, whole.err)
  const lines = whole.out.trimEnd().split('\n')
  assert.equal(lines.length, 24)
  assert.equal(lines[0], '6446998001\tTidal Charts\tcom.example.northlight.tidal-charts')
  const slash = await scene.run(recipe, [], { env: { VITRINE_URL: `${scene.url}/` } })
  assert.deepEqual(slash, whole)
  scene.asked.length = 1
  const walked = await scene.run('/bin/sh', [small])
  assert.deepEqual(walked, whole)
  assert.equal(scene.asked.length, 1 + 3)
})

test('the curl recipe waits after a 429 and continues with the same page', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, small } = opened
  scene.spoil = (nth) => (nth === 2 ? slowDown : nth === 4 ? badGateway : undefined)
  const { code, out, err } = await scene.run('/bin/sh', [small])
  assert.equal(code, 0, err)
  assert.equal(out.trimEnd().split('\n').length, 24)
  assert.equal(scene.asked[1], scene.asked[2])
})

test('the curl recipe fails without output if a page in the middle fails', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, small } = opened
  scene.trouble('agreement:2@/v1/apps')
  const { code, out, err } = await scene.run('/bin/sh', [small])
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /agreement.* \(req_[\w-]{16}\)/i)
})

test('the curl recipe fails with a message without a key, with a wrong key and without a service', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene } = opened
  for (const [env, says] of [
    [{ VITRINE_KEY: '' }, /VITRINE_KEY: is the facade key/],
    [{ VITRINE_KEY: 'vtr_test_wrong' }, /\(req_[\w-]{16}\)/],
    [{ VITRINE_URL: 'http://127.0.0.1:9' }, /connect to 127\.0\.0\.1 port 9/],
  ] as const) {
    const { code, out, err } = await scene.run(recipe, [], { env })
    // the shell itself exits if a variable is missing, with its own code
    assert.equal(code, env.VITRINE_KEY === '' ? 2 : 1)
    assert.equal(out, '')
    assert.match(err, says)
    assert.ok(!err.includes(scene.key))
  }
})

test('the curl recipe keeps the key out of the arguments, which other users of the machine can read', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, folder } = opened
  const spy = join(folder, 'curl')
  writeFileSync(spy, `#!/bin/sh\nprintf '%s\\n' "$@" >>${folder}/arguments\nPATH=\${PATH#*:} exec curl "$@"\n`)
  chmodSync(spy, 0o755)
  const { code } = await scene.run(recipe, [], { env: { PATH: `${folder}:${process.env['PATH']}` } })
  assert.equal(code, 0)
  const told = readFileSync(join(folder, 'arguments'), 'utf8')
  assert.match(told, /--retry/)
  assert.doesNotMatch(told, /vtr_/)
})
