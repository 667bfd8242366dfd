// What a run can be told: flags first, then the environment, then the defaults.
import { parseArgs } from 'node:util'

const { env } = process
const usage = `node bench/run.mjs [--rounds 5] [--seconds 5] [--connections 32] [--only one,page,vitrine,proxy]
Or BENCH_ROUNDS, BENCH_SECONDS, BENCH_CONNECTIONS, BENCH_ONLY.\n`

function readWhole(name, value) {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`${name}: a whole number from 1 is wanted`)
  return Number(value)
}

/** those that are named; all of them when none of this kind is */
function choose(all, only) {
  const named = all.filter(({ name }) => only.includes(name))
  return named.length > 0 ? named : all
}

export function readOptions({ works, subjects }) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: env['BENCH_ROUNDS'] ?? '5' },
      seconds: { type: 'string', default: env['BENCH_SECONDS'] ?? '5' },
      connections: { type: 'string', default: env['BENCH_CONNECTIONS'] ?? '32' },
      only: { type: 'string', default: env['BENCH_ONLY'] ?? '' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    process.exit(0)
  }
  const only = values.only.split(',').filter(Boolean)
  const known = [...works, ...subjects].map(({ name }) => name)
  const stranger = only.find((name) => !known.includes(name))
  if (stranger !== undefined) throw new Error(`--only: there is no ${stranger}; known: ${known.join(', ')}`)
  return {
    rounds: readWhole('--rounds', values.rounds),
    seconds: readWhole('--seconds', values.seconds),
    connections: readWhole('--connections', values.connections),
    works: choose(works, only),
    subjects: choose(subjects, only),
  }
}
