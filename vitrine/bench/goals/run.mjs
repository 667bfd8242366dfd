// `npm run goals`: what the service promises under load and in trouble, measured. A table at the end, every figure in a file,
// and exit status 1 where a goal is missed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { machineFacts } from '../machine.mjs'
import { heavy, overhead, steady } from './g01-load.mjs'
import { amplification, recovery } from './g07-outage.mjs'
import { tenants } from './g10-tenants.mjs'
import { bombs } from './g15-bombs.mjs'
import { slow } from './g16-slow.mjs'
import { clock } from './g24-clock.mjs'
import { quota } from './g27-quota.mjs'
import { limiter } from './g28-limiter.mjs'
import { atMost, exactly } from './measures.mjs'
import { openScene } from './scene.mjs'
import { deadlineMs } from './service.mjs'

const goals = [steady, heavy, overhead, amplification, recovery, tenants, bombs, slow, clock, quota, limiter]
const folder = join(import.meta.dirname, '../runs')
const mostMiB = 256
const say = (line) => process.stdout.write(`${line}\n`)

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      full: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const known = goals.flatMap(({ ids }) => ids)
  if (values.help) {
    say(
      `node bench/goals/run.mjs [--only ${known.slice(0, 2).join(',')}] [--full]\nGoals: ${known.join(', ')}; G04 and G09 come with each.`,
    )
    process.exit(0)
  }
  const only = values.only.split(',').filter(Boolean)
  const stranger = only.find((id) => !known.includes(id))
  if (stranger !== undefined) throw new Error(`--only: there is no ${stranger}; known: ${known.join(', ')}`)
  return {
    full: values.full === true,
    chosen: only.length > 0 ? goals.filter(({ ids }) => ids.some((id) => only.includes(id))) : goals,
  }
}

/** its own figures, and those that every run is asked for */
async function measure(goal, options) {
  const scene = openScene()
  const startedAt = performance.now()
  const [name] = goal.ids
  try {
    const rows = await goal.run(scene, options)
    const tookSec = (performance.now() - startedAt) / 1_000
    return [
      ...rows,
      atMost('G04', `peak resident memory in ${name}`, scene.peakMiB(), mostMiB, { unit: 'MiB' }),
      atMost('G09', `latest answer in ${name}`, scene.latestMs(), deadlineMs + 1_000, { unit: 'ms' }),
      ...(scene.crashed() > 0 ? [exactly(name, 'services that ended by themselves', scene.crashed(), 0)] : []),
    ].map((row) => ({ ...row, from: name, tookSec }))
  } finally {
    await scene.close()
  }
}

function drawTable(rows) {
  const cells = rows.map(({ id, what, goal, measured, isMet }) => [
    id,
    what,
    goal,
    measured,
    goal === '' ? '' : isMet ? 'met' : 'MISSED',
  ])
  const all = [['goal', 'what', 'promised', 'measured', ''], ...cells]
  const widths = all[0].map((_, i) => Math.max(...all.map((row) => row[i].length)))
  const [head, ...rest] = all.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`)
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest].join('\n')
}

function save(report) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `goals-${report.startedAt.replaceAll(/[:.]/g, '-')}.json`)
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
  return path
}

try {
  const { chosen, full } = readOptions()
  if (!existsSync(join(import.meta.dirname, '../node_modules/autocannon')))
    throw new Error('`npm ci --prefix bench` has to be run once')
  const [startedAt, begun, load] = [new Date().toISOString(), performance.now(), loadavg()[0]]
  const rows = []
  for (const goal of chosen) {
    say(`${goal.ids.join(', ')}  ${goal.about}`)
    rows.push(...(await measure(goal, { full, say })))
  }
  rows.sort((a, b) => a.id.localeCompare(b.id))
  const tookSec = Math.round((performance.now() - begun) / 1_000)
  const machine = machineFacts()
  say(`\n${drawTable(rows)}\n`)
  say(
    `${machine.cpu}, ${machine.cores} cores for everything, Node.js ${machine.node}; load before ${load.toFixed(1)}; ${tookSec} s`,
  )
  say(`Saved as ${save({ startedAt, full, tookSec, machine, loadBefore: load, rows })}`)
  const missed = rows.filter(({ isMet }) => !isMet)
  if (missed.length > 0) say(`${missed.length} of ${rows.length} figures miss their goal`)
  process.exit(missed.length > 0 ? 1 : 0)
} catch (error) {
  process.stderr.write(`goals: ${error.message}\n`)
  process.exit(1)
}
