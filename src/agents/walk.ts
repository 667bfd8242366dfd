// A walk over pages, and over a list of values where one stands in the path. It ends where its bounds are, or where it
// fails, and knows how to go on from there.
import type { Route } from '../catalogue/define.ts'
import { readAhead } from './ahead.ts'
import { bounds } from './bounds.ts'
import type { Desk, ReadCall, Told } from './desk.ts'
import { type FailedValue, tellError, type ToldError } from './error-result.ts'
import { type Fan, readFan } from './fan.ts'
import { asksFor, fromOf, type Judge, judgeOf, type Order, type Since } from './moments.ts'
import { type Page, pageOf, type Room, takePage, type Taken } from './pages.ts'
import { askThrough } from './port.ts'
import { connectionFor, routeNamed } from './question.ts'
import { limitOf, paramsOf, type WalkRead } from './walk-read.ts'
import { marksOf } from './words-of-others.ts'

export interface WalkCall extends ReadCall {
  readonly max?: number
  readonly since?: Since
}

type Why = 'rows' | 'bytes' | 'time' | 'error'

/** of refusals that are about one value alone: the others are still read */
const ofOneValue = new Set(['resource_not_found', 'localization_not_found', 'ambiguous_selection'])

type Texts = Readonly<Record<string, string>>

class Walk {
  readonly rows: unknown[] = []
  readonly failed: FailedValue[] = []
  why: Why | undefined = undefined
  error: ToldError | undefined = undefined
  requestId: string | undefined = undefined
  /** before its end, where the rest is older */
  isLeft = false
  /** values that are read to their ends, and where the one after them goes on */
  done = 0
  at: string | undefined = undefined
  private readonly from: string | undefined
  readonly room: Room
  private readonly call: WalkCall
  private readonly connection: string
  private readonly route: Route
  private readonly judge: Judge
  private readonly fan: Fan | undefined
  private readonly desk: Desk
  /** without the values of the list, each of which is read for itself */
  private readonly params: Texts
  private readonly endsAt: number
  /** what was asked for ahead and is not wanted any more */
  private readonly stop = new AbortController()
  private readonly signal: AbortSignal

  constructor(call: WalkCall, connection: string, desk: Desk) {
    const { max = bounds.rows, since } = call
    this.call = call
    this.connection = connection
    this.desk = desk
    this.signal = AbortSignal.any([desk.signal, this.stop.signal])
    this.route = routeNamed(call.operation, desk.routes)
    const { fan, params } = readFan(this.route, call.params ?? {}, desk.routes)
    this.fan = fan
    this.params = asksFor(this.route, params, since)
    this.judge = judgeOf(this.route, this.params, since)
    this.room = { rows: max, bytes: bounds.bytes, isEmpty: true }
    this.endsAt = desk.steady() + bounds.walkMs
    this.at = this.params['cursor']
    this.from = this.at
  }

  private async ask(value: string | undefined, read: WalkRead): Promise<Page> {
    const params = paramsOf(this.params, this.fan, value, read)
    const asked = { operation: this.call.operation, connection: this.connection, params }
    const answered = await askThrough(this.desk.glass, asked, this.signal)
    this.requestId = answered.requestId
    return pageOf(this.route, answered)
  }

  private limit(): number | string | undefined {
    return limitOf(this.route, this.params, this.call.since !== undefined, this.room)
  }

  private stops(): boolean {
    if (this.room.rows < 1) this.why = 'rows'
    else if (this.desk.steady() > this.endsAt) this.why = 'time'
    return this.why !== undefined
  }

  private async isRestOlder(value: string | undefined, order: Order, read: readonly unknown[]): Promise<boolean> {
    const other = async () => (await this.ask(value, { limit: 1, sort: this.call.since?.field })).rows[0]
    const isOlder = await order.isRestOlder(read, other)
    this.isLeft ||= isOlder
    return isOlder
  }

