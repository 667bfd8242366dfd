import assert from 'node:assert/strict'
import test from 'node:test'
import { createHeldBytes } from '../../src/api/held-bytes.ts'

test('an account holds no more than its limit, and what is freed can be held again', () => {
  const held = createHeldBytes({ ofAccount: 100, ofAll: 1_000 })
  const [one, two] = [held.hold('a'), held.hold('a')]
  assert.equal(one.add(60), true)
  assert.equal(two.add(50), false)
  assert.equal(two.add(40), true)
  assert.equal(held.bytes, 100)
  assert.throws(() => held.check('a', 1), { code: 'no_capacity' })
  held.check('b', 100)
  one.free()
  one.free()
  assert.equal(one.add(1), false, 'its request is over')
  assert.equal(held.bytes, 40)
  held.check('a', 60)
})

test('when all memory is held, an account that holds less than its share may go on', () => {
  const held = createHeldBytes({ ofAccount: 100, ofAll: 150 })
  const [greedy, other, modest] = [held.hold('a'), held.hold('b'), held.hold('c')]
  assert.equal(greedy.add(100), true)
  assert.equal(other.add(50), true)
  assert.equal(greedy.add(0), true)
  assert.equal(other.add(30), false)
  assert.throws(() => held.check('a', 0), { code: 'no_capacity' })
  held.check('c', 100)
  assert.equal(modest.add(50), true)
  assert.equal(modest.add(1), false)
})

test('all accounts together hold no more than twice the limit', () => {
  const held = createHeldBytes({ ofAccount: 100, ofAll: 100 })
  for (let i = 0; i < 1_000; i++) {
    const one = held.hold(`${i}`)
    while (one.add(1));
  }
  assert.equal(held.bytes, 200)
})
