import assert from 'node:assert/strict'
import test from 'node:test'
import { createRandomPool } from '../../../base/core/digest-and-random.ts'

test('no piece comes twice, and none changes when the next pool is made', () => {
  const random = createRandomPool()
  const pieces = Array.from({ length: 100_000 }, () => random(12))
  const texts = pieces.map((piece) => piece.toString('hex'))
  assert.equal(new Set(texts).size, pieces.length)
  random(4_096)
  for (const [at, piece] of pieces.entries()) assert.equal(piece.toString('hex'), texts[at])
})

test('two pools give different pieces', () => {
  const [one, other] = [createRandomPool(), createRandomPool()]
  const texts = Array.from({ length: 1_000 }, () => [one(12), other(12)].map((piece) => piece.toString('hex'))).flat()
  assert.equal(new Set(texts).size, texts.length)
})

test('a piece has the length that was asked for, also what is longer than a pool, and every byte of it is random', () => {
  const random = createRandomPool()
  for (const length of [0, 1, 12, 4_095, 4_096, 4_097, 10_000]) assert.equal(random(length).length, length)
  const pieces = Array.from({ length: 10_000 }, () => random(22))
  for (let at = 0; at < 22; at++) assert.equal(new Set(pieces.map((piece) => piece[at])).size, 256)
  // the end of a long one, too: a pool that is cut off would be shorter or empty there
  assert.ok(new Set(random(10_000).subarray(9_000)).size > 200)
})
