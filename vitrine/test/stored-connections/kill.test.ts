// Connections are created while the server is killed at random moments: every acknowledged one survives, none is incomplete,
// and no key is stored in clear text.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fingerprintOf } from '../../src/connections/credential.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { findCanaries, pemCanaries } from '../support/canaries.ts'
import { ask, full, type Installation, makeInstallation, makePair, median, operatorToken } from './program.ts'

const creations = full ? 1_000 : 60
/** the most requests between two kills */
const longestSpell = full ? 40 : 24
const readyWithinMs = 5_000
/** one start in this many is killed before the server is ready */
const killedAtStartEvery = 5

const pairs = Array.from({ length: 20 }, makePair)
const canaries = pairs.flatMap(({ pem }, n) => pemCanaries(`key ${n}`, pem))
const pairOf = (n: number) => pairs[n % pairs.length] ?? makePair()
const keyIdOf = (n: number): string => `KEY${n % pairs.length}`
const wholeNumber = (below: number): number => Math.floor(Math.random() * below)

interface Outcome {
  readonly acknowledged: Set<string>
  tried: number
  kills: number
  readonly restarts: number[]
}

/** false if the connection broke before an answer; every answer is a 201 */
async function createOne({ operatorUrl }: Installation, outcome: Outcome): Promise<boolean> {
  const n = outcome.tried++
  // some are first tried at the platform
  const body = { id: `c${n}`, keyId: keyIdOf(n), issuerId: 'issuer', privateKey: pairOf(n).pem, check: n % 10 === 0 }
  const answer = await ask(operatorUrl, '/operator/v1/connections', operatorToken, { method: 'POST', body }).catch(
    () => undefined,
  )
  if (answer) assert.deepEqual([answer.status, answer.json.id], [201, body.id], JSON.stringify(answer.json))
  if (answer) outcome.acknowledged.add(body.id)
  return answer !== undefined
}

async function killInTheStart({ launch }: Installation) {
  const child = launch('serve')
  const gone = once(child, 'exit')
  await sleep(wholeNumber(450))
  child.kill('SIGKILL')
  await gone
}

/** starts the server, sends requests three at a time, and kills it in the middle of one of them */
async function runUntilKilled(installation: Installation, outcome: Outcome) {
  outcome.restarts.push(await installation.start())
  const last = outcome.tried + 1 + wholeNumber(longestSpell)
  let killing: Promise<void> | undefined
  const worker = async () => {
    for (let alive = true; alive;) {
      if (outcome.tried >= last) killing ??= sleep(wholeNumber(6)).then(() => installation.kill('SIGKILL'))
      alive = await createOne(installation, outcome)
    }
  }
  await Promise.all([worker(), worker(), worker()])
  await killing
  outcome.kills++
}

function searchFiles({ folder }: Installation) {
  for (const file of readdirSync(join(folder, 'data')))
    assert.deepEqual(findCanaries(readFileSync(join(folder, 'data', file)), canaries), [], file)
}

async function createUnderKills(installation: Installation): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: new Set(), tried: 0, kills: 0, restarts: [] }
  while (outcome.acknowledged.size < creations) {
    if (outcome.kills % killedAtStartEvery === 0) await killInTheStart(installation)
    await runUntilKilled(installation, outcome)
    if (outcome.kills % killedAtStartEvery === 0) searchFiles(installation)
  }
  return outcome
}

test('the search finds a key in a file in every form', () => {
  const { privateKey, pem } = pairOf(3)
  const der = privateKey.export({ type: 'pkcs8', format: 'der' })
  const forms = [
    der,
    Buffer.concat([Buffer.of(1), der]).toString('base64'),
    der.toString('base64'),
    der.toString('base64url'),
    der.toString('hex'),
    pem,
    JSON.stringify(pem),
  ]
  for (const form of [...forms, Buffer.from(pem).toString('base64'), der.subarray(36, 68), der.subarray(40, 60)])
    for (let before = 0; before < 3; before++) {
      const file = Buffer.concat([randomBytes(1_000 + before), Buffer.from(form as string), randomBytes(99)])
      assert.match(findCanaries(file, canaries).join(), /key 3/)
    }
})

test('F169 F170: an acknowledged change survives a kill at any moment, complete and encrypted', async (t) => {
  const accounts = pairs.map(({ publicKey }, n) => ({ keyId: keyIdOf(n), issuerId: 'issuer', publicKey }))
  const platform = await startSandbox({ accounts })
  t.after(() => platform.close())
  const installation = await makeInstallation(platform.url)
  t.after(() => installation.close())
  const { acknowledged, tried, kills, restarts } = await createUnderKills(installation)
  const tell = async (...args: string[]) => JSON.parse((await installation.command(...args)).out)

  searchFiles(installation)
  const listed: { id: string; keyId: string; fingerprint: string }[] = await tell('connections', 'list')
  const ids = new Set(listed.map(({ id }) => id))
  const lost = [...acknowledged].filter((id) => !ids.has(id))
  assert.deepEqual(lost, [], 'acknowledged and lost')
  for (const { id, keyId, fingerprint } of listed) {
    const n = Number(id.slice(1))
    assert.deepEqual([keyId, fingerprint], [keyIdOf(n), fingerprintOf(pairOf(n).privateKey)], id)
  }
  assert.deepEqual(await tell('vault', 'verify'), { opened: listed.length, failed: [] })
  const check = await installation.command('store', 'check')
  assert.equal(check.code, 0, check.out)
  const lines: { outcome: string; target: string }[] = await tell(
    'audit',
    '--limit',
    '100000',
    '--act',
    'connections.create',
  )
  const created = lines.filter(({ outcome }) => outcome === 'done').map(({ target }) => target)
  assert.deepEqual(created.toSorted(), [...ids].toSorted())
  for (const ms of restarts) assert.ok(ms < readyWithinMs, `${ms} ms to ready`)
  t.diagnostic(
    `${acknowledged.size} acknowledged of ${tried} tried, ${listed.length} there, ${kills} kills, lost ${lost.length}; ready again after ${median(restarts).toFixed(0)} ms (median), ${Math.max(...restarts).toFixed(0)} ms (longest)`,
  )
})
