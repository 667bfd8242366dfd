// What the store promises of first answers by Idempotency-Key; a part of the suite.
import assert from 'node:assert/strict'
import type { Store } from '../../src/store/store.ts'

/** a promise, tried with two processes on one database */
export type Check = (promise: string, act: (store: Store, second: Store) => Promise<void>) => void

export const digest = (byte: number) => new Uint8Array(32).fill(byte)

export function idempotencyChecks(check: Check) {
  check('an Idempotency-Key is taken once, kept for its account and route, and forgotten in time', async (a, b) => {
    const place = { account: 'acc', route: 'r', key: 'k' }
    const take = (store: Store, byte = 1, at = 100, oldest = 0, target = 'ct_1') =>
      store.idempotency.take(place, { digest: digest(byte), target, at }, oldest)
    const race = await Promise.all([a, b, a, b].map((store, n) => take(store, 1, 100, 0, `ct_${n}`)))
    const winner = `ct_${race.indexOf('new')}`
    const losers = race.filter((one) => one !== 'new')
    assert.deepEqual(losers, Array.from({ length: 3 }, () => ({ unfinished: winner }))) // prettier-ignore
    assert.equal(await take(b, 2), 'conflict')
    const first = { status: 201, location: '/x', body: '{}' }
    await a.idempotency.keep(place, winner, first)
    assert.deepEqual(await take(b), first)
    assert.equal(await take(b, 2), 'conflict')
    const other = { digest: digest(2), target: 'ct_9', at: 1 }
    assert.equal(await b.idempotency.take({ ...place, account: 'other' }, other, 0), 'new')
    assert.equal(await b.idempotency.take({ ...place, route: 's' }, other, 0), 'new')
    assert.equal(await take(a, 3, 300, 101), 'new')
    await a.idempotency.drop(place, 'ct_1')
    assert.equal(await take(b, 4), 'new')
  })

  check('an attempt that made nothing is taken over once, and can no longer answer or be dropped', async (a, b) => {
    const place = { account: 'acc', route: 'r', key: 'k' }
    const attempt = (target: string) => ({ digest: digest(1), target, at: 100 })
    assert.equal(await a.idempotency.take(place, attempt('ct_0'), 0), 'new')
    const race = [a, b, a, b].map((store, n) => store.idempotency.retake(place, 'ct_0', { target: `ct_${n + 1}`, at: 200 })) // prettier-ignore
    const changes = await Promise.all(race)
    assert.deepEqual(
      changes.toSorted((x, y) => x - y),
      [0, 0, 0, 1],
    )
    const unfinished = `ct_${changes.indexOf(1) + 1}`
    const answer = { status: 201, location: null, body: '{"n":1}' }
    assert.equal(await a.idempotency.keep(place, 'ct_0', answer), 0)
    assert.equal(await a.idempotency.drop(place, 'ct_0'), 0)
    assert.deepEqual(await b.idempotency.take(place, attempt('ct_9'), 0), { unfinished })
    assert.equal(await b.idempotency.keep(place, unfinished, answer), 1)
    assert.equal(await b.idempotency.keep(place, unfinished, { ...answer, body: '{"n":2}' }), 0)
    assert.equal(await a.idempotency.drop(place, unfinished), 0)
    assert.equal(await a.idempotency.retake(place, unfinished, { target: 'ct_9', at: 1 }), 0)
    assert.deepEqual(await a.idempotency.take(place, attempt('ct_9'), 150), answer)
  })
}
