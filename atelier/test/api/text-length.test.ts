import assert from 'node:assert/strict'
import test from 'node:test'
import { findFault } from '../../../base/core/schema.ts'

const isTaken = (text: string, bounds: object): boolean =>
  findFault({ type: 'object', properties: { t: { type: 'string', ...bounds } } }, { t: text }) === undefined

test('the length of a text is its number of code points, for every mix of them and every bound', () => {
  for (let plain = 0; plain <= 4; plain++)
    for (let pairs = 0; pairs <= 4; pairs++) {
      const [text, length] = ['a'.repeat(plain) + '😀'.repeat(pairs), plain + pairs]
      assert.equal(isTaken(text, {}), true)
      for (let bound = 0; bound <= 9; bound++) {
        assert.equal(isTaken(text, { maxLength: bound }), length <= bound, `${text} at most ${bound}`)
        assert.equal(isTaken(text, { minLength: bound }), length >= bound, `${text} at least ${bound}`)
        const both = { minLength: bound, maxLength: bound + 1 }
        assert.equal(isTaken(text, both), length === bound || length === bound + 1, `${text} ${bound} or one more`)
      }
    }
})
