// The same requests to a small installation and to large ones. All connections are hosted; a large installation is asked with
// many of its keys and through many of its connections.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../child.mjs'
import { least, median, most, ratio, spread, summarize, thrift } from '../figures.mjs'
import { temporaryFolder } from '../leftovers.mjs'
import { createAsker } from '../load/asker.mjs'
import { residentMiBOf } from '../machine.mjs'
import { race } from '../rounds.mjs'
import { ask, makeHome, serve } from '../subjects/vitrine.mjs'
import { firstAnswer } from './start.mjs'

const program = join(import.meta.dirname, '../subjects/fill.mjs')
const [used, startLimitMs] = [512, 1_000]
const pathOf = (connection, id) => `/v1/connections/c${connection}/customer-review-responses/${id}`

/** an installation with so many keys and hosted connections, c1 to the last, and some of its keys */
async function build(platform, { keys, connections }) {
  const masterKeys = join(temporaryFolder(), 'master-keys.txt')
  writeFileSync(masterKeys, ask(['vault', 'new-key', '--id', 'k1']), { mode: 0o600 })
  const home = await makeHome({ platform, settings: { masterKeysFile: masterKeys, connections: {} } })
  const keyFile = join(home.folder, 'key.p8')
  const account = ['--key-id', 'BENCH00000', '--issuer-id', crypto.randomUUID(), '--key-file', keyFile]
  ask(['connections', 'add', 'c0', ...account, '--no-check', '--config', home.config])
  const orders = { db: join(home.folder, 'vitrine.db'), masterKeys, keyFile, keys, connections, told: used }
  const told = execFileSync(process.execPath, [program, JSON.stringify(orders)], { env: environment(), stdio: 'pipe' })
  const authorizations = JSON.parse(told).map((key) => `Bearer ${key}`)
  return { ...home, authorizations, connections, firstPath: pathOf(1, 'first') }
}

/** each connection once, in turn; where there are fewer than are used, they are asked the more often */
const inTurn = Array.from({ length: used }, (_, number) => number)
/** so many connections for a while, each time as often, then the next ones: as callers use them */
const [hot, times] = [16, 16]
const inGroups = Array.from({ length: used * times }, (_, number) => {
  const group = Math.floor(number / (hot * times))
  return group * hot + (number % hot)
})

const targetsOf = ({ authorizations, connections }, order = inTurn) =>
  order.map((number, at) => ({
    path: pathOf(1 + (number % connections), `r-${at % used}`),
    headers: { authorization: authorizations[number % authorizations.length] },
  }))

/** reads through every connection once, and tells the resident memory on the way */
async function openAll({ origin, child, authorizations, connections }) {
  const asker = createAsker(origin, { sockets: 16 })
  const headers = { authorization: authorizations[0] }
  const steps = []
  for (let next = used + 1; next <= connections; next += 500) {
    const some = Array.from({ length: Math.min(500, connections - next + 1) }, (_, i) => next + i)
    await Promise.all(some.map((number) => asker.ask(pathOf(number, 'r-0'), headers)))
    steps.push({ opened: next + some.length - 1, mib: residentMiBOf(child.pid) })
  }
  asker.close()
  return steps
}

function tellMemory(resting, steps) {
  return [
    `Resident memory, started and asked once: ${resting.map(({ about, mib }) => `${about}: ${mib} MiB`).join('; ')}.`,
    `With every connection opened once: ${steps.map((step) => `${step.opened}: ${step.mib}`).join(', ')} MiB.`,
  ].join(' ')
}

const sizes = [
  { name: 'small', about: '10 keys, 1 connection', keys: 10, connections: 1 },
  { name: 'keys', about: '100,000 keys, 1 connection', keys: 100_000, connections: 1 },
  { name: 'large', about: `100,000 keys, 10,000 connections, ${used} in use`, keys: 100_000, connections: 10_000 },
]
/** of the larger ones, and of the last one used in groups */
const bounds = [0.97, 0.7, 0.95]

async function timeStarts(home, rounds) {
  const took = []
  for (let number = 0; number < rounds; number++) took.push((await firstAnswer(home, 'subject')).tookMs)
  return took
}

export const growth = {
  name: 'growth',
  about: 'Cost as the installation grows, one resource',

  async run(bench) {
    const [entrants, resting, starts] = [[], [], {}]
    for (const { name, about, ...size } of sizes) {
      const home = await build(bench.platform.origin, size)
      starts[name] = await timeStarts(home, 3)
      const subject = bench.keep(await serve(home, { core: 'subject' }))
      resting.push({ about, mib: residentMiBOf(subject.child.pid) })
      entrants.push({ name, about: `Vitrine, ${about}`, subject, targets: targetsOf(home), primed: true })
    }
    const large = entrants.at(-1)
    const about = `${large.about}, used in groups of ${hot}`
    entrants.push({ ...large, name: 'hot', about, targets: targetsOf(large.subject, inGroups), primed: false })
    const results = (await race(bench, entrants)).map(summarize)
    const steps = await openAll(large.subject)
    const [small, ...grown] = results
    const goals = grown.map((one, i) =>
      least({
        what: `Growth to ${one.about.replace('Vitrine, ', '')}: rate ÷ that of ${sizes[0].about}`,
        bound: bounds[i],
        measured: ratio(one, small),
        byProcessor: thrift(one, small),
      }),
    )
    const start = {
      what: `Growth to ${sizes.at(-1).about}: start to first answer`,
      bound: startLimitMs,
      unit: 'ms',
      measured: spread(starts.large),
      aside: `${median(starts.small).toFixed(0)} ms with ${sizes[0].about}`,
    }
    return {
      tables: [{ title: this.about, results }],
      goals: [...goals, most(start)],
      notes: [tellMemory(resting, steps)],
      rounds: { starts, steps },
    }
  },
}
