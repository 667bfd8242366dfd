import assert from 'node:assert/strict'
import test from 'node:test'
import { wordMatcher, lowerCase } from '../../../base/console/word-search.ts'

test('a search matches all typed words in any order, and an empty one matches everything', () => {
  const found = (typed: string) => wordMatcher(typed)(lowerCase('Studio-NORD 2X9R4HXF34'))
  for (const typed of ['', '  ', 'nord', 'STUDIO', '2x9r studio', ' o-n '] as const)
    assert.equal(found(typed), true, typed)
  for (const typed of ['south', 'studio south', 'studionord'] as const) assert.equal(found(typed), false, typed)
})
