// A disaster, drilled: an installation is backed up as the page says, destroyed, restored elsewhere and looked over. Ends
// with 1 where anything is missing: node scripts/drill.ts [--connections N] [--keys N] [--only sqlite|postgres]
import { parseArgs } from 'node:util'
import { noPostgres } from '../../base/test/postgres.ts'
import type { Watcher } from './drill/look.ts'
import { drill, type Kind, type Rehearsed } from './drill/rehearsal.ts'

/** a restore may take so long */
const mostMs = 5 * 60_000

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '100' },
    keys: { type: 'string', default: '1000' },
    only: { type: 'string' },
  },
})

const write = (text: string) => void process.stdout.write(text)
const terminal = process.stdout.isTTY
const begun = performance.now()
const clock = () => `${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s`

const watcher: Watcher = {
  step: (what) => write(`${terminal ? '\r\u001b[K' : ''}${clock()}  ${what}\n`),
  progress(word, done, of) {
    if (terminal) write(`\r\u001b[K          ${done} of ${of} ${word}${done === of ? '\r\u001b[K' : ''}`)
  },
}

function tell({ kind, backupMs, restoreMs, checked, misses }: Rehearsed): boolean {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  const late = restoreMs > mostMs ? [`the restore took ${seconds(restoreMs)}, and may take ${seconds(mostMs)}`] : []
  const all = [...misses, ...late]
  write(`${clock()}  ${kind}: backup ${seconds(backupMs)}, restore ${seconds(restoreMs)}, `)
  write(all.length === 0 ? `${checked} promises looked at, none missed\n` : `${all.length} of ${checked} MISSED\n`)
  for (const miss of all.slice(0, 20)) write(`            ${miss.slice(0, 300)}\n`)
  return all.length === 0
}

function readCount(name: 'connections' | 'keys', least: number): number {
  const count = Number(values[name])
  if (Number.isInteger(count) && count >= least) return count
  throw new Error(`--${name} must be a whole number of ${least} or more.`)
}

const connections = readCount('connections', 2)
// a fifth of them is revoked, and each connection keeps a good one
const sizes = { connections, keys: readCount('keys', Math.max(10, 2 * connections)) }
const kinds: Kind[] =
  values.only === 'sqlite' ? ['SQLite'] : values.only === 'postgres' ? ['PostgreSQL'] : ['SQLite', 'PostgreSQL']
if (kinds.includes('PostgreSQL') && noPostgres !== false) {
  process.stderr.write(`${noPostgres}\n`)
  process.exit(1)
}
const told: boolean[] = []
for (const kind of kinds)
  try {
    told.push(tell(await drill(kind, sizes, watcher)))
  } catch (error) {
    write(`${clock()}  ${kind}: FAILED\n${(error as Error).message}\n`)
    told.push(false)
  }
process.exit(told.every(Boolean) ? 0 : 1)
