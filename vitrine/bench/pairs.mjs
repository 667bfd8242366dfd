// `node bench/pairs.mjs OTHER`: this checkout beside another one, to judge a change. Two processes of the same code differ by up to a
// tenth, so each pair is started anew, in alternating order; what is told is the processor time of an answer here ÷ there.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stop } from './child.mjs'
import { ratio, spread, summarize } from './figures.mjs'
import { openPlatform } from './platform/platform.mjs'
import { race } from './rounds.mjs'
import { own } from './works/kit.mjs'

const pageOf = (count) => ({
  targets: (subject) => own.page(subject, `&limit=${count}`),
  holds: ({ items }) => items.length === count,
})
const works = {
  one: { targets: own.one, holds: ({ id }) => id },
  page: pageOf(50),
  'page-200': pageOf(200),
  locale: { targets: own.locale, holds: ({ items }) => items.length === 2, primed: true },
  cached: { ...pageOf(50), targets: (subject) => own.page(subject).slice(0, 64), primed: true, cacheSeconds: 3_600 },
}
const usage = `node bench/pairs.mjs OTHER [--only ${Object.keys(works).join()}] [--pairs 6] [--seconds 1] [--rounds 4] [--redis]
OTHER: the root of another checkout, after \`npm ci\` in it. --redis: over PostgreSQL and Redis.\n`

const say = (line) => process.stdout.write(`${line}\n`)
const here = resolve(import.meta.dirname, '../..')

function readOptions() {
  const number = (usual) => ({ type: 'string', default: usual })
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: 'one,page' },
      pairs: number('6'),
      seconds: number('1'),
      rounds: number('4'),
      redis: { type: 'boolean', default: false },
    },
  })
  const chosen = values.only.split(',')
  const counts = Object.fromEntries(['pairs', 'seconds', 'rounds'].map((name) => [name, Number(values[name])]))
  const isWrong = Object.values(counts).some((count) => !Number.isInteger(count) || count < 1)
  if (positionals.length !== 1 || isWrong || chosen.some((name) => !works[name])) throw new Error(usage)
  return { other: resolve(positionals[0]), chosen, redis: values.redis, ...counts }
}

/** settings of a replica, and what is to be removed at the end */
async function openStores(keep) {
  const { freshDatabase, noPostgres } = await import('../../base/test/postgres.ts')
  const { redisUrl, noRedis } = await import('../../base/test/redis.ts')
  if (noPostgres || noRedis) throw new Error(noPostgres || noRedis)
  const database = await freshDatabase()
  keep(() => database.drop())
  return { store: database.url, redis: redisUrl, rateLimit: { perMinute: 1_000_000 } }
}

async function onePair(name, options, roots) {
  const { cacheSeconds, targets, ...work } = works[name]
  const closings = []
  const keep = (close) => closings.push(close)
  try {
    const platform = await openPlatform({ core: 'others', perHour: 900_000_000 })
    keep(() => stop(platform.child))
    const entrants = []
    for (const root of roots) {
      const { vitrine } = await import(join(root, 'vitrine/bench/subjects/vitrine.mjs'))
      const settings = { ...(cacheSeconds && { cacheSeconds }), ...(options.redis && (await openStores(keep))) }
      const subject = await vitrine.start({ platform: platform.origin, core: 'subject', settings })
      keep(() => stop(subject.child))
      entrants.push({ name: root, subject, targets: targets(subject), warmUps: 2, ...work })
    }
    const load = { connections: 32, rounds: options.rounds, seconds: options.seconds }
    return (await race({ platform, options: load, say: () => {} }, entrants)).map(summarize)
  } finally {
    for (const close of closings.toReversed()) await close()
  }
}

const shown = (value) => value.toFixed(3)

try {
  const options = readOptions()
  for (const name of options.chosen) {
    const all = []
    for (let number = 1; number <= options.pairs; number++) {
      const roots = number % 2 === 1 ? [options.other, here] : [here, options.other]
      const results = await onePair(name, options, roots)
      const [ours, theirs] = [here, options.other].map((root) => results.find((one) => one.name === root))
      if (ours.failures + theirs.failures > 0) throw new Error(`${name}: requests failed`)
      all.push(ratio(ours, theirs, 'ownMs').median)
      const times = [ours, theirs].map(({ ownMs }) => `${(ownMs * 1_000).toFixed(1)} us`)
      say(`${name}, pair ${number} of ${options.pairs}: ${times.join(' here, ')} there, ${shown(all.at(-1))}`)
    }
    const { median, least, most } = spread(all)
    say(`${name}: ${shown(median)} of the processor time (${shown(least)} to ${shown(most)})`)
  }
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
