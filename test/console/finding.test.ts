import assert from 'node:assert/strict'
import test from 'node:test'
import { finderOf, small } from '../../src/console/finding.ts'

test('what is typed finds by all of its words, in any order, and nothing typed finds all', () => {
  const found = (typed: string) => finderOf(typed)(small('Studio-NORD 2X9R4HXF34'))
  for (const typed of ['', '  ', 'nord', 'STUDIO', '2x9r studio', ' o-n '] as const)
    assert.equal(found(typed), true, typed)
  for (const typed of ['south', 'studio south', 'studionord'] as const) assert.equal(found(typed), false, typed)
})
