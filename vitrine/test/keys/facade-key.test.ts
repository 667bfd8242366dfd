import assert from 'node:assert/strict'
import test from 'node:test'
import { keyPattern, makeKey, readKeyId } from '../../src/keys/facade-key.ts'

test('a key contains its kind, its id and a valid checksum', () => {
  for (const kind of ['live', 'test'] as const) {
    const { id, key } = makeKey(kind)
    assert.match(key, new RegExp(`^vtr_${kind}_${id}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$`))
    assert.match(key, keyPattern)
    assert.equal(readKeyId(key), id)
  }
})

test('keys are unique, and use all letters of the alphabet evenly', () => {
  const keys = Array.from({ length: 2_000 }, () => makeKey('live').key)
  assert.equal(new Set(keys).size, keys.length)
  const secrets = keys.map((key) => key.split('_')[3] ?? '').join('')
  const counts = Object.groupBy(secrets.split(''), (c) => c)
  assert.equal(Object.keys(counts).length, 62)
  const share = secrets.length / 62
  for (const [letter, found] of Object.entries(counts))
    assert.ok(Math.abs((found?.length ?? 0) - share) < share * 0.25, letter)
})

test('a single mistyped letter is detected without a look-up', () => {
  const { key } = makeKey('test')
  for (let at = 0; at < key.length; at++)
    for (const letter of ['x', '0', '_', ' ']) {
      const typed = key.slice(0, at) + letter + key.slice(at + 1)
      if (typed !== key) assert.equal(readKeyId(typed), undefined, typed)
    }
  for (const odd of ['', `${key} `, `${key}\n`, key.slice(1), key + key]) assert.equal(readKeyId(odd), undefined)
})
