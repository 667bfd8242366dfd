// Faults planted in the product's code are found: all by their known seeds in long runs, some of them in short ones.
import assert from 'node:assert/strict'
import test from 'node:test'
import { mutants } from './mutants.ts'
import { findInThread, mutantText } from './run-mutants.ts'

const isFull = process.env['ENDURANCE'] === 'full'
/** runs that begin at the known seed */
const short = new Set(['one call too many is granted', 'a call without an answer is given back'])

test('each mutant changes code that is there', () => {
  for (const mutant of mutants) assert.notEqual(mutantText(mutant), '', mutant.name)
  assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length)
})

for (const mutant of mutants)
  if (mutant.seed !== undefined && (isFull || short.has(mutant.name)))
    test(`seed ${mutant.seed} finds: ${mutant.name}`, { timeout: 120_000 }, async () => {
      const found = await findInThread(mutant, 1, mutant.seed)
      assert.equal(found?.seed, mutant.seed)
    })
