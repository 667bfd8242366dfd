// A closed loop of heavy load, by autocannon in a process of its own. Each connection asks for ids of its own, in turn, so that
// no two requests under way are equal. Takes its orders as JSON, prints what came of it as JSON.
import autocannon from 'autocannon'

const { origin, path, idsEach, headers, connections, seconds } = JSON.parse(process.argv[2])
let client = 0
const result = await autocannon({
  url: origin,
  headers,
  connections,
  duration: seconds,
  timeout: 20,
  // servers bound the requests of one connection, which autocannon does not notice
  reconnectRate: 900,
  setupClient(one) {
    const own = client++
    const numbers = Array.from({ length: idsEach }, (_, i) => own * idsEach + i)
    one.setRequests(numbers.map((number) => ({ method: 'GET', path: path.replace('{id}', String(number)), headers })))
  },
})
const { latency, errors, timeouts, non2xx, duration, statusCodeStats } = result
const answers = Object.entries(statusCodeStats ?? {}).map(([status, { count }]) => [status, count])
process.stdout.write(
  `${JSON.stringify({ perSecond: result['2xx'] / duration, p50: latency.p50, p99: latency.p99, max: latency.max, good: result['2xx'], bad: errors + timeouts + non2xx, outcomes: { ...Object.fromEntries(answers), errors, timeouts }, bytes: Math.round(result.throughput.total / result['2xx']) })}\n`,
)
