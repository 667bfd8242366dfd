// Answers of one turn of the event loop are sent together at its end. A reader that sleeps on another core is woken by the first one
// and finds the others; to wake it for each took a third of the time of an answer (docs/performance.md).
import type { ServerResponse } from 'node:http'

export interface Ready {
  /** its head is written, and not sent */
  readonly res: ServerResponse
  /** an empty text where there is none */
  readonly body: string | Buffer
  readonly encoding: 'latin1' | 'utf8'
}

/** so many do not wait for the end of the turn */
const most = 32
/** a body up to this size is sent as one Latin-1 string with its head: cheaper than UTF-8 or two buffers */
const mostJoined = 4_096

const queue: Ready[] = []

export function sendNow({ res, body, encoding }: Ready) {
  const isLong = body.length > mostJoined
  if (isLong) {
    // sends head and body in one write without copying
    res.cork()
    res.flushHeaders()
  }
  res.end(isLong || typeof body === 'string' ? body : body.toString('latin1'), encoding)
}

function sendAll() {
  for (const one of queue.splice(0)) sendNow(one)
}

export function sendSoon(one: Ready) {
  const length = queue.push(one)
  if (length === 1) setImmediate(sendAll)
  else if (length === most) sendAll()
}
