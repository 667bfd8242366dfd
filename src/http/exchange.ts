// One request and its answer, over Node's own objects: what is known of it while it is answered, and how the answer leaves.
// Both doors stand on it; only the open pages and the operator's operations have the framework above it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Event, Observe } from '../observe.ts'
import type { Problem } from '../problem.ts'
import { isMatch } from './conditional.ts'
import type { Page, Representation } from './page-text.ts'
import { splitTarget } from './paths.ts'
import { bodyOf, headersOf, jsonType, makeRequestId, standingHeaders } from './refusal.ts'
import { beginSeen, eventOf, type Seen } from './seen.ts'

/** how long an answer is still worked on for a caller who has closed his half, which most do who leave */
const halfClosedMs = 1_000

/**
 * A body that is not larger leaves in one piece with its head, as a string of single bytes: writing those takes less than
 * encoding text, or than a vector of head and body.
 */
const mostJoined = 4_096

const { 'cache-control': notKept, ...always } = standingHeaders
const standing = Object.entries(always).flat()
/** header fields, names and values in turn */
export const unkept: readonly string[] = ['cache-control', notKept]

export class Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly id: string
  /** the caller's address; the framework's own `ip` believes any text in a header */
  readonly from: string
  readonly method: string
  /** as it came: the framework puts another in its place */
  readonly target: string
  readonly path: string
  /** without its question mark */
  readonly query: string
  readonly seen: Seen
  /** the connection ends with the answer */
  closes: boolean
  /** header fields of the answer, names and values in turn, told while it is made */
  readonly fields: string[]
  private readonly observe: Observe
  private leave: (() => void) | undefined
  private patience: NodeJS.Timeout | undefined

  constructor(req: IncomingMessage, res: ServerResponse, from: string, observe: Observe) {
    const { url = '' } = req
    const { path, query } = splitTarget(url)
    this.req = req
    this.res = res
    this.id = makeRequestId()
    this.from = from
    this.method = req.method ?? ''
    this.target = url
    this.path = path
    this.query = query
    this.seen = beginSeen()
    this.closes = false
    this.fields = []
    this.observe = observe
    this.leave = undefined
    this.patience = undefined
    res.on('close', () => this.end())
  }

  /** what the log will call it: a page, where it is one that is open */
  begin(page: string | undefined) {
    if (page !== undefined) this.seen.operation = page
  }

  get isReading(): boolean {
    return this.method === 'GET' || this.method === 'HEAD'
  }

  /** `leave` is called when nobody waits for the answer any more */
  onLeave(leave: () => void) {
    this.leave = leave
    if (this.res.closed) return this.go()
    return void waitersOn(this.req.socket).add(this)
  }

  /** most who do so are about to leave */
  halfClosed() {
    this.patience = setTimeout(() => this.go(), halfClosedMs)
  }

  /** what the record says of a refusal */
  note({ code, cause }: Problem) {
    this.seen.code = code
    if (typeof cause === 'string') this.seen.reason = cause
  }

  refuse(problem: Problem) {
    this.note(problem)
    const { connection, ...fields } = headersOf(problem)
    if (connection !== undefined) this.closes = true
    this.fields.push(...Object.entries(fields).flat())
    this.send(problem.row.status, bodyOf(problem, this.id))
  }

  /** JSON, or nothing where the caller has it already; `kept`: what is said of keeping it */
  send(status: number, body: string | Buffer, kept: readonly string[] = unkept, type: string = jsonType): void {
    const { res } = this
    // what fails behind the head of an answer can only break it off
    if (res.headersSent) return void (res.writableEnded || res.destroy())
    const head = ['x-request-id', this.id, ...standing, ...this.fields, ...kept]
    if (this.closes) head.push('connection', 'close')
    if (status === 304) return void res.writeHead(status, head).end()
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    head.push('content-type', type, 'content-length', String(length))
    res.writeHead(status, head)
    if (length > mostJoined) {
      // beside its head and not behind it, which would be a copy of both
      res.cork()
      res.flushHeaders()
    }
    if (typeof body === 'string') res.end(body, length === body.length ? 'latin1' : 'utf8')
    else if (length > mostJoined) res.end(body)
    else res.end(body.toString('latin1'), 'latin1')
  }

  /** an open page, or nothing where the caller's copy is this one */
  sendPage({ text, fields, keep = 'no-cache', status = 200 }: Page, { coding, bytes, etag }: Representation) {
    const kept = ['cache-control', keep, ...fields]
    if (keep !== 'no-store') kept.push('etag', etag)
    if (keep !== 'no-store' && status === 200 && isMatch(this.req.headers['if-none-match'], etag))
      return this.send(304, '', kept)
    if (coding !== undefined) kept.push('content-encoding', coding)
    return this.send(status, bytes, kept, text.type)
  }

  /** for whoever records it */
  protected tell(event: Event) {
    this.observe(event)
  }

  private go() {
    this.seen.left = true
    this.leave?.()
  }

  /** the last byte has left, or the caller */
  private end() {
    const { res, id: requestId, method, from } = this
    this.tell(
      eventOf(this.seen, { requestId, method, from, status: res.writableFinished ? res.statusCode : undefined }),
    )
    if (!this.leave) return
    clearTimeout(this.patience)
    waiters.get(this.req.socket)?.delete(this)
    if (!res.writableFinished) this.go()
  }
}

/** whose callers may leave, by socket: each is listened to once, and not once for each request that comes on it */
const waiters = new WeakMap<Duplex, Set<Exchange>>()

function waitersOn(socket: Duplex): Set<Exchange> {
  const known = waiters.get(socket)
  if (known) return known
  const all = new Set<Exchange>()
  waiters.set(socket, all)
  socket.once('end', () => {
    for (const one of all) one.halfClosed()
  })
  return all
}
