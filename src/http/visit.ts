// One exchange at the public door, and what it adds to one: its place among those that are answered at once, its part of a
// trace, and what the caller is told of his rate and of the platform's quota.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connection } from '../connections/connection.ts'
import type { CallTrace } from '../engine/port.ts'
import type { Key } from '../keys/keys.ts'
import type { Allowance } from '../keys/rate.ts'
import type { Event, Observe } from '../observe.ts'
import type { Trace, Traces } from '../traces.ts'
import type { Proxies } from './address.ts'
import type { Witness } from './caller.ts'
import { Exchange } from './exchange.ts'
import type { Guest, Places } from './places.ts'

export interface Host {
  readonly proxies: Proxies
  readonly places: Places
  readonly traces: Traces
  /** whether callers should look for another server */
  readonly stopping: () => boolean
  readonly observe: Observe
}

export class Visit extends Exchange implements Witness, Guest {
  place: string | undefined
  private readonly host: Host
  private trace: Trace | undefined
  /** as soon as it is known that the caller may know of it */
  private opened: Connection | undefined

  constructor(req: IncomingMessage, res: ServerResponse, host: Host) {
    super(req, res, host.proxies.callerOf(req), host.observe)
    this.place = undefined
    this.host = host
    this.trace = undefined
    this.opened = undefined
  }

  /** what the log and a trace will say of it; pages are in no trace */
  override begin(page: string | undefined) {
    super.begin(page)
    const trace = (this.trace = this.host.traces.begin(this.req, page === undefined))
    if (trace.id !== undefined) this.seen.traceId = trace.id
  }

  key({ id }: Key) {
    this.seen.keyId = id
    this.host.places.own(this, id)
  }

  operation(name: string) {
    this.seen.operation = name
  }

  connection(open: Connection) {
    this.opened = open
    this.seen.connection = open.id
  }

  allowance({ limit, remaining, resetSec, windowSec }: Allowance) {
    this.fields.push('ratelimit-policy', `"key";q=${limit};w=${windowSec}`)
    this.fields.push('ratelimit', `"key";r=${remaining};t=${resetSec}`)
  }

  /** each platform call is a part of the trace of the request that it is made for; undefined where traces are off */
  get calls(): ((attempt: number) => CallTrace) | undefined {
    const { operation, connection } = this.seen
    return connection === undefined ? undefined : this.callsFor(operation, connection)
  }

  callsFor(operation: string, connection: string): ((attempt: number) => CallTrace) | undefined {
    const call = this.trace?.call
    return call && ((attempt) => call({ operation, connection, attempt }))
  }

  override send(status: number, body: string | Buffer, kept?: readonly string[], type?: string): void {
    this.host.places.free(this)
    if (this.host.stopping()) this.closes = true
    this.tellQuota()
    super.send(status, body, kept, type)
  }

  protected override tell(event: Event) {
    this.trace?.answered(event)
    super.tell(event)
  }

  /** what is left of the platform's hour, as it stands when the answer leaves */
  private tellQuota() {
    const hour = this.opened?.hour()
    if (!hour) return
    this.fields.push('x-upstream-ratelimit-limit', String(hour.limit))
    this.fields.push('x-upstream-ratelimit-remaining', String(hour.remaining))
  }
}