  private async walkOne(value: string | undefined, first: () => Promise<Page>) {
    let begin: typeof first | undefined = first
    const order = this.judge.order()
    do {
      if (this.stops()) return
      const wanted = { cursor: this.at, limit: this.limit() }
      const ask = ({ cursor, limit }: typeof wanted) => {
        const page = begin?.() ?? this.ask(value, { cursor, limit })
        begin = undefined
        return page
      }
      const taken: Taken = await takePage(wanted, ask, this.judge, this.room)
      this.rows.push(...taken.rows.map((row) => this.named(value, row)))
      if (taken.at === null) return this.finish()
      this.at = taken.at
      if (order && !taken.full && (await this.isRestOlder(value, order, taken.read))) return this.finish()
      if (taken.full) this.why = taken.full
    } while (this.why === undefined)
  }

  /** with the value that it belongs to */
  private named(value: string | undefined, row: unknown): unknown {
    if (!this.fan) return row
    const of = { [this.fan.name]: value }
    return Object.assign({}, of, typeof row === 'string' ? { id: row } : row, of)
  }

  private finish() {
    this.done++
    this.at = undefined
  }

  private fail(error: unknown, value: string | undefined) {
    const told = tellError(error, this.desk.glass)
    if (this.fan && this.fan.values.length > 1 && ofOneValue.has(told.code)) {
      this.failed.push({ value, code: told.code, message: told.message })
      return this.finish()
    }
    this.error = told
    this.why = 'error'
  }

  async run() {
    const values = this.fan?.values ?? [undefined]
    const { at } = this
    const ahead = readAhead(values.length, (index) =>
      this.ask(values[index], { cursor: index === 0 ? at : undefined, limit: this.limit() }),
    )
    for (const [index, value] of values.entries()) {
      try {
        await this.walkOne(value, () => ahead(index))
      } catch (error) {
        this.desk.signal.throwIfAborted()
        this.fail(error, value)
      }
      if (this.why !== undefined) break
    }
    this.stop.abort(new DOMException('not wanted any more', 'AbortError'))
  }

  /** the call that reads what is left; none where it would only fail again as the first thing */
  private goOn() {
    const { error, done, at, rows } = this
    if (error && !error.retryable && done === 0 && at === this.from && rows.length === 0) return undefined
    const { cursor: _, ...params } = this.params
    const left = this.fan && { [this.fan.name]: this.fan.values.slice(this.done) }
    const { operation, max, since } = this.call
    return {
      ...{ operation, connection: this.connection },
      params: { ...params, ...left, ...(this.at !== undefined && { cursor: this.at }) },
      ...(max !== undefined && { max }),
      ...(since && { since }),
    }
  }

  tell(): Told {
    const { rows, failed, error, fan, judge, requestId } = this
    const { since } = this.call
    const why = this.why ?? (failed.length > 0 ? 'failed' : undefined)
    const goOn = this.why === undefined ? undefined : this.goOn()
    return {
      ...{ operation: this.call.operation, connection: this.connection, complete: why === undefined },
      ...(why !== undefined && { why }),
      ...fromOf(this.params),
      ...(since && { since }),
      ...(this.isLeft && { until: 'older' }),
      ...(fan && { of: { parameter: fan.name, values: fan.values.length, done: this.done } }),
      ...(goOn && { goOn }),
      ...(failed.length > 0 && { failed }),
      ...(judge.undated > 0 && { undated: judge.undated }),
      ...(error && { error }),
      ...marksOf(this.route, rows),
      ...(requestId !== undefined && !error && !fan && { requestId }),
      rows,
    }
  }
}

export async function readAll(call: WalkCall, desk: Desk): Promise<Told> {
  routeNamed(call.operation, desk.routes)
  const connection = await connectionFor(call.connection, desk.glass, desk.signal)
  const walk = new Walk(call, connection, desk)
  await walk.run()
  return walk.tell()
}
