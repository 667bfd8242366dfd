// A service whose doctor looks at an installation of the test's own, and one whose doctor is the test itself.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { accountsOf, prepareDisordered } from '../../src/commands/disordered.ts'
import { createDoctor } from '../../src/commands/doctor-of-service.ts'
import { disorders } from '../../src/commands/disorders.ts'
import { openSandboxAccount } from '../../src/commands/sandbox-account.ts'
import type { Own } from '../../src/doctor/patient.ts'
import type { Doctor } from '../../src/http/operator/examination.ts'
import { readTroubleRule, startSandbox } from '../../src/sandbox/sandbox.ts'
import { readSettings } from '../../src/settings.ts'
import { type Manager, startManager } from './manager.ts'

/** an installation with this disorder over a sandbox of its own, as a service would read it now */
export async function openDisordered(t: TestContext, name: string) {
  const disorder = disorders[name]
  assert.ok(disorder, name)
  const data = mkdtempSync(join(tmpdir(), 'vitrine-looked-at-'))
  const own = openSandboxAccount(data)
  const sandbox = await startSandbox({
    accounts: accountsOf(disorder, own),
    trouble: (disorder.trouble ?? []).map(readTroubleRule),
  })
  t.after(async () => {
    await sandbox.close()
    rmSync(data, { recursive: true })
  })
  const folder = join(data, name)
  const file = await prepareDisordered(disorder, { folder, platform: sandbox.url }, own)
  const read = (): Own => ({
    ...{ settings: readSettings(JSON.parse(readFileSync(file, 'utf8')), {}), folder: dirname(file), secrets: {}, file },
  })
  return { sandbox, read, found: disorder.found }
}

/** a manager, and what the doctor of the service reads: to be set before each round */
export async function startExamined(t: TestContext) {
  const looked: { read: () => Own } = { read: () => assert.fail('nothing was set') }
  return { looked, manager: await startManager(t, { doctor: createDoctor(() => looked.read()) }) }
}

/** the answer once it runs no longer */
export async function ended({ ask }: Manager): Promise<any> {
  for (;;) {
    const { json } = await ask('GET', '/doctor')
    if (json.state !== 'running') return json
    await pause(20)
  }
}

type Round = Parameters<Doctor['examine']>[0]

/** a doctor that does what the test says, and what its rounds were given */
export function createScripted(ids: readonly string[] = []) {
  const rounds: { round: Round; done: () => void; fail: (error: Error) => void }[] = []
  const doctor: Doctor = {
    ids: () => ids,
    examine: (round) =>
      new Promise((done, fail) => {
        rounds.push({ round, done, fail })
        round.signal.addEventListener('abort', () => fail(round.signal.reason as Error))
      }),
  }
  return { doctor, rounds }
}
