import assert from 'node:assert/strict'
import test from 'node:test'
import { createUnchangedCache } from '../../../base/store/record-cache.ts'

function shelf() {
  let version: number | undefined = 1
  const rows = new Map<string, string>([['a', 'first']])
  const looks: string[] = []
  let amid = () => {}
  const find = createUnchangedCache(
    async (id: string) => {
      looks.push(id)
      const row = rows.get(id)
      amid()
      return row
    },
    () => version,
  )
  return {
    find,
    rows,
    looks,
    change: (to: number | undefined) => (version = to),
    during: (act: () => void) => (amid = act),
  }
}

test('a record is read once, and again after any change', async () => {
  const { find, rows, looks, change } = shelf()
  assert.deepEqual([await find('a'), await find('a'), looks.length], ['first', 'first', 1])
  rows.set('a', 'second')
  change(2)
  assert.deepEqual([await find('a'), await find('a'), looks.length], ['second', 'second', 2])
})

test('a missing record is read every time', async () => {
  const { find, rows, looks } = shelf()
  assert.equal(await find('b'), undefined)
  rows.set('b', 'there')
  assert.equal(await find('b'), 'there')
  assert.deepEqual(looks, ['b', 'b'])
})

test('where changes are unknown, nothing is cached', async () => {
  const { find, looks, change } = shelf()
  await find('a')
  change(undefined)
  await find('a')
  await find('a')
  assert.equal(looks.length, 3)
})

test('a record that was read during a change is not cached', async () => {
  const { find, rows, looks, change, during } = shelf()
  during(() => {
    rows.set('a', 'second')
    change(2)
    // another reader has asked meanwhile, and found the change
    during(() => {})
    void find('other')
  })
  assert.equal(await find('a'), 'first')
  assert.equal(await find('a'), 'second')
  assert.deepEqual(looks, ['a', 'other', 'a'])
})

test('ten thousand records are kept, and the first one goes for the next', async () => {
  const looks: string[] = []
  const find = createUnchangedCache(
    async (id: string) => (looks.push(id), id),
    () => 1,
  )
  for (let i = 0; i <= 10_000; i++) await find(`k${i}`)
  await find('k10000')
  assert.equal(looks.length, 10_001)
  await find('k0')
  assert.equal(looks.length, 10_002)
})
