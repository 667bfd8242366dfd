// `vitrine doctor --all` over 300 hosted connections, several of them broken, each in its own way.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { openCore } from '../../src/core/core.ts'
import { readSettings } from '../../src/settings.ts'
import { refuse, send } from '../support/scripted-platform.ts'
import { tester } from '../support/service.ts'
import { claimsOf, platformWith, rate, start } from './platform.ts'
import { clean, install, run } from './scene.ts'

const issuerId = '57246542-96fe-1a63-e053-0824d0110001'
const idOf = (at: number): string => `c${String(at).padStart(3, '0')}`
const keyOf = (at: number): string => `KEY${String(at).padStart(7, '0')}`
const count = 300

/** stored in one folder; `keyIds`: of connections whose signing key is that of another one */
async function store(t: TestContext, platform: string, keyIds: Readonly<Record<number, string>> = {}) {
  const { config, folder } = install(t, platform, { connections: {}, masterKeysFile: 'master-keys' })
  writeFileSync(join(folder, 'master-keys'), `${makeMasterKey('one')}\n`, { mode: 0o600 })
  const file = { upstream: { baseUrl: platform }, store: 'sqlite:v.db', masterKeysFile: 'master-keys' }
  const core = await openCore(readSettings(file, {}), { folder, secrets: {}, observe: () => {}, now: Date.now })
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  for (let at = 0; at < count; at++) {
    const input = { id: idOf(at), keyId: keyIds[at] ?? keyOf(at), issuerId, privateKey: pem, check: false }
    await core.connectionAdmin.add(input, tester)
  }
  await core.close()
  return { config, path: join(folder, 'v.db') }
}

const spent = { 'x-rate-limit': 'user-hour-lim:3600;user-hour-rem:0;' }
const low = { 'x-rate-limit': 'user-hour-lim:3600;user-hour-rem:20;' }

test('300 connections get a line each, with the problem of each broken one and what to do', async (t) => {
  const calls = new Map<string, number>()
  const [revoked, unsigned, used, down, foreign, nearly] = [11, 22, 33, 44, 55, 66].map(keyOf)
  let [running, most] = [0, 0]
  const platform = await start(
    t,
    platformWith(async ({ headers, path }, res) => {
      const kid = claimsOf(headers.authorization)?.kid ?? ''
      calls.set(kid, (calls.get(kid) ?? 0) + 1)
      assert.equal(path, '/v1/apps')
      most = Math.max(most, ++running)
      await new Promise((ok) => setTimeout(ok, 5))
      running--
      if (kid === revoked) return refuse(res, 401, 'NOT_AUTHORIZED')
      if (kid === unsigned) return refuse(res, 403, 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED')
      if (kid === used) return refuse(res, 429, 'RATE_LIMIT_EXCEEDED', undefined, spent)
      if (kid === down) return refuse(res, 503, 'UNEXPECTED_ERROR')
      if (kid === foreign) return send(res, '<html>', { 'content-type': 'text/html' }, 403)
      return send(res, { data: [], links: {} }, kid === nearly ? low : rate)
    }),
  )
  // a later connection has the signing key whose quota is spent
  const { config, path } = await store(t, platform.url, { 299: keyOf(33) })
  const db = new DatabaseSync(path)
  db.exec(`UPDATE connections SET sealed = zeroblob(64) WHERE id = '${idOf(77)}'`)
  db.close()
  const told = await run(['doctor', '--all', '--config', config])
  const json = JSON.parse(told.out)
  assert.deepEqual([told.code, json.ok, json.whole, json.notChecked], [1, false, true, []])
  assert.deepEqual(
    json.connections.map(({ connection }: { connection: string }) => connection),
    Array.from({ length: count }, (_, at) => idOf(at)),
  )
  const broken = json.connections.filter(({ state }: { state: string }) => state !== 'ok')
  assert.deepEqual(
    broken.map(({ connection, state, check }: Record<string, string>) => [connection, state, check]),
    [
      [idOf(11), 'fail', 'token'],
      [idOf(22), 'fail', 'agreements'],
      [idOf(33), 'fail', 'quota'],
      [idOf(44), 'fail', 'token'],
      [idOf(55), 'fail', 'token'],
      [idOf(66), 'warn', 'quota'],
      [idOf(77), 'fail', 'credentials'],
      [idOf(299), 'skip', 'token'],
    ],
  )
  for (const { state, cure } of broken) assert.ok(state === 'skip' || cure.length > 10)
  assert.match(broken.at(-1).says, /quota of its signing key is used up/)
  assert.ok(most > 1 && most <= 8, `${most} calls at once`)
  assert.ok(Math.max(...calls.values()) <= 3)
  assert.equal(calls.get(keyOf(0)), 1)
  assert.equal(calls.get(keyOf(33)), 1)

  const table = await run(['doctor', '--all', '--output', 'table', '--config', config])
  const lines = table.out.split('\n')
  assert.match(lines.find((line) => line.startsWith(idOf(22))) ?? '', /fail +Agreements: .* +\S+/)
  assert.match(lines.at(-2) ?? '', /^300 connections: 6 fail, 1 warn, 1 skip, 292 ok\.$/)
  assert.equal(table.code, 1)
})

test('an interrupt prints what was checked, and how many were not', async (t) => {
  let answered = 0
  let hung = Promise.withResolvers<void>()
  const platform = await start(
    t,
    platformWith((_, res) => {
      if (++answered <= 40) return send(res, { data: [], links: {} }, rate)
      hung.resolve()
      // the others never get an answer
      return new Promise(() => {})
    }),
  )
  const { config } = await store(t, platform.url)
  for (const form of ['json', 'table']) {
    answered = 0
    hung = Promise.withResolvers<void>()
    const args = ['doctor', '--all', '--output', form, '--config', config]
    const child = spawn(resolve('bin/vitrine'), args, { env: clean(), stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(child, 'exit')
    let out = ''
    child.stdout.on('data', (part: Buffer) => (out += part.toString()))
    await hung.promise
    await new Promise((ok) => setTimeout(ok, 500))
    child.kill('SIGINT')
    assert.deepEqual(await ended, [130, null])
    if (form === 'table') {
      assert.match(out, /\n\n40 connections: 40 ok\. Interrupted: the other 260 were not checked\.\n$/)
      continue
    }
    const { ok, whole, connections, notChecked } = JSON.parse(out)
    assert.deepEqual([ok, whole, connections.length, notChecked.length], [false, false, 40, 260])
  }
})

test('it refuses ids beside --all, and other forms of output', async () => {
  assert.match((await run(['doctor', '--all', 'acme'])).err, /not both/)
  assert.match((await run(['doctor', '--output', 'yaml'])).err, /table or json/)
})
