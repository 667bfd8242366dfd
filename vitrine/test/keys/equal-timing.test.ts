// Timing does not reveal why a key is invalid: every invalid key takes the same look-ups.
import assert from 'node:assert/strict'
import test from 'node:test'
import { crc32 } from 'node:zlib'
import { makeKey, readKeyId } from '../../src/keys/facade-key.ts'
import { createKeys } from '../../src/keys/keys.ts'
import { createKeyRows } from '../../src/store/key-rows.ts'
import { openDatabase } from '../../src/store/open.ts'
import type { Database } from '../../../base/store/sql.ts'
import { drivers, type Driver } from '../store/records.ts'

const tester = { who: 'cli:tester', from: 'here', requestId: null }
const hourMs = 3_600_000

async function open(driver: Driver) {
  const { location, remove } = await driver.place()
  const database = await openDatabase(location)
  const seen = { queries: 0, isAway: false, now: Date.now() }
  const counting: Database = {
    ...database,
    async one(text, values) {
      seen.queries++
      if (seen.isAway) throw Object.assign(new Error('away'), { code: 'store_unavailable' })
      return database.one(text, values)
    },
  }
  const keys = createKeys({
    records: createKeyRows(counting),
    kind: 'test',
    now: () => seen.now,
    accounts: async () => new Map(),
  })
  const issue = async (expiresAt?: number) =>
    (await keys.issue({ name: 'k', connections: ['*'], expiresAt }, tester)).key
  const good = await issue()
  const expired = await issue(seen.now + hourMs)
  const revoked = await issue()
  await keys.revoke(revoked.split('_')[2] ?? '', tester)
  const wrongSecret = forge(good)
  seen.now += 2 * hourMs
  const outcomeOf = async (key: string) => {
    const before = seen.queries
    const code = await keys.authenticate(`Bearer ${key}`).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    )
    return { code, queries: seen.queries - before }
  }
  return {
    seen,
    good,
    outcomeOf,
    bad: { unknown: makeKey('test').key, revoked, expired, 'of another secret': wrongSecret },
    close: async () => {
      await database.close()
      await remove()
    },
  }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** a key with the same id, another secret and a valid checksum */
function forge(key: string): string {
  const [, , id = ''] = key.split('_')
  const body = `vtr_test_${id}_${'A'.repeat(43)}`
  let check = ''
  for (let rest = crc32(body), i = 0; i < 6; i++, rest = Math.floor(rest / 62)) check = alphabet[rest % 62] + check
  const forged = `${body}_${check}`
  assert.equal(readKeyId(forged), id)
  return forged
}

for (const driver of drivers)
  void test(
    `${driver.name}: all invalid keys take the same look-ups, on the first and on later requests`,
    { skip: driver.skip },
    async () => {
      const { seen, good, bad, outcomeOf, close } = await open(driver)
      try {
        for (const round of ['first', 'again', 'after the good one', 'later'])
          for (const [name, key] of Object.entries(bad)) {
            if (round === 'after the good one') assert.equal((await outcomeOf(good)).code, 'accepted')
            if (round === 'later') await new Promise((ok) => setTimeout(ok, 20))
            assert.deepEqual(await outcomeOf(key), { code: 'key_invalid', queries: 1 }, `${name}, ${round}`)
          }
        const shared = new Set<number>()
        for (const key of Object.values(bad)) {
          const before = seen.queries
          const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(key)))
          for (const { code } of outcomes) assert.equal(code, 'key_invalid')
          shared.add(seen.queries - before)
        }
        assert.equal(shared.size, 1, `that many look-ups for three at once: ${[...shared].join()}`)
        assert.equal((await outcomeOf(good)).queries, 0, 'guesses at its id do not drop a valid key from the cache')
      } finally {
        await close()
      }
    },
  )

for (const driver of drivers)
  void test(
    `${driver.name}: all invalid keys are refused alike while the store is down`,
    { skip: driver.skip },
    async () => {
      const { seen, bad, outcomeOf, close } = await open(driver)
      try {
        for (const key of Object.values(bad)) await outcomeOf(key)
        seen.isAway = true
        for (const [name, key] of Object.entries(bad))
          assert.deepEqual(await outcomeOf(key), { code: 'store_unavailable', queries: 1 }, name)
      } finally {
        await close()
      }
    },
  )
