// The tests that every subject below a folder has: its seeds, many of them, and its mutants.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { mutantText } from './mutant.ts'
import { findInThread } from './run-mutants.ts'
import { mutantsIn, nameOf, subjectFolders, subjectIn } from './subject.ts'

const isFull = process.env['ENDURANCE'] === 'full'
const runs = Number(process.env['RUNS'] ?? 25)

const foldersIn = (below: string): string[] => {
  const folders = subjectFolders(below)
  assert.ok(folders.length > 0)
  return folders
}

/** a few seeds, and idle time that is run */
export function testSeeds(below: string) {
  for (const folder of foldersIn(below)) {
    const name = nameOf(folder)
    test(`${name}: no seed breaks a promise`, { timeout: 600_000 }, async (t) => {
      const { makePlan, runPlan, usual } = await subjectIn(folder)
      const sums: Record<string, number> = {}
      for (let seed = 1; seed <= runs; seed++) {
        const { broken, outcomes } = await runPlan(makePlan(seed))
        assert.equal(broken, undefined, `npm run simulate -- --subject ${name} --seed ${seed}`)
        for (const [code, count] of Object.entries(outcomes)) sums[code] = (sums[code] ?? 0) + count
      }
      t.diagnostic(JSON.stringify(sums))
      for (const code of usual) assert.ok((sums[code] ?? 0) > 5 * runs, code)
    })

    test(
      `${name}: idle time that is run says the same as idle time that is left out`,
      { timeout: 120_000 },
      async () => {
        const { makePlan, runPlan } = await subjectIn(folder)
        for (const seed of [1, 2, 3]) {
          const plan = makePlan(seed, 0.3)
          const [short, whole] = [await runPlan(plan), await runPlan(plan, { runsIdleTime: true })]
          assert.equal(whole.broken, undefined)
          assert.ok(whole.events >= short.events)
        }
      },
    )

    test(`${name}: the same seed does the same`, { timeout: 120_000 }, async () => {
      const { makePlan, runPlan } = await subjectIn(folder)
      const hashOf = async (seed: number) => (await runPlan(makePlan(seed, 0.5))).hash
      const [first, second] = [await hashOf(3), await hashOf(8)]
      assert.notEqual(first, second)
      assert.deepEqual([await hashOf(8), await hashOf(3)], [second, first])
    })
  }
}

/** on all cores */
export function testManySeeds(below: string) {
  for (const name of foldersIn(below).map(nameOf))
    test(`${name}: a thousand seeds of two hours break no promise`, { timeout: 600_000 }, async (t) => {
      const args = [join(import.meta.dirname, 'simulate.ts'), '--subject', name, '--seeds', '1000']
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
      t.diagnostic(printed.split('\n', 1)[0] ?? '')
      assert.equal(code, 0, printed)
    })
}

/** all mutants by their known seeds in long runs, some of them in short ones */
export async function testMutants(below: string) {
  for (const folder of foldersIn(below)) {
    const [name, mutants] = [nameOf(folder), await mutantsIn(folder)]
    test(`${name}: each mutant changes code that is there`, () => {
      for (const mutant of mutants) assert.notEqual(mutantText(mutant), '', mutant.name)
      assert.equal(new Set(mutants.map((mutant) => mutant.name)).size, mutants.length)
      assert.ok(mutants.some(({ isShort }) => isShort))
    })
    for (const mutant of mutants)
      if (mutant.seed !== undefined && (isFull || mutant.isShort))
        test(`${name}: seed ${mutant.seed} finds: ${mutant.name}`, { timeout: 120_000 }, async () => {
          const found = await findInThread({ folder, mutant, seeds: 1, from: mutant.seed ?? 1 })
          assert.equal(found?.seed, mutant.seed)
        })
  }
}
