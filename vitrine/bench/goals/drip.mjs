// Slow clients in a process of their own: sockets that send one byte a second of a request that never ends. Takes its orders as
// JSON, prints a line when all sockets have been opened, and the ages at which they were closed when all are.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const { port, sockets, addresses, seconds, again } = JSON.parse(process.argv[2])
const ages = []
let refused = 0
let open = 0
let isOver = false
const startedAt = performance.now()

function drip(number) {
  const socket = connect({ host: '127.0.0.1', port, localAddress: addresses[number % addresses.length] })
  let [timer, bornAt] = []
  open++
  socket.on('connect', () => {
    bornAt = performance.now()
    socket.write('GET /v1/whoami HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    timer = setInterval(() => socket.write('a'), 1_000)
  })
  socket.on('data', () => {})
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(timer)
    open--
    if (timer) ages.push(Math.round(performance.now() - bornAt))
    else refused++
    if (again && !isOver) setTimeout(drip, 100, number)
  })
}

// a listening queue holds 511; what comes faster than it is taken waits for a second try of the kernel
for (let number = 0; number < sockets; number++) {
  drip(number)
  if (number % 250 === 249) await wait(40)
}
const opened = performance.now()
process.stdout.write(`${JSON.stringify({ openedAfterMs: Math.round(opened - startedAt) })}\n`)
await wait(seconds * 1_000)
isOver = true
const endsAt = performance.now() + 12_000
const isDone = () => open === 0 || performance.now() > endsAt
while (!isDone()) await wait(20)
ages.sort((a, b) => a - b)
process.stdout.write(
  `${JSON.stringify({ closed: ages.length, refused, stillOpen: open, oldestMs: ages.at(-1) ?? 0 })}\n`,
)
process.exit(0)
