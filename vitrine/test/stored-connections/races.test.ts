// Changes to a row between its reading and its writing by a rotation.
import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import test from 'node:test'
import { createRotation } from '../../src/connections/rotation.ts'
import { UnreadableCredential, type Vault } from '../../src/connections/vault.ts'
import type { AuditEntry } from '../../../base/core/audit.ts'
import type { ConnectionRecord } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'
import { makeKey, newText, oldText, recordOf, vaultOf } from '../connections/vault-scene.ts'
import { tester } from '../support/service.ts'
import { drivers, within } from '../store/records.ts'

const old = vaultOf(oldText)
const moving = vaultOf(newText, oldText)
const fresh = vaultOf(newText)
/** more than two batches of a rotation */
const count = 250
const idOf = (n: number): string => `c${String(n).padStart(3, '0')}`

const deed = (act: string, target: string): AuditEntry => ({
  at: 1,
  ...tester,
  act,
  target,
  outcome: 'done',
  details: {},
})

const rowOf = (id: string, key: KeyObject, more: Partial<ConnectionRecord> = {}): ConnectionRecord =>
  recordOf(key, { id, epoch: `e-${id}`, version: 1, ...more }, old)

async function fill(store: Store): Promise<ConnectionRecord[]> {
  const key = makeKey()
  const rows = Array.from({ length: count }, (_, n) => rowOf(idOf(n), key))
  for (const row of rows) await store.connections.add(row, deed('connections.create', row.id))
  return rows
}

/** a rotation that calls `meanwhile` each time it has read rows and is about to write them */
const rotationOf = (store: Store, meanwhile: () => Promise<void>) =>
  createRotation({
    records: {
      ...store.connections,
      rewrap: async (changes) => {
        await meanwhile()
        return store.connections.rewrap(changes)
      },
    },
    vault: () => moving,
    checkMasterKey: async () => {},
    reseal: async () => undefined,
    record: (deed) => store.audit.append([deed]),
    compact: async () => true,
    now: Date.now,
  })

const rotate = (store: Store, meanwhile = async () => {}) => rotationOf(store, meanwhile).rotate(tester, () => {})

/** id -> fingerprint of the decrypted key */
async function opened(store: Store, vault: Vault): Promise<Map<string, string>> {
  const rows = await store.connections.page({ after: '', limit: count + 1 })
  return new Map(rows.map((row) => [row.id, (vault.open(row), row.fingerprint)]))
}

for (const driver of drivers)
  test(
    `${driver.name}: a row changed during a rotation keeps the change, and the next rotation moves it`,
    { skip: driver.skip },
    () =>
      within(driver, async (open) => {
        const [store, other] = [await open(), await open()]
        const rows = await fill(store)
        const [first, gone, again, last] = [0, 1, 2, count - 1].map((n) => rows[n] as ConnectionRecord)
        assert.ok(first && gone && again && last)
        const [replaced, renamed] = [makeKey(), makeKey()]
        let changed = false
        const meanwhile = async () => {
          if (changed) return
          changed = true
          // a server whose settings still list the old master key first
          for (const { id, epoch } of [first, last]) {
            const next = rowOf(id, replaced, { version: 2 })
            assert.ok(await other.connections.replace(next, { epoch, version: 1 }, deed('connections.replace', id)))
          }
          await other.connections.remove(gone.id, gone, deed('connections.remove', gone.id))
          await other.connections.remove(again.id, again, deed('connections.remove', again.id))
          await other.connections.add(rowOf(again.id, renamed, { epoch: 'e2' }), deed('connections.create', again.id))
        }
        const once = await rotate(store, meanwhile)
        // the first batch had three of the four; the last row was read after its replacement
        assert.deepEqual([once.moved, once.failed, once.left], [count - 3, [], 2])
        const midway = await opened(store, moving)
        assert.equal(midway.get(first.id), rowOf(first.id, replaced).fingerprint)
        assert.equal(midway.get(again.id), rowOf(again.id, renamed).fingerprint)
        assert.equal(midway.has(gone.id), false)
        assert.deepEqual([(await rotate(store)).moved, (await opened(store, fresh)).size], [2, count - 1])
        for (const row of await store.connections.page({ after: '', limit: count }))
          assert.throws(() => old.open(row), UnreadableCredential)
      }),
  )

for (const driver of drivers)
  test(`F173: ${driver.name}: two rotations that read the same rows move each row once`, { skip: driver.skip }, () =>
    within(driver, async (open) => {
      const stores = [await open(), await open()] as const
      await fill(stores[0])
      const met = Promise.withResolvers<void>()
      let waiting = 0
      const meet = async () => {
        if (++waiting === 2) met.resolve()
        await met.promise
      }
      const both = await Promise.all(stores.map((store) => rotate(store, meet)))
      assert.ok(waiting >= 4, 'both had rows in hand')
      assert.deepEqual([both[0]?.failed, both[1]?.failed, both[0]?.left, both[1]?.left], [[], [], 0, 0])
      assert.equal(
        both.reduce((sum, { moved }) => sum + moved, 0),
        count,
      )
      assert.equal((await opened(stores[0], fresh)).size, count)
      const { lines, brokenAt } = await stores[1].audit.verify()
      assert.deepEqual([lines, brokenAt], [count + 4, undefined])
    }),
  )
