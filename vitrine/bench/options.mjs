// Options of a run: flags first, then the environment, then the defaults.
import { parseArgs } from 'node:util'

const { env } = process
const usage = `node bench/run.mjs [--rounds 5] [--seconds 2] [--connections 32] [--only one,page] [--strict] [--record]
Or BENCH_ROUNDS, BENCH_SECONDS, BENCH_CONNECTIONS, BENCH_ONLY. With --strict a missed goal is exit status 1.\nWith --record a whole run of five rounds is kept in bench/results.\n`

function readWhole(name, value) {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`${name}: a whole number from 1 is wanted`)
  return Number(value)
}

export function readOptions(works) {
  const known = works.map(({ name }) => name)
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: env['BENCH_ROUNDS'] ?? '5' },
      seconds: { type: 'string', default: env['BENCH_SECONDS'] ?? '2' },
      connections: { type: 'string', default: env['BENCH_CONNECTIONS'] ?? '32' },
      only: { type: 'string', default: env['BENCH_ONLY'] ?? '' },
      strict: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(`${usage}Works: ${known.join(', ')}\n`)
    process.exit(0)
  }
  const only = values.only.split(',').filter(Boolean)
  const stranger = only.find((name) => !known.includes(name))
  if (stranger !== undefined) throw new Error(`--only: there is no ${stranger}; known: ${known.join(', ')}`)
  const rounds = readWhole('--rounds', values.rounds)
  if (values.record && (only.length > 0 || rounds < 5))
    throw new Error('--record: of all works, in five rounds or more')
  return {
    rounds,
    seconds: readWhole('--seconds', values.seconds),
    connections: readWhole('--connections', values.connections),
    strict: values.strict,
    record: values.record,
    works: works.filter(({ name }) => only.length === 0 || only.includes(name)),
  }
}
