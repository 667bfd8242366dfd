// When a checkpoint is made: what it saves a later build must be worth what it costs this one.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createWorth } from '../../src/images/cache/worth.ts'

const mebibyte = 2 ** 20

test('a long step is kept, a short one is not, and many short ones together are', () => {
  const worth = createWorth()
  worth.ran(400)
  assert.equal(worth.isWorthAfter(), false)
  worth.ran(500)
  assert.equal(worth.isWorthAfter(), true)
  worth.saved(80)
  assert.equal(worth.isWorthAfter(), false)
  for (let n = 0; n < 24; n++) worth.ran(80)
  assert.equal(worth.isWorthAfter(), false)
  worth.ran(80)
  assert.equal(worth.isWorthAfter(), true)
})

test('before files are copied, what is worth more than it costs is kept, and all of it takes half of the work at most', () => {
  const worth = createWorth()
  assert.equal(worth.isWorthBefore(), false)
  worth.ran(150)
  assert.equal(worth.isWorthBefore(), false)
  worth.ran(50)
  assert.equal(worth.isWorthBefore(), true)
  worth.saved(100)
  let [worked, paid] = [200, 100]
  for (let n = 0; n < 50; n++) {
    worth.ran(60)
    worked += 60
    if (!worth.isWorthBefore()) continue
    worth.saved(100)
    paid += 100
  }
  assert.ok(paid > 1_000 && paid <= worked / 2, `${paid} of ${worked}`)
})

test('what is slow to write is kept only after a step that took twice as long', () => {
  const worth = createWorth()
  worth.ran(2_000)
  assert.equal(worth.isWorthAfter(10 * mebibyte), true)
  assert.equal(worth.isWorthAfter(1_000 * mebibyte), false)
  assert.equal(worth.isWorthBefore(1_000 * mebibyte), false)
  worth.saved(1_500)
  worth.ran(2_900)
  assert.equal(worth.isWorthAfter(), false)
  worth.ran(3_000)
  assert.equal(worth.isWorthAfter(), true)
})
