// A running service over a store that is edited behind its back: the expected and the actual result of each edit.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import type { Event } from '../../src/events.ts'
import { type Core, openCore } from '../../src/core/core.ts'
import { readSettings } from '../../src/settings.ts'
import { type Canary, findCanaries, keyCanaries, pemCanaries, secretCanaries } from '../support/canaries.ts'
import { startScriptedPlatform } from '../support/scripted-platform.ts'
import { type Service, startService, tester } from '../support/service.ts'
import { type Account, makeAccount, platformOf, wordOf } from './accounts.ts'
import type { Bench, Cell, Row } from './database-editor.ts'

const hosted = 24

export interface Siege {
  readonly accounts: ReadonlyMap<string, Account>
  readonly folder: string
  readonly config: Record<string, unknown>
  readonly masterKeys: string
  readonly bench: Bench
  readonly rows: ReadonlyMap<string, Row>
  readonly earlier: ReadonlyMap<string, Row>
  /** the service that has opened every connection */
  readonly warm: Service
  /** the same over again, in which nothing is open yet */
  startCold(): Promise<Service>
  readonly office: Core
  readonly canaries: readonly Canary[]
}

const byId = (rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [String(row['id']), row]))

function makeAccounts() {
  const make = (n: number, version: string) => {
    // some have changed the account, some only the key, and some are keys of one person
    const issuer = n % 4 === 3 ? undefined : `issuer-${n}${n % 4 === 2 ? version : ''}`
    return makeAccount(`hosted-${n}`, `KEY${version}${String(n).padStart(2, '0')}`, issuer)
  }
  const numbers = Array.from({ length: hosted }, (_, n) => n)
  return { before: numbers.map((n) => make(n, 'A')), after: numbers.map((n) => make(n, 'B')) }
}

const wishOf = ({ id, keyId, issuerId, pem }: Account, n: number) => ({
  id,
  keyId,
  issuerId,
  privateKey: pem,
  check: false,
  linkage: n % 3 === 0 ? ('asked' as const) : undefined,
  tokenScope: n % 5 === 0 ? ('request' as const) : undefined,
})

export async function besiege(t: TestContext, store: string, openBench: (folder: string) => Bench | Promise<Bench>) {
  const { before, after } = makeAccounts()
  const platform = await startScriptedPlatform(platformOf([...before, ...after]))
  t.after(platform.close)
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-siege-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const masterKeys = `${makeMasterKey('k1')},${makeMasterKey('k0')}`
  const config = { store, connections: {}, log: 'all', upstream: { baseUrl: platform.url } }
  const options = { folder, secrets: { masterKeys }, file: { store, connections: {} } }
  const open = { folder, secrets: { masterKeys }, observe: () => {}, now: Date.now }
  const office = await openCore(readSettings(config, {}), open)
  t.after(office.close)
  for (const [n, account] of before.entries()) await office.connectionAdmin.add(wishOf(account, n), tester)
  const bench = await openBench(folder)
  t.after(bench.close)
  const earlier = byId(await bench.rows())
  for (const [n, account] of after.entries())
    await office.connectionAdmin.replace(account.id, wishOf(account, n), tester)
  const startCold = async () => {
    if (!bench.copyTo) return startService(platform.url, options)
    const copied = mkdtempSync(join(folder, 'cold-'))
    await bench.copyTo(join(copied, 'v.db'))
    return startService(platform.url, { ...options, folder: copied })
  }
  const warm = await startService(platform.url, options)
  t.after(warm.close)
  const canaries = [
    ...[...before, ...after].flatMap(({ id, pem }) => pemCanaries(id, pem)),
    ...secretCanaries('master key', masterKeys),
    ...keyCanaries('facade key', warm.key),
  ]
  const accounts = new Map(after.map((account) => [account.id, account]))
  const rows = byId(await bench.rows())
  const siege: Siege = { accounts, folder, config, masterKeys, bench, rows, earlier, warm, startCold, office, canaries }
  return siege
}

const sameCell = (a: Cell, b: Cell): boolean => {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  const plain = (cell: Cell) => (typeof cell === 'number' && Number.isInteger(cell) ? BigInt(cell) : cell)
  return plain(a) === plain(b)
}

/** in all that is bound: the last use may be anything */
const isAsWritten = (row: Row, original: Row | undefined): boolean =>
  original !== undefined &&
  Object.keys(original).every((name) => name === 'last_used_at' || sameCell(row[name] ?? null, original[name] ?? null))

/** `misnamed`: in the table, under an id that no caller can ask for */
export type Fate = 'served' | 'unreadable' | 'absent' | 'misnamed'

/** what each id must come to, as the table is now */
export async function fatesOf({ bench, rows }: Siege): Promise<Map<string, Fate>> {
  const now = (await bench.rows()).filter(({ id }) => typeof id === 'string')
  const fates = new Map<string, Fate>([...rows.keys()].map((id) => [id, 'absent']))
  for (const row of now) {
    const id = String(row['id'])
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(id)) fates.set(id, 'misnamed')
    else fates.set(id, isAsWritten(row, rows.get(id)) ? 'served' : 'unreadable')
  }
  return fates
}

const absent = [404, 'connection_not_found'] as const
const codes = { unreadable: [503, 'connection_unreadable'], absent, misnamed: absent } as const

async function ask({ accounts }: Siege, service: Service, id: string, fate: Fate) {
  const from = service.events.length
  const path = `/v1/connections/${encodeURIComponent(id)}/apps`
  const { status, json, text } = await service.ask(path)
  const account = accounts.get(id)
  for (const other of accounts.values())
    if (other.id !== id || fate !== 'served') assert.ok(!text.includes(wordOf(other)), `${id} got data of ${other.id}`)
  if (fate === 'served') {
    assert.deepEqual([status, json.items?.[0]?.name], [200, account && wordOf(account)], text)
    return
  }
  assert.deepEqual([status, json.error?.code], codes[fate])
  const told = service.events.slice(from).filter(({ kind }) => kind === 'unreadable')
  const named = told.map((event) => (event as Extract<Event, { kind: 'unreadable' }>).connection)
  assert.ok(fate !== 'unreadable' || named.includes(id), `no event names ${id}`)
}

const atOnce = 6

/** asks for every connection, some at a time, and holds each answer against what it must be */
export async function askAll(siege: Siege, service: Service, fates: ReadonlyMap<string, Fate>) {
  const due = [...fates]
  const turn = async (): Promise<void> => {
    for (let next = due.pop(); next; next = due.pop()) {
      const [id, fate] = next
      await ask(siege, service, id, fate).catch((error: Error) => {
        throw new Error(`${id} must be ${fate}: ${error.message}`, { cause: error })
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, turn))
}

/** the vault names the rows that do not open, and no other */
export async function verifyAll({ office }: Siege, fates: ReadonlyMap<string, Fate>) {
  const { failed } = await office.rotation.verify(() => {})
  const expected = [...fates].filter(([, fate]) => fate === 'unreadable' || fate === 'misnamed').map(([id]) => id)
  const named = failed.map(({ id }) => id).filter((id) => typeof id === 'string')
  assert.deepEqual(named.toSorted(), expected.toSorted())
}

export function checkEvents({ canaries }: Siege, { events }: Service) {
  assert.deepEqual(findCanaries(JSON.stringify(events), canaries), [])
  for (const event of events) assert.notEqual(event.kind, 'failed', JSON.stringify(event))
}

export const allServed = ({ rows }: Siege): Map<string, Fate> => new Map([...rows.keys()].map((id) => [id, 'served']))
