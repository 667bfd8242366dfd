import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { createDoctor } from '../../src/commands/doctor-of-service.ts'
import type { Own, Patient } from '../../src/doctor/patient.ts'
import { createRound } from '../../src/doctor/round.ts'
import { judgeStore } from '../../src/doctor/store-checks.ts'
import type { Told } from '../../src/http/operator/findings.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/open.ts'
import { install } from './scene.ts'

/** where nobody listens */
const nowhere = 'http://127.0.0.1:9'

function ownOf(t: TestContext, more: Record<string, unknown> = {}, listening?: readonly string[]): Own {
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

async function findingsOf(own: Own, meanwhile: (finding: Told) => void = () => {}): Promise<Told[]> {
  const findings: Told[] = []
  const tell = (finding: Told) => {
    findings.push(finding)
    meanwhile(finding)
  }
  await createDoctor(() => own).examine({ ids: [], tell, begin: () => {}, signal: new AbortController().signal })
  return findings
}

const saysOf = (findings: readonly Told[], id: string) => findings.find((one) => one.id === id)?.says

test('a service that looks itself over knows its own doors, and asks nobody who listens there', async (t) => {
  let asked = 0
  const busy = createServer((_, res) => res.writeHead(500).end(String(asked++)))
  await once(busy.listen(0, '127.0.0.1'), 'listening')
  t.after(() => busy.close())
  const at = `127.0.0.1:${(busy.address() as AddressInfo).port}`
  const own = await findingsOf(ownOf(t, { listen: at }, [`http://${at}`]))
  assert.deepEqual([saysOf(own, 'doors'), asked], [`this service listens at ${at}.`, 0])
  const other = await findingsOf(ownOf(t, { listen: at }, ['http://127.0.0.1:1']))
  assert.deepEqual([saysOf(other, 'doors'), asked], ['The service could not listen.', 1])
})

test('a store that takes long to look through is not looked through while callers wait', async (t) => {
  const own = ownOf(t)
  const path = join(own.folder, 'v.db')
  await (await openStore(`sqlite:${path}`)).close()
  const db = new DatabaseSync(path)
  db.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(34000000))')
  db.close()
  assert.equal(saysOf(await findingsOf(own), 'store'), `${path} is sound and can be written.`)
  const within = await findingsOf({ ...own, listening: [] })
  assert.equal(saysOf(within, 'store'), `${path} opens; \`vitrine store check\` looks it through.`)
})

const handles = '/proc/self/fd'

/** the handle by which they are listed is gone when it is looked at */
const isOpen = (path: string): boolean =>
  readdirSync(handles).some((fd) => existsSync(join(handles, fd)) && readlinkSync(join(handles, fd)) === path)

test('a store that opens when the round has ended is closed again', { skip: !existsSync(handles) }, async (t) => {
  const own = ownOf(t)
  const path = join(own.folder, 'v.db')
  await (await openStore(`sqlite:${path}`)).close()
  const patient: Patient = {
    ...{ ...own, look: undefined, sound: false, vault: undefined, isCounted: false },
    ...{ hosted: new Map(), closed: new Map() },
  }
  await judgeStore(patient, AbortSignal.abort(new Error('enough')))
  assert.equal(patient.look, undefined)
  assert.equal(isOpen(path), false)
})

test('where no connection has to be waited for, whoever waits meanwhile has his turn', async (t) => {
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
  assert.equal(findings.length, 14 + 300 * 12)
  assert.ok(most <= 4 * 12, `${most} findings in one go`)
})

test('a round that is ended lets go of the check under way, and begins no other', async () => {
  const end = new AbortController()
  const told: unknown[] = []
  const begun: string[] = []
  const round = createRound({
    ...{ tell: (one) => told.push(one), begin: (title) => begun.push(title) },
    ...{ patienceMs: 60_000, signal: end.signal },
  })
  const looks: (AbortSignal | undefined)[] = []
  const under = round.look('store', (signal) => new Promise(() => looks.push(signal)))
  end.abort(new Error('enough'))
  await assert.rejects(under, /^Error: enough$/)
  assert.equal(looks[0]?.aborted, true)
  const later = round.of('acme', (one) => told.push(one)).look('token', () => assert.fail('it began'))
  await assert.rejects(later, /^Error: enough$/)
  assert.deepEqual([told, begun], [[], ['Store']])
})
