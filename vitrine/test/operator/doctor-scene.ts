// A service whose doctor checks an installation of the test, and one with a simulated doctor.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { accountsOf, writeInstallation } from '../../src/commands/installation-folder.ts'
import { createDoctor } from '../../src/commands/service-doctor.ts'
import { brokenInstallations } from '../../src/commands/broken-installations.ts'
import { openSandboxAccount } from '../../src/commands/sandbox-account.ts'
import type { DoctorInput } from '../../src/doctor/installation.ts'
import type { Doctor } from '../../src/management/examination.ts'
import { readFaultRule, startSandbox } from '../../src/sandbox/sandbox.ts'
import { readSettings } from '../../src/settings.ts'
import { type Manager, startManager } from './manager.ts'

/** a broken installation with its own sandbox, as a service would read it */
export async function openDisordered(t: TestContext, name: string) {
  const disorder = brokenInstallations[name]
  assert.ok(disorder, name)
  const data = mkdtempSync(join(tmpdir(), 'vitrine-looked-at-'))
  const own = openSandboxAccount(data)
  const sandbox = await startSandbox({
    accounts: accountsOf(disorder, own),
    faults: (disorder.trouble ?? []).map(readFaultRule),
  })
  t.after(async () => {
    await sandbox.close()
    rmSync(data, { recursive: true })
  })
  const folder = join(data, name)
  const file = await writeInstallation(disorder, { folder, platform: sandbox.url }, own)
  const read = (): DoctorInput => ({
    settings: readSettings(JSON.parse(readFileSync(file, 'utf8')), {}),
    folder: dirname(file),
    secrets: {},
    file,
  })
  return { sandbox, read, found: disorder.found }
}

/** a manager, and the installation that the doctor reads: set it before each examination */
export async function startExamined(t: TestContext) {
  const looked: { read: () => DoctorInput } = { read: () => assert.fail('nothing was set') }
  return { looked, manager: await startManager(t, { doctor: createDoctor(() => looked.read()) }) }
}

/** the answer once the examination has ended */
export async function ended({ ask }: Manager): Promise<any> {
  for (;;) {
    const { json } = await ask('GET', '/doctor')
    if (json.state !== 'running') return json
    await pause(20)
  }
}

type Round = Parameters<Doctor['examine']>[0]

/** a doctor that the test plays, and the arguments of its examinations */
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
