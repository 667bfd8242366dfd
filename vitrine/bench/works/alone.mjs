// Works that set Vitrine beside itself: a large page, a page in one exact locale.
import { least, most, ratio, summarize, thrift } from '../figures.mjs'
import { race } from '../rounds.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter, own } from './kit.mjs'

async function beside(bench, wanted) {
  const entrants = []
  for (const { targets, ...more } of wanted) {
    const subject = await enter(bench, vitrine)
    entrants.push({ ...more, subject, targets: targets(subject) })
  }
  return (await race(bench, entrants)).map(summarize)
}

const pageOf = (count) => ({
  name: `page-${count}`,
  about: `Vitrine, page of ${count}`,
  holds: ({ items }) => items.length === count,
  targets: (subject) => own.page(subject, `&limit=${count}`),
})

export const largePage = {
  name: 'page-200',
  about: 'Page of 200 apps',
  async run(bench) {
    const results = await beside(bench, [pageOf(200), pageOf(50)])
    const [large, usual] = results
    // processor time is what it costs; the rate says the same, with more noise
    const goal = {
      what: 'Page of 200: processor time ÷ that of a page of 50',
      bound: 4.2,
      measured: ratio(large, usual, 'ownMs'),
      aside: `by rate ${ratio(usual, large).median.toFixed(2)}`,
    }
    return { tables: [{ title: this.about, results }], goals: [most(goal)] }
  },
}

export const locale = {
  name: 'locale',
  about: 'Page of one exact locale, warm',
  async run(bench) {
    const results = await beside(bench, [
      {
        name: 'locale',
        about: 'Vitrine, placements in en-US',
        holds: ({ items }) => items.length === 2,
        targets: own.locale,
        primed: true,
      },
      { name: 'one', about: 'Vitrine, one resource', holds: ({ id }) => id, targets: own.one },
    ])
    const [warm, single] = results
    const goal = {
      what: 'Resolved-locale page, warm: rate ÷ one resource',
      bound: 0.95,
      measured: ratio(warm, single),
      byProcessor: thrift(warm, single),
      aside: `${warm.calls.toFixed(2)} platform calls each`,
    }
    return { tables: [{ title: this.about, results }], goals: [least(goal)] }
  },
}
