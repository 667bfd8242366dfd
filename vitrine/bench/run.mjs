// `npm run bench`: Vitrine and its peers, on the same platform stand-in, in the same run, held to the goals of speed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadavg } from 'node:os'
import { stop } from './child.mjs'
import { generator } from './load/load.mjs'
import { machineFacts } from './machine.mjs'
import { readOptions } from './options.mjs'
import { openPlatform } from './platform/platform.mjs'
import { writeRecord } from './record.ts'
import { save, toMarkdown } from './report.mjs'
import { nginx, nginxVersion } from './subjects/nginx.mjs'
import { works } from './works.mjs'

const say = (line) => process.stdout.write(`${line}\n`)
const peersHere = () => JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')).dependencies

/** with a platform of its own, so that no work has what another left in it; what it keeps ends with it */
async function runOne(work, options) {
  const open = []
  const keep = (one) => {
    open.push(one)
    return one
  }
  const startedAt = performance.now()
  try {
    const platform = keep(await openPlatform({ core: 'others', ...work.platform }))
    const { tables, goals, notes = [], rounds, versions } = await work.run({ platform, options, say, keep })
    const tookSec = Math.round((performance.now() - startedAt) / 1_000)
    return { work: work.name, about: work.about, tookSec, tables, goals, notes, rounds, versions }
  } finally {
    for (const { child, close = () => stop(child) } of open.toReversed()) await close()
  }
}

async function run({ works: chosen, ...options }) {
  const [startedAt, begun, loadBefore] = [new Date().toISOString(), performance.now(), loadavg()[0]]
  const figures = []
  for (const work of chosen) {
    say(work.about)
    figures.push(await runOne(work, options))
  }
  const tools = { generator, nginx: nginxVersion ?? nginx.missing }
  const peers = Object.assign(peersHere(), ...figures.map(({ versions }) => versions))
  const machine = { ...machineFacts(), ...tools, loadBefore, peers }
  return { startedAt, tookSec: Math.round((performance.now() - begun) / 1_000), machine, load: options, figures }
}

const failuresIn = ({ figures }) =>
  figures
    .flatMap(({ tables }) => tables)
    .flatMap(({ results }) => results)
    .reduce((sum, { failures }) => sum + failures, 0)

try {
  const options = readOptions(works)
  if (!existsSync(join(import.meta.dirname, 'node_modules/jsona')))
    throw new Error('`npm ci --prefix bench` has to be run once')
  const report = await run(options)
  const markdown = toMarkdown(report)
  say(`\n${markdown}`)
  say(`Saved as ${save(report, markdown)}.json and .md`)
  const failures = failuresIn(report)
  if (failures > 0) say(`${failures} requests failed: these figures are worth nothing`)
  else if (options.record) say(`Recorded as ${writeRecord(report)}`)
  const missed = report.figures.flatMap(({ goals }) => goals).filter(({ isMet }) => isMet === false)
  process.exit(failures > 0 || (options.strict && missed.length > 0) ? 1 : 0)
} catch (error) {
  process.stderr.write(`bench: ${error.stack}\n`)
  process.exit(1)
}
