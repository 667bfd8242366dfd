// Every promise of the store, over the database that a test file gives: a second database is finished when this passes.
// Long because it is all of them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { makeId } from '../../src/ids.ts'
import type { ContainerRecord, NewContainer } from '../../src/store/container-rows.ts'
import type { ImageRecord } from '../../src/store/image-rows.ts'
import type { Found, Place } from '../../src/store/listing.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { type Check, digest, idempotencyChecks } from './idempotency-checks.ts'

export interface SuiteOptions {
  readonly skip: string | false
  /** a new place, and what removes it */
  readonly place: () => Promise<{ readonly location: string; readonly drop: () => Promise<void> }>
}

const wide = { containers: 1_000, memoryMiB: 1e9, cpu: 1e6 }

export const containerRow = (account: string, more: Partial<NewContainer> = {}): NewContainer => ({
  id: makeId('ct'),
  account,
  name: null,
  image: makeId('img'),
  spec: {
    imageName: 'base',
    command: null,
    workingDir: '/',
    user: '1000:1000',
    envNames: [],
    labels: {},
    limits: { cpu: 0.5, memoryMiB: 512, pids: 64, diskMiB: 64 },
    network: 'none',
    readOnlyRootfs: false,
  },
  createdAt: 1_000,
  activeAt: 1_000,
  expiresAt: 9_000,
  idleMs: null,
  ...more,
})

const imageRow = (account: string, name: string): ImageRecord & { account: string } => ({
  id: makeId('img'),
  account,
  name,
  status: 'queued',
  error: null,
  sizeBytes: null,
  config: { command: null, entrypoint: null, workingDir: '/', user: null, env: { A: '1' }, labels: {} },
  base: null,
  engineId: null,
  createdAt: 5,
  finishedAt: null,
  deletedAt: null,
})

const keyRow = (account: string, createdAt = 1) => ({
  id: makeId('key'),
  account,
  name: 'k',
  prefix: `atl_${makeId('key').slice(-8)}`,
  digest: digest(1),
  scopes: ['files'],
  createdAt,
  createdBy: account,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
})

