// The first page of 50 apps with the fields it comes with: 130 kB asked for and flattened, beside 530 kB passed through.
import { least, most, ratio, single, summarize, thrift, unjudged } from '../figures.mjs'
import { race } from '../rounds.mjs'
import { nginx } from '../subjects/nginx.mjs'
import { express } from '../subjects/peers.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter, own, raw, sparseQuery } from './kit.mjs'

const holds = (list) => (document) => list(document).length === 50
const entrantsOf = () => [
  { kind: vitrine, holds: holds(({ items }) => items), targets: own.page },
  {
    kind: { ...vitrine, name: 'vitrine-same', about: 'Vitrine, all ask for the same page' },
    holds: holds(({ items }) => items),
    targets: ({ headers }) => [{ path: '/v1/connections/a/apps', headers }],
  },
  { kind: nginx, holds: holds(({ data }) => data), targets: raw.page },
  { kind: express, holds: holds((list) => list), targets: raw.page },
  {
    kind: { ...express, name: 'express-sparse', about: 'Express + jsona, asking for as little as we do' },
    holds: holds((list) => list),
    targets: (subject) => raw.page(subject, sparseQuery()),
  },
]

function goalsOf(results) {
  const of = (wanted) => results.find(({ name }) => name === wanted)
  const [first, same] = [of('vitrine'), of('vitrine-same')]
  const rate = (what, bound, subject, name) => {
    const [row, peer] = [{ what, bound }, of(name)]
    if (!peer) return unjudged(row, nginx.missing)
    return least({ ...row, measured: ratio(subject, peer), byProcessor: thrift(subject, peer) })
  }
  const latest = (what, bound, subject) =>
    of('nginx')
      ? most({ what, bound, measured: ratio(subject, of('nginx'), 'p99') })
      : unjudged({ what, bound }, nginx.missing)
  const [pages, samePage] = ['Different pages of 50', 'The same page of 50 for all']
  return [
    rate(`${pages}: rate ÷ nginx passing the raw page`, 0.6, first, 'nginx'),
    rate(`${pages}: rate ÷ Express + jsona over the raw page`, 4.5, first, 'express'),
    rate(`${pages}: rate ÷ Express + jsona asking for as little as we do`, 1.4, first, 'express-sparse'),
    latest(`${pages}: p99 ÷ that of nginx`, 2.5, first),
    rate(`${samePage}: rate ÷ nginx passing the raw page`, 6, same, 'nginx'),
    latest(`${samePage}: p99 ÷ that of nginx`, 1, same),
    most({ what: 'Peak memory under different pages', bound: 150, unit: 'MiB', measured: single(first.peakMiB) }),
  ]
}

export const page = {
  name: 'page',
  about: 'Pages of 50 apps, default fields',

  async run(bench) {
    const entrants = []
    for (const { kind, targets, ...more } of entrantsOf()) {
      if (kind.missing) bench.say(`  NOT MEASURED, ${kind.name}: ${kind.missing}`)
      if (kind.missing) continue
      const subject = await enter(bench, kind)
      entrants.push({ name: kind.name, about: kind.about, subject, targets: targets(subject), ...more })
    }
    const results = (await race(bench, entrants)).map(summarize)
    return { tables: [{ title: this.about, results }], goals: goalsOf(results) }
  },
}
