// One resource of about 1 kB, with every check of key, scope and query.
import { least, ratio, summarize, thrift } from '../figures.mjs'
import { race } from '../rounds.mjs'
import { express, proxy } from '../subjects/peers.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter, own, raw } from './kit.mjs'

export const one = {
  name: 'one',
  about: 'One resource, 1 kB',

  async run(bench) {
    const entrants = []
    for (const subject of [vitrine, proxy, express]) {
      const running = await enter(bench, subject)
      const targets = subject === vitrine ? own.one(running) : raw.one(running)
      const holds = subject === proxy ? ({ data }) => data.id : ({ id }) => id
      entrants.push({ name: subject.name, about: subject.about, subject: running, targets, holds })
    }
    const results = (await race(bench, entrants)).map(summarize)
    const [first, ...peers] = results
    const bounds = [1, 1.15]
    const goals = peers.map((peer, i) =>
      least({
        what: `One resource: rate ÷ ${peer.about}`,
        bound: bounds[i],
        measured: ratio(first, peer),
        byProcessor: thrift(first, peer),
      }),
    )
    return { tables: [{ title: this.about, results }], goals }
  },
}
