import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { makeKey } from '../../src/keys/facade-key.ts'
import { createKeys } from '../../src/keys/keys.ts'
import { product } from '../../src/product.ts'
import { createOperatorTokens } from '../../../base/auth/operator-token.ts'
import { openStore } from '../../src/store/open.ts'
import type { KeyRecords } from '../../src/store/key-rows.ts'
import { tester } from '../support/service.ts'
import { withChecksum } from './with-checksum.ts'

/** counts what is compared and hashed from here on */
function count(t: TestContext): Record<'compares' | 'hashes', number> {
  const { timingSafeEqual, hash } = crypto
  const counts = { compares: 0, hashes: 0 }
  crypto.timingSafeEqual = (a, b) => {
    counts.compares++
    return timingSafeEqual(a, b)
  }
  crypto.hash = ((...given: Parameters<typeof hash>) => {
    counts.hashes++
    return hash(...given)
  }) as typeof hash
  syncBuiltinESMExports()
  t.after(() => {
    Object.assign(crypto, { timingSafeEqual, hash })
    syncBuiltinESMExports()
  })
  return counts
}

/** writes down each call of the store */
const noting = (records: KeyRecords, calls: string[]): KeyRecords =>
  new Proxy(records, {
    get:
      (target, name: keyof KeyRecords) =>
      (id: string, ...rest: unknown[]) => {
        calls.push(`${name} ${typeof id}`)
        return (target[name] as (...given: unknown[]) => unknown)(id, ...rest)
      },
  })

test('an unknown key, a wrong secret, a revoked and an expired key cost the same work', async (t) => {
  const counts = count(t)
  const calls: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-work-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openStore(`sqlite:${join(folder, 'v.db')}`)
  t.after(store.close)
  const at = Date.now()
  const keys = createKeys({
    records: noting(store.keys, calls),
    kind: 'test',
    now: () => at,
    accounts: async () => new Map(),
  })
  const issue = (more = {}) => keys.issue({ name: 'x', connections: ['*'], ...more }, tester)
  const [live, revoked, expired] = [await issue(), await issue(), await issue({ expiresAt: at })]
  await keys.revoke(revoked.shown.id, tester)
  const [, , id, secret = ''] = live.key.split('_')

  async function workOf(key: string) {
    calls.length = 0
    Object.assign(counts, { compares: 0, hashes: 0 })
    const outcome = await keys.authenticate(`Bearer ${key}`).then(
      () => 'in',
      (error: { code: string }) => error.code,
    )
    return { outcome, calls: [...calls], ...counts }
  }
  // for cached keys, and for those looked up
  const same = { calls: ['find string'], compares: 2, hashes: 1 }
  const refused = { outcome: 'key_invalid', ...same }
  assert.deepEqual(await workOf(live.key), { outcome: 'in', ...same })
  assert.deepEqual(await workOf(makeKey('test').key), refused)
  assert.deepEqual(await workOf(withChecksum(`vtr_test_${id}_${secret.split('').toReversed().join('')}`)), refused)
  assert.deepEqual(await workOf(revoked.key), refused)
  assert.deepEqual(await workOf(expired.key), refused)
  // a text without the form of a key is refused without a look-up; anyone can check the form
  const untried = { outcome: 'key_invalid', calls: [], compares: 0, hashes: 0 }
  for (const text of [`${live.key}x`, live.key.slice(0, -1), 'nonsense']) assert.deepEqual(await workOf(text), untried)
})

test('a wrong operator token costs as many comparisons as the right one, wherever they differ', (t) => {
  const counts = count(t)
  const [first, wrong] = ['An-operator-token-q8Zr2Vx5-1', 'An-operator-token-q8Zr2Vx5-9']
  const tokens = createOperatorTokens({ product, fixed: first, observe: () => {} })
  for (const [token, opens] of [
    [first, true],
    [wrong, false],
    ['x', false],
  ] as const) {
    Object.assign(counts, { compares: 0, hashes: 0 })
    if (opens) tokens.authenticate(`Bearer ${token}`)
    else assert.throws(() => tokens.authenticate(`Bearer ${token}`), { code: 'operator_token_invalid' })
    assert.deepEqual(counts, { compares: 1, hashes: 1 })
  }
})