export function storeSuite(title: string, { skip, place }: SuiteOptions) {
  const check: Check = (promise, act) =>
    void test(`${title}: ${promise}`, { skip }, async () => {
      const { location, drop } = await place()
      // two processes on one database
      const stores = [await openStore(location), await openStore(location)] as const
      try {
        await act(...stores)
      } finally {
        for (const store of stores) await store.close()
        await drop()
      }
    })

  check('of those who race for the last place or one name, exactly as many win as there are places', async (a, b) => {
    const most = { containers: 3, memoryMiB: 1e9, cpu: 1e6 }
    const race = Array.from({ length: 12 }, (_, n) => (n % 2 ? a : b).containers.add(containerRow('acc'), most))
    const results = await Promise.all(race)
    assert.equal(results.filter((one) => one === 'added').length, 3)
    const full = results.filter((one) => one !== 'added')
    assert.deepEqual(
      full,
      Array.from({ length: 9 }, () => ({ resource: 'containers', limit: 3, current: 3 })),
    )
    const named = [a, b, a, b, a, b].map((store) => store.containers.add(containerRow('x', { name: 'one' }), wide))
    assert.equal((await Promise.all(named)).filter((one) => one === 'added').length, 1)
    assert.equal(await a.containers.add(containerRow('y', { name: 'one' }), wide), 'added')
    const keys = Array.from({ length: 6 }, (_, n) => (n % 2 ? a : b).keys.add(keyRow('acc'), 2))
    assert.deepEqual((await Promise.all(keys)).filter((one) => one === undefined).length, 2)
    const images = [a, b, a, b].map((s) => s.images.add(imageRow('acc', 'web'), { images: 9, imageBytes: 9 }))
    assert.equal((await Promise.all(images)).filter((one) => one === 'added').length, 1)
  })

  check('of those who sight one identity or one e-mail first, exactly one joins the account', async (a, b) => {
    const id = makeId('acc')
    await a.accounts.add({ id, email: 'a@example.org', password: undefined, createdAt: 1 })
    const sight = (store: Store, subject: string, newAccount?: string) =>
      store.identities.join({ issuer: 'https://id.example', subject, email: 'A@example.org', newAccount, at: 2 })
    const same = await Promise.all([a, b, a, b].map((store) => sight(store, 'one', makeId('acc'))))
    assert.deepEqual(new Set(same), new Set([id]))
    const others = await Promise.all([a, b, a, b].map((store) => sight(store, 'two', makeId('acc'))))
    assert.equal(new Set([...others, id]).size, 2)
    assert.equal(await sight(a, 'three'), undefined)
    assert.equal(await b.identities.find({ issuer: 'https://id.example', subject: 'three' }), undefined)
    assert.equal(await b.identities.find({ issuer: 'https://other.example', subject: 'one' }), undefined)
    assert.equal((await a.accounts.list()).length, 2)
  })

  check('quota counts what is neither deleted nor failed, to the hundredth of a processor', async ({ containers }) => {
    const most = { containers: 10, memoryMiB: 2_000, cpu: 1 }
    const sized = (cpu: number, memoryMiB = 32) => {
      const row = containerRow('acc')
      return { ...row, spec: { ...row.spec, limits: { ...row.spec.limits, cpu, memoryMiB } } }
    }
    for (const cpu of [0.1, 0.2, 0.7]) assert.equal(await containers.add(sized(cpu), most), 'added')
    assert.deepEqual(await containers.add(sized(0.1), most), { resource: 'cpu', limit: 1, current: 1 })
    assert.deepEqual(await containers.add(sized(0.1, 1_999), { ...most, cpu: 9 }), { resource: 'memoryMiB', limit: 2_000, current: 96 }) // prettier-ignore
    const [first, second] = await containers.living()
    await containers.started(first?.id ?? '', 4)
    await containers.ended(first?.id ?? '', 'failed', 'engine_lost', null)
    await containers.deleted(second?.id ?? '', 'user_deleted', 5)
    assert.equal((await containers.usage('acc')).containers, 1)
    assert.equal((await containers.usage('other')).memoryMiB, 0)
  })

  check('the first outcome of a container stays, and its name is free once it is deleted', async ({ containers }) => {
    const row = containerRow('acc', { name: 'one' })
    await containers.add(row, wide)
    const state = async (): Promise<ContainerRecord | undefined> => containers.find(row.id)
    assert.equal(await containers.started(row.id, 7), 1)
    assert.equal(await containers.drop(row.id), 0)
    assert.equal(await containers.ended(row.id, 'exited', 'main_exited', 3), 1)
    assert.equal(await containers.ended(row.id, 'failed', 'engine_lost', null), 0)
    assert.equal(await containers.started(row.id, 8), 0)
    assert.deepEqual([(await state())?.status, (await state())?.reason, (await state())?.exitCode], ['exited', 'main_exited', 3]) // prettier-ignore
    assert.equal(await containers.add(containerRow('acc', { name: 'one' }), wide), 'name_in_use')
    assert.equal(await containers.deleted(row.id, 'ttl_expired', 50), 1)
    assert.equal(await containers.deleted(row.id, 'user_deleted', 60), 0)
    assert.deepEqual([(await state())?.reason, (await state())?.deletedAt, (await state())?.exitCode], ['ttl_expired', 50, 3]) // prettier-ignore
    assert.equal(await containers.add(containerRow('acc', { name: 'one' }), wide), 'added')
    assert.deepEqual([await containers.forget(50), await containers.forget(51)], [0, 1])
  })

  check('the first outcome of a build stays, and a failed one gives its name up', async ({ images }) => {
    const most = { images: 9, imageBytes: 100 }
    const [one, two] = [imageRow('acc', 'web'), imageRow('acc', 'web')]
    assert.equal(await images.add(one, most), 'added')
    assert.equal(await images.building(one.id), 1)
    const error = { type: 'interrupted', message: 'x', step: null } as const
    const failed = { status: 'failed', error, sizeBytes: null, engineId: null } as const
    assert.equal(await images.finished(one.id, failed, 9), 1)
    const ready = { status: 'ready', error: null, sizeBytes: 100, engineId: 'e' } as const
    assert.equal(await images.finished(one.id, ready, 10), 0)
    assert.deepEqual([(await images.find(one.id))?.error, (await images.find(one.id))?.config], [error, one.config])
    assert.equal(await images.add(two, most), 'added')
    await images.finished(two.id, ready, 11)
    assert.deepEqual(await images.add(imageRow('acc', 'next'), most), { resource: 'imageBytes', limit: 100, current: 100 }) // prettier-ignore
    await images.deleted(two.id, 12)
    assert.deepEqual(await images.usage('acc'), { images: 0, imageBytes: 0 })
    const base = { ...imageRow('', 'base'), account: null, status: 'ready', createdAt: 20 } as const
    const newer = { ...base, id: makeId('img'), createdAt: 21 }
    assert.deepEqual([await images.addBase(base), await images.addBase(newer)], [[], [base.id]])
    assert.equal((await images.findByName('acc', 'base'))?.id, newer.id)
    await images.add(imageRow('acc', 'base'), most)
    assert.equal((await images.findByName('acc', 'base'))?.account, 'acc')
  })

  check(
    'logs of the oldest builds go at a bound of bytes, and the oldest failed builds at a bound of their number',
    async ({ images }) => {
      const most = { buildLogsBytes: 2_000, endedBuilds: 3 }
      const nothing = { error: null, sizeBytes: null, engineId: null }
      const made: string[] = []
      for (const [at, status] of (['ready', 'failed', 'cancelled', 'failed', 'failed'] as const).entries()) {
        const row = imageRow('acc', `log-${at}`)
        assert.equal(await images.add(row, { images: 100, imageBytes: 100 }), 'added')
        await images.addLog(row.id, { seq: 1, at, step: 1, stream: 'stdout', data: 'ü'.repeat(400) })
        await images.finished(row.id, { ...nothing, status }, at)
        await images.trimBuilds('acc', most)
        made.push(row.id)
      }
      const logs = await Promise.all(made.map(async (id) => (await images.log(id, 0)).length))
      assert.deepEqual(logs, [0, 0, 0, 1, 1])
      const there = await Promise.all(made.map(async (id) => (await images.find(id))?.status))
      assert.deepEqual(there, ['ready', undefined, 'cancelled', 'failed', 'failed'])
    },
  )

  check('an account keeps its newest 200 revoked keys', async ({ keys }) => {
    for (let at = 0; at < 203; at++) {
      const key = keyRow('acc-revoked', at)
      assert.equal(await keys.add(key, 1), undefined)
      await keys.revoke(key.id, at)
    }
    assert.equal((await keys.page('acc-revoked', -1, undefined, 1_000)).length, 201)
  })

  check('of those who race for a step exactly one makes it, and the least recently used make room', async (a, b) => {
    const most = { checkpoints: 3, bytes: 1_000 }
    const row = (key: string, createdAt: number, sizeBytes = 100) => {
      const about = { account: 'acc', base: 'sha256:b', depth: 1, createdAt }
      return { id: makeId('chk'), key, sizeBytes, ...about }
    }
    const made = async (one: ReturnType<typeof row>, store = a) => {
      assert.equal(await store.checkpoints.add(one, most), true)
      assert.equal(await store.checkpoints.made(one.id, `sha256:${one.key}`), 1)
      return one
    }
    const race = [a, b, a, b].map((store) => store.checkpoints.add(row('raced', 1), most))
    assert.equal((await Promise.all(race)).filter(Boolean).length, 1)
    const [raced] = await a.checkpoints.of('acc')
    assert.deepEqual([raced?.status, raced?.engineId, raced?.usedAt], ['making', null, 1])
    assert.deepEqual(await b.checkpoints.readyOn('acc', 'sha256:b'), [])
    const [one, two] = [await made(row('one', 2)), await made(row('two', 3), b)]
    await b.checkpoints.used(one.id, 9)
    const three = await made(row('three', 4))
    const ready = async () => (await b.checkpoints.readyOn('acc', 'sha256:b')).map(({ id }) => id)
    assert.deepEqual(new Set(await ready()), new Set([one.id, three.id]))
    assert.equal((await a.checkpoints.find(two.id))?.status, 'evicted')
    // what is being made stays, and a key that was evicted is free
    assert.equal(await a.checkpoints.add(row('large', 5, 1_001), most), false)
    assert.equal(await a.checkpoints.add(row('two', 6, 900), most), true)
    assert.deepEqual(await ready(), [])
    assert.equal(await a.checkpoints.add(row('four', 7, 900), most), false)
    assert.deepEqual(
      [await b.checkpoints.made(raced!.id, 'sha256:r'), await a.checkpoints.made(raced!.id, 'x')],
      [1, 0],
    )
    assert.equal(await a.checkpoints.keepWithin('acc', { checkpoints: 1, bytes: 1_000 }), true)
    assert.equal((await a.checkpoints.find(raced!.id))?.status, 'evicted')
    assert.deepEqual(await a.checkpoints.of('other'), [])
    for (const { id } of await a.checkpoints.all()) assert.equal(await b.checkpoints.remove(id), 1)
    assert.deepEqual([await a.checkpoints.find(one.id), await a.checkpoints.all()], [undefined, []])
  })

  check('a walk shows once every object that existed throughout, whatever comes and goes', async (a, b) => {
    const filter = { account: 'acc', statuses: undefined, name: undefined, labels: [] }
    // many of one millisecond: the id decides
    const rows = Array.from({ length: 60 }, (_, n) => containerRow('acc', { createdAt: 1_000 + Math.floor(n / 20) }))
    for (const row of rows) await a.containers.add(row, wide)
    await a.containers.add(containerRow('other'), wide)
    const goes = new Set(rows.filter((_, n) => n % 7 === 3).map(({ id }) => id))
    const seen: string[] = []
    for (let after: { createdAt: number; id: string } | undefined; ;) {
      const page = await a.containers.page(filter, after, 9)
      seen.push(...page.items.map(({ id }) => id))
      if (!page.next) break
      after = page.next
      await b.containers.add(containerRow('acc', { createdAt: 5_000 }), wide)
      const [gone] = goes
      if (gone !== undefined && goes.delete(gone)) await b.containers.deleted(gone, 'user_deleted', 1)
    }
    assert.equal(new Set(seen).size, seen.length)
    const stay = rows.filter((_, n) => n % 7 !== 3).map(({ id }) => id)
    assert.deepEqual(stay.filter((id) => !seen.includes(id)), []) // prettier-ignore
    const order = rows.toSorted((x, y) => y.createdAt - x.createdAt || (x.id < y.id ? 1 : -1)).map(({ id }) => id)
    assert.deepEqual(seen, order.filter((id) => seen.includes(id))) // prettier-ignore
  })

  check('labels all match, also beyond the first rows that are read at once', async ({ containers }) => {
    for (let n = 0; n < 450; n++) {
      const row = containerRow('acc', { createdAt: n })
      const labels: Record<string, string> = n % 150 === 0 ? { team: 'a', n: String(n) } : { team: 'b' }
      await containers.add({ ...row, spec: { ...row.spec, labels } }, wide)
    }
    const page = (labels: [string, string][]) =>
      containers.page({ account: 'acc', statuses: ['creating'], name: undefined, labels }, undefined, 50)
    assert.deepEqual((await page([['team', 'a']])).items.map(({ createdAt }) => createdAt), [300, 150, 0]) // prettier-ignore
    assert.equal((await page([['team', 'a'], ['n', '150']])).items.length, 1) // prettier-ignore
    assert.equal((await page([['constructor', 'a']])).items.length, 0) // prettier-ignore
  })

  check('a page of large rows ends early, and a walk shows all of them', async ({ containers, images }) => {
    for (let n = 0; n < 30; n++) {
      const row = containerRow('acc', { createdAt: n })
      const spec = { ...row.spec, command: ['ü'.repeat(60_000)], labels: { odd: String(n % 2) } }
      await containers.add({ ...row, spec }, wide)
      const image = imageRow('acc', `i${n}`)
      const config = { ...image.config, labels: { large: 'x'.repeat(n === 20 ? 2_000_000 : 100_000) } }
      await images.add({ ...image, config, createdAt: n }, { images: 100, imageBytes: 1 })
    }
    const walk = async (read: (after: Place | undefined) => Promise<Found<Place>>) => {
      const pages: number[][] = []
      for (let after: Place | undefined; ;) {
        const { items, next } = await read(after)
        pages.push(items.map(({ createdAt }) => createdAt))
        if (!next) return pages
        after = next
      }
    }
    const all = Array.from({ length: 30 }, (_, n) => 29 - n)
    const of = (labels: [string, string][], limit: number) =>
      walk((after) => containers.page({ account: 'acc', statuses: undefined, name: undefined, labels }, after, limit))
    const whole = await of([], 200)
    assert.deepEqual(whole.map(({ length }) => length), [8, 8, 8, 6]) // prettier-ignore
    assert.deepEqual(whole.flat(), all)
    for (const limit of [1, 3, 200]) {
      const pages = await of([['odd', '1']], limit)
      assert.ok(pages.every(({ length }) => length <= Math.min(limit, 8)))
      assert.deepEqual(pages.flat(), all.filter((n) => n % 2 === 1)) // prettier-ignore
    }
    assert.deepEqual((await of([['odd', '2']], 9)).flat(), [])
    const scopes = ['own'] as const
    const some = await walk((after) =>
      images.page({ account: 'acc', scopes, statuses: undefined, name: undefined }, after, 200),
    )
    assert.deepEqual(some.map(({ length }) => length), [9, 1, 10, 10]) // prettier-ignore
    assert.deepEqual(some.flat(), all)
  })

  idempotencyChecks(check)

  check('keys, sessions, accounts and SSH sessions are read as they were written', async (a, b) => {
    const key = { ...keyRow('acc', 2 ** 41), digest: digest(7), expiresAt: 2 ** 42 }
    await a.keys.add(key, 5)
    assert.deepEqual({ ...(await b.keys.findByPrefix(key.prefix)), digest: digest(7) }, key)
    assert.equal(await b.keys.find('other', key.id), undefined)
    assert.deepEqual([...(await b.keys.livingOf([key.id, 'x'], 2 ** 42 - 1))], [key.id])
    assert.equal((await b.keys.livingOf([key.id], 2 ** 42)).size, 0)
    assert.deepEqual([await a.keys.revoke(key.id, 5), await a.keys.revoke(key.id, 6)], [1, 0])
    assert.equal((await b.keys.find('acc', key.id))?.revokedAt, 5)
    assert.equal(await b.keys.findUnrevoked(key.prefix), undefined)
    assert.equal((await b.keys.page('acc', 5, undefined, 9)).length, 0)
    assert.equal((await b.keys.page('acc', 4, undefined, 9)).length, 1)
    const session = { digest: digest(9), account: 'acc', createdAt: 1, usedAt: 1, endsAt: 100 }
    await a.sessions.add(session)
    await b.sessions.touch(session.digest, 50)
    assert.deepEqual(await a.sessions.find(session.digest), { ...session, usedAt: 50 })
    assert.equal(await b.accounts.add({ id: 'acc', email: 'A@x.y', password: undefined, createdAt: 1 }), true)
    assert.equal(await a.accounts.add({ id: 'two', email: 'a@X.y', password: 'p', createdAt: 1 }), false)
    assert.deepEqual(await a.accounts.findByEmail('a@x.Y'), { id: 'acc', email: 'a@x.y', password: undefined, createdAt: 1 }) // prettier-ignore
    const living = keyRow('acc')
    await a.keys.add(living, 5)
    const ssh = { id: 's', container: 'c', account: 'acc', keyId: living.id, publicKey: 'p', endsAt: 90 }
    const race = [a, b, a, b].map((store, n) => store.sshSessions.add({ ...ssh, id: `s${n}` }, 2, 10))
    assert.equal((await Promise.all(race)).filter((one) => one === undefined).length, 2)
    assert.equal(await a.sshSessions.firstEnd('c', 10), 90)
    await a.keys.revoke(living.id, 20)
    assert.equal(await b.sshSessions.firstEnd('c', 10), undefined)
    assert.equal(await a.secret('x').then((one) => one.length), 32)
    assert.deepEqual(await a.secret('x'), await b.secret('x'))
  })
}
