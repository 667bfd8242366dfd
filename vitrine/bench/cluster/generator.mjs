// The least that can load replicas: kept sockets, one request at a time on each, requests made once, and of an answer only its
// status and its length are read. Takes its orders as JSON, prints what came of it as JSON.
import { connect } from 'node:net'

const { origins, targets, connections, seconds } = JSON.parse(process.argv[2])
const requests = targets.map(({ path, headers }) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${headers.authorization}\r\n\r\n`, 'latin1'),
)
const times = []
const outcomes = {}
const endsAt = performance.now() + seconds * 1_000
let next = 0

/** bytes that are still to come of the answer whose head has been read, or undefined where it is not whole yet */
function readHead(piece) {
  const end = piece.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = piece.latin1Slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  return {
    status: head.slice(9, 12),
    left: length - (piece.length - end - 4),
    closes: /\r\nconnection: close/i.test(head),
  }
}

/** asks on one socket until the time is over */
function drive(origin) {
  const { hostname, port } = new URL(origin)
  return new Promise((done) => {
    function open() {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let [sentAt, answer, head] = [0, undefined, Buffer.alloc(0)]
      const ask = () => {
        sentAt = performance.now()
        if (sentAt < endsAt) {
          socket.write(requests[next++ % requests.length])
          return
        }
        socket.destroy()
        done()
      }
      const finish = () => {
        outcomes[answer.status] = (outcomes[answer.status] ?? 0) + 1
        if (answer.status === '200') times.push(performance.now() - sentAt)
        const { closes } = answer
        ;[answer, head] = [undefined, Buffer.alloc(0)]
        if (closes) {
          socket.destroy()
          open()
        } else ask()
      }
      socket.on('data', (piece) => {
        if (answer) answer.left -= piece.length
        else {
          head = head.length > 0 ? Buffer.concat([head, piece]) : piece
          answer = readHead(head)
        }
        if (answer && answer.left <= 0) finish()
      })
      socket.on('error', () => {
        outcomes.broken = (outcomes.broken ?? 0) + 1
        done()
      })
      ask()
    }
    open()
  })
}

const [before, begunAt] = [process.cpuUsage(), performance.now()]
await Promise.all(origins.flatMap((origin) => Array.from({ length: connections }, () => drive(origin))))
const { user, system } = process.cpuUsage(before)
times.sort((a, b) => a - b)
const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))]
process.stdout.write(
  `${JSON.stringify({ answers: times.length, seconds: (performance.now() - begunAt) / 1_000, outcomes, p50: at(0.5), p99: at(0.99), most: times.at(-1), cpuMs: (user + system) / 1_000 })}\n`,
)
