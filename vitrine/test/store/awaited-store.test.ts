import assert from 'node:assert/strict'
import test from 'node:test'
import { awaitStore, StoreSilent } from '../../../base/store/awaited-store.ts'

test('a store that stays silent is tried again for a minute, and its last failure is thrown', async () => {
  let [ms, tries] = [0, 0]
  const told: [string, number][] = []
  const opening = awaitStore(
    async () => {
      throw new StoreSilent(`try ${++tries}`, { cause: 'ECONNREFUSED' })
    },
    { waits: (...given) => told.push(given), steady: () => ms, rest: async (pauseMs) => (ms += pauseMs) },
  )
  await assert.rejects(opening, /try 61/)
  assert.deepEqual([ms, told], [60_000, [['ECONNREFUSED', 60_000]]])
})
