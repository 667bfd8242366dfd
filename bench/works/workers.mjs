// `serve --workers 2` beside one worker, with both cores for everybody: load and platform need theirs too, so what can be had
// is less than twice, and how much less is told.
import { least, ratio, summarize, unjudged } from '../figures.mjs'
import { race } from '../rounds.mjs'
import { ask, vitrine } from '../subjects/vitrine.mjs'
import { enter, own } from './kit.mjs'

const row = { what: '`serve --workers 2`: rate ÷ one worker', bound: 1.7 }

/** two cores that are shared with what takes `others` of each answer, beside one worker that has one core to itself */
const limitOf = ({ ownMs, othersMs }) => (2 * ownMs) / (ownMs + othersMs)

export const workers = {
  name: 'workers',
  about: 'Workers, page of 50, all on all cores',
  isUnpinned: true,

  async run(bench) {
    if (!ask(['serve', '--help']).includes('--workers'))
      return { tables: [], goals: [unjudged(row, '`serve` has no --workers yet')] }
    const entrants = []
    for (const count of [2, 1]) {
      const subject = await enter(bench, vitrine, { core: undefined, given: ['--workers', String(count)] })
      const about = `Vitrine, ${count} worker${count > 1 ? 's' : ''}`
      entrants.push({ name: `workers-${count}`, about, subject, targets: own.page(subject), core: null })
    }
    const results = (await race(bench, entrants)).map(summarize)
    const [two, alone] = results
    const aside = `at most ${limitOf(alone).toFixed(2)} here: load and platform take ${alone.othersMs.toFixed(2)} ms of each answer`
    return {
      tables: [{ title: this.about, results }],
      goals: [least({ ...row, measured: ratio(two, alone), aside })],
    }
  },
}
