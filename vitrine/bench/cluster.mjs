// What a second replica is worth: one and two of them over PostgreSQL and Redis, loaded in turn, each replica with the same part
// of a core of its own; and how many calls of the platform equal reads over both cost.
// node bench/cluster.mjs [--rounds 7] [--seconds 4] [--part 0.5] [--without-redis]
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { start, stop } from './child.mjs'
import { startReplicas } from './cluster/replicas.mjs'
import { median } from './figures.mjs'
import { cpuMsOf, machineFacts } from './machine.mjs'
import { noPostgres } from '../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../base/test/redis.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '4' },
    part: { type: 'string', default: '0.5' },
    'without-redis': { type: 'boolean', default: false },
  },
})
const [rounds, seconds, part] = [values.rounds, values.seconds, values.part].map(Number)
const promised = 1.8
const [connections, keyCount, pages, bursts, burst] = [12, 16, 512, 20, 100]
const say = (line) => process.stdout.write(`${line}\n`)
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0)
const generator = join(import.meta.dirname, 'cluster/generator.mjs')

const pageOf = (n) => `/v1/connections/a/apps?sku=SKU-${n}&limit=200`
const targetsOf = (cluster, path = pageOf) =>
  Array.from({ length: pages }, (_, n) => ({
    path: path(n),
    headers: { authorization: `Bearer ${cluster.keys[n % cluster.keys.length]}` },
  }))

async function load(cluster, targets, platform) {
  const orders = { origins: cluster.origins, targets, connections, seconds }
  const used = () => sum(cluster.pids.map(cpuMsOf))
  const [before, platformBefore] = [used(), cpuMsOf(platform.pid)]
  const told = JSON.parse(
    await new Promise((ok, no) => {
      start([process.execPath, generator, JSON.stringify(orders)]).then(({ firstLine }) => firstLine.then(ok, no), no)
    }),
  )
  const [ownMs, platformMs] = [used() - before, cpuMsOf(platform.pid) - platformBefore]
  return {
    perSecond: told.answers / told.seconds,
    p50: told.p50,
    p99: told.p99,
    outcomes: told.outcomes,
    ownMs: ownMs / told.answers,
    othersMs: (told.cpuMs + platformMs) / told.answers,
    busy: ownMs / told.seconds / 1_000 / cluster.pids.length,
  }
}

/** so many equal reads at once over all replicas, each time of another page, of a platform that takes 100 ms */
async function countCalls(cluster, platformUrl) {
  const command = async (what) => (await fetch(`${platformUrl}/stand-in/${what}`)).json()
  await command('delay/100')
  const counts = []
  for (let n = 0; n < bursts; n++) {
    await command('calls')
    const headers = { authorization: `Bearer ${cluster.keys[0]}` }
    const asked = Array.from({ length: burst }, async (_, i) => {
      const answer = await fetch(cluster.origins[i % cluster.origins.length] + pageOf(`burst-${n}`), { headers })
      await answer.arrayBuffer()
      return answer.status
    })
    const failed = (await Promise.all(asked)).filter((status) => status !== 200).length
    counts.push({ calls: (await command('calls')).calls, failed })
  }
  await command('delay/0')
  return counts
}

const summary = (list) =>
  Object.fromEntries(
    ['perSecond', 'p50', 'p99', 'ownMs', 'othersMs', 'busy'].map((name) => [
      name,
      median(list.map((one) => one[name])),
    ]),
  )
const shown = ({ perSecond, p50, p99, ownMs, othersMs, busy }) =>
  `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${ownMs.toFixed(2)} ms of processor time each ` +
  `(platform and load ${othersMs.toFixed(2)}), ${(busy * 100).toFixed(0)} % of a core busy`

if (noPostgres || noRedis) throw new Error(noPostgres || noRedis)
const redis = values['without-redis'] ? undefined : redisUrl
const platform = await start([process.execPath, join(import.meta.dirname, 'platform/stand-in.mjs'), '900000000'])
const platformUrl = `http://127.0.0.1:${await platform.firstLine}`
const given = { platform: platformUrl, redis, part, keys: keyCount }
const [one, two] = [await startReplicas({ count: 1, ...given }), await startReplicas({ count: 2, ...given })]
try {
  const facts = machineFacts()
  say(
    `${facts.cpu}, ${facts.cores} cores for everything, Node.js ${facts.node}; load before ${loadavg()[0].toFixed(1)}`,
  )
  say(
    one.isHeld && two.isHeld
      ? `each replica may use ${part * 100} % of one core, the first core 0 and the second core 1; the rest is for everybody else`
      : 'replicas cannot be held to a part of a core here: they share the cores with everybody else',
  )
  const [targetsOfOne, targetsOfTwo] = [targetsOf(one), targetsOf(two)]
  for (const [cluster, targets] of [
    [one, targetsOfOne],
    [two, targetsOfTwo],
  ])
    await load(cluster, targets, platform)
  const told = { one: [], two: [] }
  for (let n = 0; n < rounds; n++) {
    told.one.push(await load(one, targetsOfOne, platform))
    told.two.push(await load(two, targetsOfTwo, platform))
    say(`round ${n + 1} of ${rounds}: one ${shown(told.one.at(-1))}`)
    say(`${' '.repeat(`round ${n + 1} of ${rounds}: `.length)}two ${shown(told.two.at(-1))}`)
  }
  const ratios = told.two.map(({ perSecond }, n) => perSecond / told.one[n].perSecond)
  const bad = [...told.one, ...told.two]
    .flatMap(({ outcomes }) => Object.entries(outcomes))
    .filter(([name]) => name !== '200')
  const counts = await countCalls(two, platformUrl)
  const worst = Math.max(...counts.map(({ calls }) => calls))
  const failed = sum(counts.map((each) => each.failed))
  const version = execFileSync('uname', ['-r'], { encoding: 'utf8' }).trim()
  const report = { facts, version, part, rounds: told, ratios, counts }
  say(`\none: ${shown(summary(told.one))}\ntwo: ${shown(summary(told.two))}`)
  const ratio = median(ratios)
  const byProcessor = (2 * summary(told.one).ownMs) / summary(told.two).ownMs
  say(
    `two replicas answer ${ratio.toFixed(2)} times what one does (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), ` +
      `promised ${promised}: ${ratio >= promised ? 'met' : 'MISSED'}; ${byProcessor.toFixed(2)} times by processor time, which others hardly move; ` +
      `answers other than 200: ${bad.length === 0 ? 'none' : JSON.stringify(bad)}`,
  )
  say(
    `${burst} equal reads over both, ${bursts} times: ${worst} platform calls at worst, ${sum(counts.map(({ calls }) => calls))} in all; ` +
      `${failed} failed: ${worst === 1 && failed === 0 ? 'met' : 'MISSED'}`,
  )
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `cluster-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`)
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  say(`Saved as ${file}`)
  if (ratio < promised || worst > 1 || failed > 0 || bad.length > 0) process.exitCode = 1
} finally {
  await two.close()
  await one.close()
  await stop(platform)
}
process.exit()
