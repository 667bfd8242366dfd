// An exchange of the public endpoint: its place in the request limit, its trace, and its header fields on rate limit and quota.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallTrace } from '../../../base/watch/spans.ts'
import type { Trace, Traces } from '../../../base/watch/traces.ts'
import type { Proxies } from '../../../base/web/address.ts'
import { Exchange } from '../../../base/web/exchange.ts'
import type { LimitedRequest, RequestLimit } from '../../../base/web/request-limit.ts'
import type { Connection } from '../connections/connection.ts'
import type { FacadeKey } from '../keys/keys.ts'
import type { KeyAllowance } from '../../../base/auth/rate-limits.ts'
import type { Observe } from '../../../base/core/events.ts'
import { type AccessRecord, beginRecord, eventOf } from '../reads/access-record.ts'
import type { Witness } from './authorize.ts'
import type { KeyBudget } from './call-budget.ts'

export interface PublicExchangeParts {
  readonly proxies: Proxies
  readonly requestLimit: RequestLimit
  readonly traces: Traces
  readonly stopping: () => boolean
  readonly observe: Observe
}

const policyOf = (name: string, { limit, windowSec }: KeyAllowance): string => `"${name}";q=${limit};w=${windowSec}`
const leftOf = (name: string, { remaining, resetSec }: KeyAllowance): string => `"${name}";r=${remaining};t=${resetSec}`
const listOf = (first = '', second = ''): string => (first && second ? `${first}, ${second}` : first || second)

export class PublicExchange extends Exchange<AccessRecord> implements Witness, LimitedRequest {
  place: LimitedRequest['place']
  /** of the key's platform calls */
  budget: KeyBudget | undefined
  private rate: KeyAllowance | undefined
  private readonly parts: PublicExchangeParts
  private trace: Trace | undefined
  private opened: Connection | undefined

  constructor(req: IncomingMessage, res: ServerResponse, parts: PublicExchangeParts) {
    super(req, res, { from: parts.proxies.callerOf(req), record: beginRecord(), stopping: parts.stopping })
    this.place = undefined
    this.budget = undefined
    this.rate = undefined
    this.parts = parts
    this.trace = undefined
    this.opened = undefined
  }

  /** pages are in no trace */
  override begin(page: string | undefined) {
    super.begin(page)
    const trace = (this.trace = this.parts.traces.begin(this.req, page === undefined))
    if (trace.id !== undefined) this.record.traceId = trace.id
  }

  key({ id }: FacadeKey) {
    this.record.keyId = id
    this.parts.requestLimit.own(this, id)
  }

  operation(name: string) {
    this.record.operation = name
  }

  connection(open: Connection) {
    this.opened = open
    this.record.connection = open.id
  }

  allowance(rate: KeyAllowance) {
    this.rate = rate
  }

  /** each platform call continues the request's trace; undefined if traces are off */
  get calls(): ((attempt: number) => CallTrace) | undefined {
    const { operation, connection } = this.record
    return connection === undefined ? undefined : this.callsFor(operation, connection)
  }

  callsFor(operation: string, connection: string): ((attempt: number) => CallTrace) | undefined {
    const call = this.trace?.call
    return call && ((attempt) => call({ operation, connection, attempt }))
  }

  override send(status: number, body: string | Buffer, kept?: readonly string[], type?: string): void {
    this.parts.requestLimit.free(this)
    this.tellLimits()
    this.tellQuota()
    super.send(status, body, kept, type)
  }

  protected override ended(status: number | undefined) {
    const event = eventOf(this.record, this, status)
    this.trace?.answered(event)
    this.parts.observe(event)
  }

  /** what the key has left, of requests and of platform calls */
  private tellLimits() {
    const { rate } = this
    const calls = this.budget?.left()
    if (!rate && !calls) return
    const policies = listOf(rate && policyOf('key', rate), calls && policyOf('platform-calls', calls))
    const left = listOf(rate && leftOf('key', rate), calls && leftOf('platform-calls', calls))
    this.fields.push('ratelimit-policy', policies, 'ratelimit', left)
  }

  /** what is left of the platform's quota when the answer is sent */
  private tellQuota() {
    const hour = this.opened?.hour()
    if (!hour) return
    this.fields.push('x-upstream-ratelimit-limit', String(hour.limit))
    this.fields.push('x-upstream-ratelimit-remaining', String(hour.remaining))
  }
}
