// One request and its answer over Node's objects: its record, and how the answer is sent. A service's subclass adds to the record.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AnyProblem } from '../core/problem.ts'
import { createRandomPool } from '../core/digest-and-random.ts'
import { isMatch } from './conditional.ts'
import type { OpenPage, Representation } from './page-text.ts'
import { type Ready, sendNow, sendSoon } from './send-queue.ts'
import { splitTarget } from './target.ts'
import { bodyOf, headersOf, jsonType, standingHeaders } from './refusal.ts'

/** how long work goes on after the caller closed their half of the connection: most have left */
const halfClosedMs = 1_000

const { 'cache-control': notKept, ...always } = standingHeaders
const standing = Object.entries(always).flat()
export const unkept: readonly string[] = ['cache-control', notKept]

export interface ExchangeRecord {
  operation: string
  code?: string
  reason?: string
  cache?: 'hit' | 'miss' | 'revalidated'
  left?: true
  /** a stream: leaving it is no failure */
  stream?: true
  /** another protocol took the socket over */
  upgraded?: true
}

const idBytes = 12
const random = createRandomPool()

export const makeRequestId = (): string => `req_${random(idBytes).toString('base64url')}`

const leftStatus = 499

export function recordedStatus({ stream, left, upgraded }: ExchangeRecord, status: number | undefined): number {
  if (upgraded) return 101
  if (stream) return 200
  return left ? leftStatus : (status ?? leftStatus)
}

export interface ExchangeOptions<R extends ExchangeRecord> {
  readonly id?: string
  readonly from: string
  readonly record: R
  readonly stopping: () => boolean
}

export abstract class Exchange<R extends ExchangeRecord = ExchangeRecord> {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly id: string
  readonly from: string
  readonly method: string
  readonly target: string
  readonly path: string
  readonly query: string
  readonly record: R
  closes: boolean
  readonly fields: string[]
  private readonly stopping: () => boolean
  private isSent: boolean
  private leave: (() => void) | undefined
  private patience: NodeJS.Timeout | undefined

  constructor(req: IncomingMessage, res: ServerResponse, { id, from, record, stopping }: ExchangeOptions<R>) {
    const { url = '' } = req
    const { path, query } = splitTarget(url)
    this.req = req
    this.res = res
    this.id = id ?? makeRequestId()
    this.from = from
    this.method = req.method ?? ''
    this.target = url
    this.path = path
    this.query = query
    this.record = record
    this.closes = false
    this.fields = []
    this.stopping = stopping
    this.isSent = false
    this.leave = undefined
    this.patience = undefined
    res.on('close', () => this.finish())
  }

  protected abstract ended(status: number | undefined): void

  begin(page: string | undefined) {
    if (page !== undefined) this.record.operation = page
  }

  get isReading(): boolean {
    return this.method === 'GET' || this.method === 'HEAD'
  }

  onLeave(leave: () => void) {
    const isFirst = this.leave === undefined
    this.leave = leave
    if (this.res.closed) return this.go()
    if (isFirst) waitersOn(this.req.socket).push(this)
  }

  halfClosed() {
    // the rest of unread content can no longer come
    if (this.req.complete) this.patience = setTimeout(() => this.go(), halfClosedMs)
    else this.go()
  }

  refuse(problem: AnyProblem) {
    const { code, cause } = problem
    this.record.code = code
    if (typeof cause === 'string') this.record.reason = cause
    const { connection, ...fields } = headersOf(problem)
    if (connection !== undefined) this.closes = true
    this.fields.push(...Object.entries(fields).flat())
    this.send(problem.row.status, bodyOf(problem, this.id))
  }

  /** `kept`: the header fields on caching; a 304 has no body */
  send(status: number, body: string | Buffer, kept: readonly string[] = unkept, type: string = jsonType): void {
    const { res } = this
    if (this.isSent) return
    // after the head of a stream, a failure can only close the connection
    if (res.headersSent) return void (res.writableEnded || res.destroy())
    const head = this.headOf(kept)
    const hasBody = status !== 304 && status !== 204
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    if (hasBody) head.push('content-type', type, 'content-length', String(length))
    res.writeHead(status, head)
    this.isSent = true
    const ready: Ready = { res, body: hasBody ? body : '', encoding: length === body.length ? 'latin1' : 'utf8' }
    // at once, so that nothing behind the last request of a socket is read
    if (this.isLast) sendNow(ready)
    else sendSoon(ready)
  }

  startStream(type: string) {
    // proxies buffer answers unless this says otherwise
    this.startBody(['content-type', type, 'x-accel-buffering', 'no'])
  }

  /** the head of a 200 whose body the caller of this method writes */
  startBody(fields: readonly string[]) {
    this.res.writeHead(200, [...this.headOf(unkept), ...fields])
    this.res.flushHeaders()
  }

  sendPage({ text, fields, keep = 'no-cache', status = 200 }: OpenPage, { coding, bytes, etag }: Representation) {
    const kept = ['cache-control', keep, ...fields]
    if (keep !== 'no-store') kept.push('etag', etag)
    if (keep !== 'no-store' && status === 200 && isMatch(this.req.headers['if-none-match'], etag))
      return this.send(304, '', kept)
    if (coding !== undefined) kept.push('content-encoding', coding)
    return this.send(status, bytes, kept, text.type)
  }

  private headOf(kept: readonly string[]): string[] {
    const head = ['x-request-id', this.id, ...standing, ...this.fields, ...kept]
    if (this.isLast) head.push('connection', 'close')
    return head
  }

  private get isLast(): boolean {
    return this.closes || this.stopping()
  }

  private go() {
    this.record.left = true
    this.leave?.()
  }

  private finish() {
    const { res } = this
    this.ended(res.writableFinished ? res.statusCode : undefined)
    if (!this.leave) return
    clearTimeout(this.patience)
    const waiting = waiters.get(this.req.socket)
    const at = waiting?.indexOf(this) ?? -1
    if (at >= 0) waiting?.splice(at, 1)
    if (!res.writableFinished) this.go()
  }
}

/** one listener for each socket, not for each request */
const waiters = new WeakMap<Duplex, Exchange[]>()

function waitersOn(socket: Duplex): Exchange[] {
  const known = waiters.get(socket)
  if (known) return known
  const all: Exchange[] = []
  waiters.set(socket, all)
  socket.once('end', () => {
    for (const one of all.slice()) one.halfClosed()
  })
  return all
}
