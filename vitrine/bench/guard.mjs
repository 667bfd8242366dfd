// How many bytes the service allocates for an answer, compared with what is recorded: a count, which does not depend on what
// else the machine does. `node bench/guard.mjs` exits with 1 where something has become dearer; `--record` writes it down.
import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stop } from './child.mjs'
import { temporaryFolder } from './leftovers.mjs'
import { createAsker } from './load/asker.mjs'
import { openPlatform } from './platform/platform.mjs'
import { vitrine } from './subjects/vitrine.mjs'

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } })
const recordFile = join(import.meta.dirname, 'guard/recorded.json')
const reporter = join(import.meta.dirname, 'guard/reporter.mjs')
/** what is allocated differs a little from run to run, with the moments at which code is compiled */
const tolerance = 0.1
const atOnce = 8
const { pathOf } = vitrine

const works = [
  { name: 'refusal of a bad key', path: () => '/v1/whoami', status: 401, key: 'bad', count: 4_000 },
  { name: 'whoami', path: () => '/v1/whoami', count: 4_000 },
  { name: 'one resource', path: (n) => pathOf.one(`g${n % 64}`), count: 4_000 },
  { name: 'page of 50', path: (n) => pathOf.page(`SKU-${n % 16}`), count: 800 },
  { name: 'page of 200', path: (n) => `${pathOf.page(`SKU-${n % 16}`)}&limit=200`, count: 200 },
  { name: 'resolved locale, warm', path: (n) => pathOf.locale(`v${n % 16}`), count: 4_000 },
  { name: 'cached page of 50', path: (n) => pathOf.page(`SKU-${n % 16}`), count: 4_000, cached: true },
]

async function allocatedIn({ child }, file) {
  if (existsSync(file)) unlinkSync(file)
  child.kill('SIGUSR2')
  for (let tries = 0; tries < 200; tries++) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
    await wait(20)
  }
  throw new Error('the service does not say what it has allocated')
}

async function load({ origin, headers }, { path, key, status = 200 }, count) {
  const asker = createAsker(origin, { sockets: atOnce })
  const given = key === undefined ? headers : { authorization: `Bearer ${key}` }
  let next = 0
  const caller = async () => {
    while (next < count) {
      const answer = await asker.ask(path(next++), given)
      if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  asker.close()
}

async function measure(work, platform) {
  const file = join(temporaryFolder(), 'allocated.json')
  const { NODE_OPTIONS = '' } = process.env
  Object.assign(process.env, { GUARD_FILE: file, NODE_OPTIONS: `${NODE_OPTIONS} --import ${reporter}`.trim() })
  const subject = await vitrine.start({
    platform,
    settings: { ...(work.cached && { cacheSeconds: 3_600 }), rateLimit: { perMinute: 0, failuresPerMinute: 0 } },
  })
  process.env['NODE_OPTIONS'] = NODE_OPTIONS
  try {
    await load(subject, work, work.count)
    const before = await allocatedIn(subject.child, file)
    await load(subject, work, work.count)
    const after = await allocatedIn(subject.child, file)
    return { node: after.node, bytes: Math.round((after.bytes - before.bytes) / work.count) }
  } finally {
    await stop(subject.child)
  }
}

const major = (version) => version.split('.', 1)[0]

function judge({ node, bytes }, known) {
  if (!known) return 'not recorded yet'
  if (major(known.node) !== major(node)) return `not judged: recorded with Node.js ${known.node}`
  if (bytes > known.bytes * (1 + tolerance)) return 'DEARER'
  return bytes < known.bytes * (1 - tolerance) ? 'cheaper: record it' : 'as recorded'
}

const say = (line) => process.stdout.write(`${line}\n`)
const recorded = existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {}
const platform = await openPlatform()
const found = {}
let isDearer = false
say('bytes allocated on the heap for one answer')
for (const work of works) {
  const one = (found[work.name] = await measure(work, platform.origin))
  const verdict = judge(one, recorded[work.name])
  isDearer ||= verdict === 'DEARER'
  const was = recorded[work.name] ? `, recorded ${recorded[work.name].bytes}` : ''
  say(`  ${work.name.padEnd(24)} ${String(one.bytes).padStart(9)}${was}: ${verdict}`)
}
await stop(platform.child)
if (values.record) writeFileSync(recordFile, `${JSON.stringify(found, null, 2)}\n`)
process.exit(isDearer && !values.record ? 1 : 0)
