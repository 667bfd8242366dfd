// One round of load from Node, for several origins at once and where wrk is not installed: kept sockets, one request at a time on
// each, requests made once, and of an answer only status and length are read. Takes the path of its orders, prints figures as JSON.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

const { origins, targets, connections, seconds } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const requests = targets.map(({ path, headers = {} }) => {
  const fields = Object.entries({ host: 'localhost', ...headers }).map((field) => `${field.join(': ')}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`, 'latin1')
})
const times = []
const outcomes = { refused: 0, broken: 0 }
let [next, bytes] = [0, 0]

/** what is known once the head is whole; `left`: bytes of the body that are still to come */
function readHead(piece) {
  const end = piece.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = piece.latin1Slice(0, end)
  const status = Number(head.slice(9, 12))
  const length = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  if (Number.isNaN(length)) throw new Error(`an answer without its length: ${head}`)
  return { status, left: length - (piece.length - end - 4), closes: /\r\nconnection: close/i.test(head) }
}

/** asks on one socket at a time until the time is over */
function drive(origin, endsAt, done) {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let [sentAt, answer, head] = [0, undefined, Buffer.alloc(0)]
  const ask = () => {
    sentAt = performance.now()
    if (sentAt < endsAt) return socket.write(requests[next++ % requests.length])
    socket.destroy()
    return done()
  }
  const finish = () => {
    times.push(performance.now() - sentAt)
    if (answer.status >= 400) outcomes.refused++
    const { closes } = answer
    ;[answer, head] = [undefined, Buffer.alloc(0)]
    if (!closes) return ask()
    socket.destroy()
    return drive(origin, endsAt, done)
  }
  socket.on('data', (piece) => {
    bytes += piece.length
    if (answer) answer.left -= piece.length
    else {
      head = head.length > 0 ? Buffer.concat([head, piece]) : piece
      answer = readHead(head)
    }
    if (answer && answer.left <= 0) finish()
  })
  const broken = () => {
    outcomes.broken++
    socket.destroy()
    done()
  }
  socket.on('error', broken).on('end', broken)
  ask()
}

const [before, begunAt] = [process.cpuUsage(), performance.now()]
const endsAt = begunAt + seconds * 1_000
const lanes = origins.flatMap((origin) => Array.from({ length: connections }, () => origin))
await Promise.all(lanes.map((origin) => new Promise((done) => drive(origin, endsAt, done))))
const { user, system } = process.cpuUsage(before)
times.sort((a, b) => a - b)
const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))]
const quantiles = { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: times.at(-1) }
const took = { seconds: (performance.now() - begunAt) / 1_000, cpuMs: (user + system) / 1_000 }
process.stdout.write(`${JSON.stringify({ answers: times.length, bytes, ...took, ...quantiles, outcomes })}\n`)
