// What PostgreSQL costs a replica, and what a second one with Redis gains, beside one over SQLite. Each replica has the same part
// of a core of its own, so a second one brings as much processor as the first; the rest is everybody else's.
import { Redis } from 'ioredis'
import { least, ratio, spread, summarize, thrift, unjudged } from '../figures.mjs'
import { race } from '../rounds.mjs'
import { startReplicas } from '../subjects/replicas.mjs'
import { whyNotHeld } from '../subjects/share.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { goalOfBursts } from './equal.mjs'
import { many } from './kit.mjs'

const [part, keys] = [0.5, 8]
/** with half a core, 200 to 450 pages a second; the code is compiled after several thousand */
const underLoad = { connections: 12, warmUps: 8, isShared: true }
/** large pages, so that load and databases take little beside the replicas */
const pathOf = (number) => `${vitrine.pathOf.page(`SKU-${number}`)}&limit=200`
const targetsOf = ({ callers }) =>
  many(pathOf).map((target, number) => ({ ...target, headers: callers[number % callers.length] }))

const goals = {
  two: { what: 'Two replicas over PostgreSQL and Redis: rate ÷ one over SQLite', bound: 1.8 },
  one: { what: 'One replica over PostgreSQL: rate ÷ one over SQLite', bound: 0.9 },
}

const sizes = [
  { name: 'sqlite', about: 'one replica over SQLite', count: 1 },
  { name: 'postgres', about: 'one replica over PostgreSQL', count: 1, hasPostgres: true },
  { name: 'redis', about: 'one replica over PostgreSQL and Redis', count: 1, hasPostgres: true, hasRedis: true },
  { name: 'two', about: 'two replicas over PostgreSQL and Redis', count: 2, hasPostgres: true, hasRedis: true },
]

/** one that counts a rate for each key, which is never reached */
async function open(bench, { count, hasPostgres, hasRedis }, { freshDatabase, redisUrl }) {
  const database = hasPostgres && (await freshDatabase())
  if (database) bench.keep({ close: () => database.drop() })
  const settings = {
    rateLimit: { perMinute: 1_000_000 },
    ...(database && { store: database.url }),
    ...(hasRedis && { redis: redisUrl }),
  }
  const subject = await startReplicas({ count, platform: bench.platform.origin, settings, part, keys })
  return bench.keep({ ...subject, database })
}

async function versionsOf({ askPostgres, redisUrl }, { database: { url } }) {
  const [{ server_version: postgres }] = await askPostgres(url, 'SHOW server_version')
  const redis = new Redis(redisUrl)
  const told = await redis.info('server')
  redis.disconnect()
  return { PostgreSQL: postgres.split(' ', 1)[0], Redis: /^redis_version:(\S+)/m.exec(told)?.[1] }
}

export const replicas = {
  name: 'replicas',
  about: 'Replicas with half a core each, pages of 200 apps',
  platform: { core: undefined, perHour: 900_000_000 },

  async run(bench) {
    // each looks for its server when it is imported
    const servers = {
      ...(await import('../../../base/test/postgres.ts')),
      ...(await import('../../../base/test/redis.ts')),
    }
    const why = servers.noPostgres || servers.noRedis || whyNotHeld
    if (why) {
      bench.say(`  NOT MEASURED: ${why}`)
      return { tables: [], goals: Object.values(goals).map((row) => unjudged(row, why)) }
    }
    const entrants = []
    for (const { name, about, ...size } of sizes) {
      const subject = await open(bench, size, servers)
      const [holds, targets] = [({ items }) => items.length === 200, targetsOf(subject)]
      entrants.push({ name, about: `Vitrine, ${about}`, subject, targets, holds, ...underLoad })
    }
    const results = (await race(bench, entrants)).map(summarize)
    const [sqlite, one, alike, two] = results
    const rows = [
      {
        ...goals.two,
        measured: ratio(two, sqlite),
        // twice the processor, at what an answer costs each of them
        byProcessor: spread(thrift(two, sqlite).all.map((each) => each * 2)),
        aside: `÷ one over PostgreSQL and Redis ${ratio(two, alike).median.toFixed(2)}`,
      },
      { ...goals.one, measured: ratio(one, sqlite), byProcessor: thrift(one, sqlite) },
    ]
    const last = entrants.at(-1).subject
    const burst = await goalOfBursts(bench, last, ' over two replicas')
    const versions = await versionsOf(servers, last)
    return { tables: [{ title: this.about, results }], goals: [...rows.map(least), burst], versions }
  },
}
