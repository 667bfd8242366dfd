import assert from 'node:assert/strict'
import test from 'node:test'
import { createKeptCommands, keptAfterEndMs } from '../../src/exec/kept-commands.ts'

const line = (seq: number, data = 'x'.repeat(1_000)) => ({ type: 'stdout', seq, data }) as const
const limits = { ofCommand: 20_000, ofAccount: 50_000, ofAll: 120_000 }

test('what many commands of many accounts print endlessly stays within the bounds for each and in all', () => {
  const kept = createKeptCommands(limits)
  const accounts = ['a', 'b', 'c', 'd', 'e']
  const commands = accounts.flatMap((account) =>
    Array.from({ length: 8 }, (_, n) => kept.begin({ id: `${account}${n}`, account, container: account })),
  )
  for (let seq = 1; seq <= 500; seq++)
    for (const one of commands) {
      kept.add(one, line(seq, seq % 2 ? 'é' : '日本'.repeat(300)))
      assert.ok(one.bytes <= limits.ofCommand)
      assert.ok(kept.bytes <= limits.ofAll)
    }
  const mine = commands.filter(({ place }) => place.account === 'a')
  assert.ok(mine.reduce((sum, one) => sum + one.bytes, 0) <= limits.ofAccount)
})

test('the account that holds most loses output, and another account keeps its own', () => {
  const kept = createKeptCommands({ ...limits, ofAccount: 200_000 })
  const small = kept.begin({ id: 'small', account: 'quiet', container: 'ct' })
  kept.add(small, line(1))
  for (let n = 0; n < 500; n++) {
    const one = kept.begin({ id: `x${n}`, account: 'loud', container: 'other' })
    for (let seq = 1; seq <= 30; seq++) kept.add(one, line(seq))
    kept.finish(one, { exit: {} })
  }
  assert.ok(kept.bytes <= limits.ofAll)
  assert.equal(small.line(1)?.data.length, 1_000)
  assert.equal(kept.find('loud', 'x0'), undefined)
  assert.ok(kept.find('loud', 'x499')?.line(30))
})

test('what was kept goes with its container, and 10 minutes after its end', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const kept = createKeptCommands(limits)
  const [one, two] = ['ct_1', 'ct_2'].map((container) => kept.begin({ id: `of ${container}`, account: 'a', container }))
  assert.ok(one && two)
  kept.forgetContainer('ct_1')
  assert.equal(kept.find('a', 'of ct_1'), undefined)
  kept.add(one, line(1))
  kept.finish(one, { exit: {} })
  kept.finish(two, { exit: {} })
  t.mock.timers.tick(keptAfterEndMs - 1)
  assert.equal(kept.find('a', 'of ct_2'), two)
  t.mock.timers.tick(1)
  assert.equal(kept.find('a', 'of ct_2'), undefined)
  assert.equal(kept.bytes, 0)
})
