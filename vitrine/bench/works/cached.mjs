// Cached answers, compared with nginx, which passes the same bytes through from a platform that has them ready.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from '../child.mjs'
import { least, ratio, summarize, thrift, unjudged } from '../figures.mjs'
import { temporaryFolder } from '../leftovers.mjs'
import { race } from '../rounds.mjs'
import { nginx } from '../subjects/nginx.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter, many } from './kit.mjs'

/** pages that are cached together: as many as fit well */
const pages = 64
const program = join(import.meta.dirname, '../platform/flat.mjs')

async function learn(subject) {
  const known = []
  for (const { path, headers } of many((number) => vitrine.pathOf.page(`SKU-${number}`), subject, pages)) {
    const response = await fetch(subject.origin + path, { headers })
    known.push({ path, etag: response.headers.get('etag'), text: await response.text() })
  }
  return known
}

async function serveFlat(bench, known) {
  const file = join(temporaryFolder(), 'flat.json')
  writeFileSync(file, JSON.stringify(known))
  const child = await start([process.execPath, program, file], { core: 'others' })
  bench.keep({ child })
  return { origin: `http://127.0.0.1:${await child.firstLine}`, pid: child.pid }
}

function targetsOf(known, { headers }, isKnown) {
  return known.map(({ path, etag }) => ({ path, headers: { ...headers, ...(isKnown && { 'if-none-match': etag }) } }))
}

const works = [
  { about: 'Cached page', what: 'Cached page: rate ÷ nginx passing the same bytes', bound: 1.2, isKnown: false },
  { about: 'Cached page, 304', what: '304: rate ÷ nginx passing the same 304', bound: 1, isKnown: true },
]

export const cached = {
  name: 'cached',
  about: 'Cached page, and 304',

  async run(bench) {
    const own = await enter(bench, vitrine, { settings: { cacheSeconds: 3_600 } })
    const known = await learn(own)
    const flat = await serveFlat(bench, known)
    const passing = nginx.missing ? undefined : await enter(bench, nginx, { platform: flat.origin })
    if (!passing) bench.say(`  NOT MEASURED, nginx: ${nginx.missing}`)
    const [tables, goals] = [[], []]
    for (const { about, what, bound, isKnown } of works) {
      const entrants = [
        { name: 'vitrine', about: 'Vitrine', subject: own, primed: true },
        ...(passing ? [{ name: 'nginx', about: nginx.about, subject: passing, others: [flat.pid] }] : []),
      ].map((one) => ({ ...one, targets: targetsOf(known, one.subject, isKnown) }))
      const results = (await race(bench, entrants)).map(summarize)
      const [first, second] = results
      tables.push({ title: about, results })
      goals.push(
        second
          ? least({ what, bound, measured: ratio(first, second), byProcessor: thrift(first, second) })
          : unjudged({ what, bound }, nginx.missing),
      )
    }
    return { tables, goals }
  },
}
