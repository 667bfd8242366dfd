// G16: 5,000 sockets that drip, from one address and from many neighbourhoods, beside callers who behave.
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { remember } from '../leftovers.mjs'
import { atMost, exactly, good, most, p99, shownTally, timesOf } from './measures.mjs'
import { assetPath } from './scene.mjs'

const program = join(import.meta.dirname, 'drip.mjs')
const sockets = 5_000

/** one neighbourhood is a /24 */
const sources = {
  'one address': ['127.0.0.1'],
  '10 neighbourhoods': Array.from({ length: 10 }, (_, i) => `127.0.${10 + i}.1`),
}

async function drip(service, addresses, { full }) {
  const orders = { port: service.port, sockets, addresses, seconds: full ? 60 : 1, again: full }
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] })
  remember(child)
  const lines = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  let held = 0
  const timer = setInterval(() => (held = Math.max(held, service.descriptors())), 200)
  await once(child, 'close')
  clearInterval(timer)
  return { ...lines[0], ...lines[1], held }
}

async function oneSource(scene, name, { full, say }) {
  const platform = await scene.platform()
  const service = await scene.service({ platform: platform.origin })
  const atRest = service.descriptors()
  const caller = scene.caller(service, { localAddress: '127.0.200.1' })
  await caller.pace(100, { seconds: 2, pathOf: assetPath('a') })
  const base = timesOf(await caller.pace(100, { seconds: full ? 20 : 4, pathOf: assetPath('a', 10_000) }))
  let isOver = false
  const load = caller.pace(100, { isOver: () => isOver, pathOf: assetPath('a', 100_000) })
  const dripped = await drip(service, sources[name], { full })
  isOver = true
  const answers = await load
  caller.close()
  await wait(1_500)
  const left = service.descriptors() - atRest
  say(`  ${name}: ${JSON.stringify(dripped)}, base p99 ${p99(base).toFixed(1)} ms, peak ${service.peakMiB()} MiB`)
  const note = `${p99(base).toFixed(1)} ms, then ${p99(timesOf(answers)).toFixed(1)} ms, slowest ${most(timesOf(answers)).toFixed(0)} ms`
  return [
    exactly('G16', `${name}: valid requests that failed`, answers.length - good(answers).length, 0, {
      note: shownTally(answers),
    }),
    atMost('G16', `${name}: valid p99, as part of the base`, p99(timesOf(answers)) / p99(base), 3, { note }),
    atMost('G16', `${name}: oldest dripping socket when closed`, dripped.oldestMs, 6_000, {
      unit: 'ms',
      note: `${dripped.closed} closed, ${dripped.refused} never let in, ${dripped.stillOpen} still open, at most ${dripped.held} descriptors`,
    }),
    exactly('G16', `${name}: dripping sockets still open`, dripped.stillOpen, 0),
    // those to the platform stay
    atMost('G16', `${name}: descriptors more than at the start`, left, 20),
  ]
}

export const slow = {
  ids: ['G16'],
  about: '5,000 dripping sockets',
  async run(scene, options) {
    const rows = []
    for (const name of Object.keys(sources)) rows.push(...(await oneSource(scene, name, options)))
    return rows
  },
}
