// One round of load in a process of its own. Takes its orders as JSON, prints what came of it as JSON.
import autocannon from 'autocannon'

const mapCounts = (stats) => Object.fromEntries(Object.entries(stats).map(([status, { count }]) => [status, count]))
const { url, headers, connections, seconds } = JSON.parse(process.argv[2])
const [before, startedAt] = [process.cpuUsage(), performance.now()]
// Servers bound the requests of one connection and say `connection: close` with the last, which autocannon does not read;
// so it opens each connection anew before that, and does so with every subject
const reconnectRate = 900
const result = await autocannon({ url, headers, connections, duration: seconds, timeout: 20, reconnectRate })
const { user, system } = process.cpuUsage(before)
const elapsedMs = performance.now() - startedAt
const { latency, errors, timeouts, non2xx, duration, throughput, statusCodeStats } = result
process.stdout.write(
  `${JSON.stringify({
    perSecond: result['2xx'] / duration,
    p50: latency.p50,
    p99: latency.p99,
    mibPerSecond: throughput.total / duration / 2 ** 20,
    elapsedMs,
    cpuMs: (user + system) / 1000,
    failures: errors + timeouts + non2xx,
    // what the failures were: answers by status, and those that never came
    outcomes: { ...mapCounts(statusCodeStats), errors, timeouts },
  })}\n`,
)
