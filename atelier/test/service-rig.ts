// The whole service over an engine in memory, with hands for tests: it can be ended as by SIGKILL at any step, and opened anew
// over the same store and engine.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Database } from '../../base/store/sql.ts'
import { type Scope, scopes } from '../src/accounts/scopes.ts'
import { coreOver } from '../src/core.ts'
import type { Event } from '../src/events.ts'
import { makeId } from '../src/ids.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { operations } from '../src/metrics/operations.ts'
import { serviceOver } from '../src/service.ts'
import { readSettings } from '../src/settings.ts'
import { openDatabase } from '../src/store/open.ts'
import { FakeEngine, type Gate, never } from './fake-engine.ts'
import { freePort } from '../../base/test/free-port.ts'

export interface Called {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** the body as JSON; empty where there is none */
  readonly body: any
}

export interface CallOptions {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Called> {
  const { key, body, headers = {}, signal } = options
  const content = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const all = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(content !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
    ...headers,
  }
  return new Promise((ok, no) => {
    const req = request(`${url}${path}`, { method, headers: all, agent: false, ...(signal && { signal }) }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', no)
      res.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const isJson = text !== '' && res.headers['content-type']?.startsWith('application/json')
        ok({ status: res.statusCode ?? 0, headers: res.headers, text, body: isJson ? JSON.parse(text) : undefined })
      })
    })
    req.on('error', no)
    req.end(content)
  })
}

/** the process of one service: it may end at the nth step that it counts, before or after what the step does */
export class FakeProcess {
  isDead = false
  steps = 0
  #dieAt = Infinity
  #when: 'before' | 'after' = 'before'
  #died: () => void = () => {}

  /** resolves when it has ended at that step */
  arm(step: number, when: 'before' | 'after'): Promise<void> {
    this.steps = 0
    this.#dieAt = step
    this.#when = when
    return new Promise((ok) => (this.#died = ok))
  }

  #die<T>(): Promise<T> {
    this.isDead = true
    this.#died()
    return never()
  }

  readonly gate: Gate = async (name, act) => {
    if (this.isDead) return never()
    const isStep = !['info', 'ping', 'confinement', 'events', 'list', 'images', 'sizes', 'state', 'read'].includes(name)
    const step = isStep ? ++this.steps : 0
    if (step === this.#dieAt && this.#when === 'before') return this.#die()
    const result = await act()
    if (this.isDead) return never()
    return step === this.#dieAt ? this.#die() : result
  }

  database(db: Database): Database {
    const { gate } = this
    return {
      ...db,
      one: (...given) => gate('read', () => db.one(...given)),
      all: (...given) => gate('read', () => db.all(...given)),
      run: (...given) => gate('write', () => db.run(...given)),
      transaction: (act) => gate('write', () => db.transaction(act)),
    }
  }
}

export interface RigOptions {
  readonly settings?: Record<string, unknown>
  readonly now?: () => number
  /** of the store; without: SQLite in a folder of its own */
  readonly store?: string
  /** opens the operator endpoint, which takes this token */
  readonly operatorToken?: string
}

async function operatorOf({ operatorToken }: RigOptions) {
  if (operatorToken === undefined) return undefined
  const at = `127.0.0.1:${await freePort()}`
  return { url: `http://${at}`, metrics: createMetrics(operations), settings: { operatorListen: at }, operatorToken }
}

async function openOne(folder: string, engine: FakeEngine, rigOptions: RigOptions) {
  const { settings = {}, store, now } = rigOptions
  const operator = await operatorOf(rigOptions)
  const process = new FakeProcess()
  const events: Event[] = []
  const observe = (event: Event) => {
    events.push(event)
    operator?.metrics.note(event)
  }
  const db = await openDatabase(store ?? `sqlite:${join(folder, 'atelier.db')}`)
  const port = await freePort()
  const known = readSettings(
    {
      listen: `127.0.0.1:${port}`,
      ssh: null,
      rate: { perSecond: 0, createsPerSecond: 0 },
      ...operator?.settings,
      ...settings,
    },
    {},
  )
  const options = { folder, observe, ...(now && { now }) }
  const core = await coreOver({ db: process.database(db), engine: engine.connect(process.gate) }, options)
  const { metrics, operatorToken } = operator ?? {}
  const service = await serviceOver(core, known, { ...options, metrics, operatorToken })
  const url = `http://127.0.0.1:${port}`
  await service.listen().catch(async (error: unknown) => {
    await service.close()
    throw error
  })
  return {
    url,
    operatorUrl: operator?.url ?? '',
    core,
    events,
    process,
    close: () => service.close(),
    /** nothing that it still does has an effect */
    async kill() {
      process.isDead = true
      void service.close()
      // a second call waits for no caller
      void service.close()
      await db.close()
    },
  }
}

export async function openRig(t: TestContext, options: RigOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-rig-'))
  const engine = new FakeEngine()
  let service = await openOne(folder, engine, options)
  t.after(async () => {
    await service.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    engine,
    folder,
    get service() {
      return service
    },
    /** the process ends without a word, and another one is started */
    async restart() {
      await service.kill()
      service = await openOne(folder, engine, options)
    },
    async account(email = `${makeId('acc')}@example.org`, password?: string) {
      const id = makeId('acc')
      assert.ok(await service.core.store.accounts.add({ id, email, password, createdAt: Date.now() }))
      return id
    },
    async key(account: string, some: readonly Scope[] = scopes, expiresAt: number | null = null) {
      const wish = { account, name: 'test', scopes: some, expiresAt, createdBy: 'operator' }
      return service.core.keys.create(wish, 50)
    },
    async baseImage(name = 'base') {
      const id = makeId('img')
      const config = { command: null, entrypoint: null, workingDir: '/home/u', user: null, env: {}, labels: {} }
      const times = { createdAt: Date.now(), finishedAt: Date.now(), deletedAt: null }
      const row = { id, account: null, name, status: 'ready', error: null, sizeBytes: 1, base: null } as const
      await service.core.store.images.addBase({ ...row, ...times, config, engineId: 'sha256:base' })
      return id
    },
    call: (method: string, path: string, given: CallOptions = {}) => call(service.url, method, path, given),
  }
}

export type Rig = Awaited<ReturnType<typeof openRig>>

/** a rig with one account, its key, and a base image */
export async function openUsedRig(t: TestContext, options: RigOptions = {}) {
  const rig = await openRig(t, options)
  const account = await rig.account()
  const { text: key, key: record } = await rig.key(account)
  await rig.baseImage()
  const create = (body: object = {}) => rig.call('POST', '/containers', { key, body: { image: 'base', ...body } })
  return { ...rig, rig, account, key, keyId: record.id, create }
}
