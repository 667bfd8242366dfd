import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { createDoctor } from '../../src/commands/service-doctor.ts'
import type { DoctorInput, Installation } from '../../src/doctor/installation.ts'
import { createRunner } from '../../src/doctor/runner.ts'
import { judgeStore } from '../../src/doctor/store-checks.ts'
import type { FindingInput } from '../../src/management/findings.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/open.ts'
import { install } from './scene.ts'

/** an address without a listener */
const nowhere = 'http://127.0.0.1:9'

function ownOf(t: TestContext, more: Record<string, unknown> = {}, listening?: readonly string[]): DoctorInput {
  const { folder } = install(t, nowhere)
  const connections = { acme: { keyId: 'ACMEKEY001', privateKeyFile: 'key.p8' } }
  const file = { listen: '127.0.0.1:0', operatorListen: 'off', store: 'sqlite:v.db', upstream: { baseUrl: nowhere } }
  return {
    settings: readSettings({ ...file, connections, ...more }, {}),
    folder,
    secrets: {},
    file: undefined,
    listening,
  }
}

async function findingsOf(
  own: DoctorInput,
  meanwhile: (finding: FindingInput) => void = () => {},
): Promise<FindingInput[]> {
  const findings: FindingInput[] = []
  const tell = (finding: FindingInput) => {
    findings.push(finding)
    meanwhile(finding)
  }
  await createDoctor(() => own).examine({ ids: [], tell, begin: () => {}, signal: new AbortController().signal })
  return findings
}

const saysOf = (findings: readonly FindingInput[], id: string) => findings.find((one) => one.id === id)?.says

test('a service recognizes its own ports without connecting to them', async (t) => {
  let asked = 0
  const busy = createServer((_, res) => res.writeHead(500).end(String(asked++)))
  await once(busy.listen(0, '127.0.0.1'), 'listening')
  t.after(() => busy.close())
  const at = `127.0.0.1:${(busy.address() as AddressInfo).port}`
  const own = await findingsOf(ownOf(t, { listen: at }, [`http://${at}`]))
  assert.deepEqual([saysOf(own, 'doors'), asked], [`this service listens at ${at}.`, 0])
  const other = await findingsOf(ownOf(t, { listen: at }, ['http://127.0.0.1:1']))
  assert.deepEqual([saysOf(other, 'doors'), asked], ['The service cannot listen.', 1])
})

test('a large store is not read through by a running service', async (t) => {
  const own = ownOf(t)
  const path = join(own.folder, 'v.db')
  await (await openStore(`sqlite:${path}`)).close()
  const db = new DatabaseSync(path)
  db.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(34000000))')
  db.close()
  assert.equal(saysOf(await findingsOf(own), 'store'), `${path} is intact and can be written.`)
  const within = await findingsOf({ ...own, listening: [] })
  assert.equal(saysOf(within, 'store'), `${path} opens. \`vitrine store check\` reads it through.`)
})

const handles = '/proc/self/fd'

/** the handle that lists the folder is closed when its link is read */
const isOpen = (path: string): boolean =>
  readdirSync(handles).some((fd) => existsSync(join(handles, fd)) && readlinkSync(join(handles, fd)) === path)

test('a store that opens after its check was stopped is closed again', { skip: !existsSync(handles) }, async (t) => {
  const own = ownOf(t)
  const path = join(own.folder, 'v.db')
  await (await openStore(`sqlite:${path}`)).close()
  const patient: Installation = {
    ...own,
    outbound: undefined,
    openStore: undefined,
    isSchemaCurrent: false,
    vault: undefined,
    isStoreRead: false,
    hosted: new Map(),
    unreadable: new Map(),
  }
  await judgeStore(patient, AbortSignal.abort(new Error('enough')))
  assert.equal(patient.openStore, undefined)
  assert.equal(isOpen(path), false)
})

test('checks that need no waiting yield to the event loop after every few connections', async (t) => {
  const keys = Array.from({ length: 300 }, (_, i) => [`c${i}`, { keyId: `K${i}`, privateKeyFile: 'key.p8' }])
  const own = ownOf(t, { connections: Object.fromEntries(keys) })
  let [sinceTurn, most] = [0, 0]
  const turn = () => {
    sinceTurn = 0
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const findings = await findingsOf(own, () => (most = Math.max(most, ++sinceTurn)))
  clearImmediate(next)
  assert.equal(findings.length, 16 + 300 * 12)
  assert.ok(most <= 4 * 12, `${most} findings in one go`)
})

const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

test('stopping aborts the running check, starts no other, and leaves no timer', async () => {
  const before = timers()
  const end = new AbortController()
  const told: unknown[] = []
  const begun: string[] = []
  const round = createRunner({
    report: (one) => told.push(one),
    started: (title) => begun.push(title),
    timeoutMs: 60_000,
    signal: end.signal,
  })
  const looks: (AbortSignal | undefined)[] = []
  const under = round.run('store', (signal) => new Promise(() => looks.push(signal)))
  end.abort(new Error('enough'))
  await assert.rejects(under, /^Error: enough$/)
  assert.equal(looks[0]?.aborted, true)
  const later = round.forConnection('acme', (one) => told.push(one)).run('token', () => assert.fail('it began'))
  await assert.rejects(later, /^Error: enough$/)
  assert.deepEqual([told, begun], [[], ['Store']])
  assert.equal(timers(), before)
})
