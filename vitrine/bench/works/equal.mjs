// Equal reads that are under way at once: one platform call for all of them, beside as many reads of different pages.
import { least, most, ratio, single, summarize, thrift } from '../figures.mjs'
import { createAsker } from '../load/asker.mjs'
import { race } from '../rounds.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter, own } from './kit.mjs'

const [together, bursts] = [100, 10]
/** so many pages are each asked for by so many at once */
const groups = 4
/** in the bursts, as the quickest answers of the real platform: all have asked before it comes */
const delayMs = 100

/** how many platform calls each burst took, at most */
async function mostCalls(bench, { origin, headers }) {
  const asker = createAsker(origin)
  await bench.platform.delay(delayMs)
  let highest = 0
  for (let number = 0; number < bursts; number++) {
    await bench.platform.calls()
    const path = vitrine.pathOf.page(`BURST-${number}`)
    const told = await Promise.all(Array.from({ length: together }, () => asker.ask(path, headers)))
    if (told.some(({ status }) => status !== 200)) throw new Error('a burst of equal reads was refused')
    highest = Math.max(highest, await bench.platform.calls())
  }
  await bench.platform.delay(0)
  asker.close()
  return highest
}

export const equal = {
  name: 'equal',
  about: 'Equal reads at once, 100 callers',

  async run(bench) {
    const entrants = []
    for (const [name, about, choose] of [
      ['equal', `Vitrine, ${together} ask for each of ${groups} pages`, (targets) => targets.slice(0, groups)],
      ['different', 'Vitrine, all ask for different pages', (targets) => targets],
    ]) {
      const subject = await enter(bench, vitrine)
      const targets = choose(own.page(subject))
      entrants.push({ name, about, subject, targets, connections: together * groups })
    }
    const calls = await mostCalls(bench, entrants[0].subject)
    const results = (await race(bench, entrants)).map(summarize)
    const [same, different] = results
    const what = `${together} equal reads at once`
    const goals = [
      most({
        what: `${what}: platform calls of a burst`,
        bound: 1,
        measured: single(calls),
        aside: `${bursts} bursts`,
      }),
      least({
        what: `${what}: rate ÷ different reads`,
        bound: 5,
        measured: ratio(same, different),
        byProcessor: thrift(same, different),
        aside: `a platform call for ${(1 / same.calls).toFixed(0)} answers`,
      }),
    ]
    return { tables: [{ title: this.about, results }], goals }
  },
}
