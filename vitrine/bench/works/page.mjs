// The first page of 50 apps with the fields it comes with: 130 kB asked for and flattened, beside 530 kB passed through.
import { least, most, ratio, single, summarize, thrift, unjudged } from '../figures.mjs'
import { race } from '../rounds.mjs'
import { nginx, plainNginx } from '../subjects/nginx.mjs'
import { express, proxy } from '../subjects/peers.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter, own, raw, sparseQuery } from './kit.mjs'

const mostMiB = 130

const holds = (list) => (document) => list(document).length === 50
const entrantsOf = () => [
  { kind: vitrine, holds: holds(({ items }) => items), targets: own.page },
  {
    kind: { ...vitrine, name: 'vitrine-same', about: 'Vitrine, all ask for the same page' },
    holds: holds(({ items }) => items),
    targets: ({ headers }) => [{ path: '/v1/connections/a/apps', headers }],
  },
  { kind: nginx, holds: holds(({ data }) => data), targets: raw.page },
  { kind: plainNginx, holds: holds(({ data }) => data), targets: raw.page },
  { kind: proxy, holds: holds(({ data }) => data), targets: raw.page },
  { kind: express, holds: holds((list) => list), targets: raw.page },
  {
    kind: { ...express, name: 'express-sparse', about: 'Express + jsona, asking for as little as we do' },
    holds: holds((list) => list),
    targets: (subject) => raw.page(subject, sparseQuery()),
  },
]

function goalsOf([first, same, ...peers]) {
  const of = (name) => peers.find((peer) => peer.name === name)
  const what = (rest) => `Page of 50: ${rest}`
  const beside = (row, name, figures, judge) =>
    of(name) ? judge({ ...row, ...figures(of(name)) }) : unjudged(row, nginx.missing)
  const rateOf = (own) => (peer) => ({ measured: ratio(own, peer), byProcessor: thrift(own, peer) })
  const rate = rateOf(first)
  const memory = { what: 'Peak resident memory under the page load', bound: mostMiB, unit: 'MiB' }
  return [
    beside({ what: what(`rate ÷ ${nginx.about}`), bound: 1.3 }, 'nginx', rate, least),
    beside({ what: what(`the same for all: rate ÷ ${nginx.about}`), bound: 1.3 }, 'nginx', rateOf(same), least),
    beside({ what: what(`rate ÷ ${express.about}`), bound: 5 }, 'express', rate, least),
    beside(
      { what: what(`p99 ÷ that of ${nginx.about}`), bound: 1 },
      'nginx',
      (peer) => ({ measured: ratio(first, peer, 'p99') }),
      most,
    ),
    beside(
      { what: what(`the same for all: p99 ÷ that of ${nginx.about}`), bound: 1 },
      'nginx',
      (peer) => ({ measured: ratio(same, peer, 'p99') }),
      most,
    ),
    most({ ...memory, measured: single(first.peakMiB) }),
  ]
}

export const page = {
  name: 'page',
  about: 'First page of 50 apps, default fields',

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
