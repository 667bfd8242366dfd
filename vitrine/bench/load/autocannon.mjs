// One round of load where wrk is not installed, in a process of its own. Takes the path of its orders, prints what came of it
// as JSON, in the words of wrk.lua.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const { origin, targets, connections, seconds } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
let at = 0
const [before, startedAt] = [process.cpuUsage(), performance.now()]
const result = await autocannon({
  url: origin,
  connections,
  duration: seconds,
  timeout: 20,
  // servers bound the requests of one connection and say so with the last, which autocannon does not read
  reconnectRate: 900,
  setupClient(client) {
    // each begins elsewhere, so that no two ask for the same at once
    const from = Math.floor((at++ * targets.length) / connections)
    const own = [...targets.slice(from), ...targets.slice(0, from)]
    client.setRequests(own.map(({ path, headers }) => ({ method: 'GET', path, headers })))
  },
})
const { user, system } = process.cpuUsage(before)
const { latency, errors, timeouts, statusCodeStats } = result
const good = Object.entries(statusCodeStats ?? {}).filter(([status]) => Number(status) < 400)
const answers = good.reduce((sum, [, { count }]) => sum + count, 0)
process.stdout.write(
  `${JSON.stringify({ answers, seconds: (performance.now() - startedAt) / 1_000, bytes: result.throughput.total, p50: latency.p50, p99: latency.p99, most: latency.max, cpuMs: (user + system) / 1_000, outcomes: { refused: result.requests.total - answers, errors, timeouts } })}\n`,
)
