// The platform as it really is: TLS, compressed answers that take 100 ms, and many callers with limited keys. The rate is then the
// platform's, and processor time is what an answer costs.
import { least, ratio, summarize, thrift } from '../figures.mjs'
import { race } from '../rounds.mjs'
import { express } from '../subjects/peers.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter, own, raw, sparseQuery } from './kit.mjs'

/** among few answers, those under way at the end would count */
const underWay = { connections: 64, delayMs: 100, isWhole: true }
/** counted, and never reached */
const settings = { rateLimit: { perMinute: 1_000_000 } }

const kinds = [
  {
    what: 'one resource',
    targets: { vitrine: own.one, express: raw.one },
    holds: { vitrine: ({ id }) => id, express: ({ id }) => id },
  },
  {
    what: 'page of 50',
    targets: { vitrine: own.page, express: (subject) => raw.page(subject, sparseQuery()) },
    holds: { vitrine: ({ items }) => items.length === 50, express: (list) => list.length === 50 },
  },
]

export const real = {
  name: 'real',
  about: 'TLS, compression, limited keys, answers after 100 ms',
  platform: { secure: true },

  async run(bench) {
    const [tables, goals] = [[], []]
    for (const { what, targets, holds } of kinds) {
      const entrants = []
      for (const subject of [vitrine, express]) {
        const { name, about } = subject
        const running = await enter(bench, subject, { settings })
        entrants.push({
          name,
          about,
          subject: running,
          targets: targets[name](running),
          holds: holds[name],
          ...underWay,
        })
      }
      const results = (await race(bench, entrants)).map(summarize)
      const row = {
        what: `The platform as it is, ${what}: processor time of Express + jsona ÷ ours`,
        bound: 1.3,
        measured: thrift(...results),
        aside: `by rate ${ratio(...results).median.toFixed(2)}`,
      }
      tables.push({ title: `${this.about}: ${what}`, results })
      goals.push(least(row))
    }
    return { tables, goals }
  },
}
