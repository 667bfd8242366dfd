// The tool `read_all`: reads all pages, for each value of a list in the path. It ends at its bounds or at an error, and
// then returns the arguments of the call that continues.
import { isList, type Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { chooseConnection, findRoute } from './arguments.ts'
import { errorOutput, type FailedValue } from './error-result.ts'
import { type FanOut, prefetch, readFanOut } from './fan-out.ts'
import { type OutputRoom, readFittingPage, type ReadPage, readPageOf } from './pages.ts'
import { readOrThrow } from './reader.ts'
import { type OrderCheck, type Since, type SinceFilter, sinceFilter, startMark, withSince } from './since.ts'
import { bounds, type ReadCall, type ToolContext, type ToolError, type ToolOutput } from './tool-context.ts'
import { untrustedMarks } from './untrusted-fields.ts'

export interface ReadAllCall extends ReadCall {
  readonly max?: number
  readonly since?: Since
}

/** errors that concern one value alone: the others are still read */
const oneValueCodes = new Set(['resource_not_found', 'localization_not_found', 'ambiguous_selection'])

type PageRead = { readonly [K in 'cursor' | 'limit' | 'sort']?: number | string | undefined }

class PagedRead {
  private readonly rows: unknown[] = []
  private readonly failed: FailedValue[] = []
  private why: 'rows' | 'bytes' | 'time' | 'error' | undefined
  private error: ToolError | undefined
  private requestId: string | undefined
  /** ended early because all further rows are older than `since` */
  private isRestOlder = false
  /** how many values were read to the end, and where the next one continues */
  private done = 0
  private cursor: string | undefined
  private readonly room: OutputRoom
  private readonly call: ReadAllCall & { readonly connection: string }
  private readonly route: Route
  private readonly filter: SinceFilter
  private readonly fanOut: FanOut | undefined
  private readonly context: ToolContext
  private readonly params: Readonly<Record<string, string>>
  private readonly endsAtMs: number
  /** ends reads ahead that are no longer needed */
  private readonly stop = new AbortController()
  private readonly signal: AbortSignal

  constructor(call: PagedRead['call'], context: ToolContext) {
    const { max = bounds.rows, since } = call
    this.call = call
    this.context = context
    this.signal = AbortSignal.any([context.signal, this.stop.signal])
    this.route = findRoute(call.operation, context.routes)
    const { fanOut, params } = readFanOut(this.route, call.params ?? {}, context.routes)
    this.fanOut = fanOut
    this.params = withSince(this.route, params, since)
    this.filter = sinceFilter(this.route, this.params, since)
    this.room = { rows: max, bytes: bounds.bytes, isEmpty: true }
    this.endsAtMs = context.nowMs() + bounds.totalMs
    this.cursor = this.params['cursor']
  }

  private async ask(value: string | undefined, read: PageRead): Promise<ReadPage> {
    const { limit: _, cursor: __, ...rest } = this.params
    const own = Object.fromEntries(Object.entries(read).filter(([, text]) => text !== undefined))
    const params = Object.assign({}, rest, this.fanOut && { [this.fanOut.name]: value }, own)
    const { operation, connection } = this.call
    const answer = await readOrThrow(this.context.reader, { operation, connection, params }, this.signal)
    this.requestId = answer.requestId
    return readPageOf(this.route, answer)
  }

  /** Without `since` every row is wanted, so no more is asked for than can be returned. */
  private limit(): number | string | undefined {
    if (!isList(this.route)) return undefined
    const given = this.params['limit']
    if (given !== undefined) return given
    return this.call.since ? pageSize.standard : Math.min(pageSize.most, this.room.rows)
  }

  private hasEnded(): boolean {
    if (this.room.rows < 1) this.why = 'rows'
    else if (this.context.nowMs() > this.endsAtMs) this.why = 'time'
    return this.why !== undefined
  }

  private async checkOrder(value: string | undefined, order: OrderCheck, read: readonly unknown[]): Promise<boolean> {
    const firstOfOpposite = async () => (await this.ask(value, { limit: 1, sort: this.call.since?.field })).rows[0]
    const isOlder = await order.isRestOlder(read, firstOfOpposite)
    this.isRestOlder ||= isOlder
    return isOlder
  }

  private async readValue(value: string | undefined, readFirst: () => Promise<ReadPage>) {
    let first: typeof readFirst | undefined = readFirst
    const order = this.filter.order()
    do {
      if (this.hasEnded()) return
      const wanted = { cursor: this.cursor, limit: this.limit() }
      const ask = (read: typeof wanted) => {
        const page = first?.() ?? this.ask(value, read)
        first = undefined
        return page
      }
      const page = await readFittingPage(wanted, ask, this.filter, this.room)
      this.rows.push(...page.rows.map((row) => this.withValue(value, row)))
      if (page.at === null) return this.finishValue()
      this.cursor = page.at
      if (order && !page.full && (await this.checkOrder(value, order, page.read))) return this.finishValue()
      if (page.full) this.why = page.full
    } while (this.why === undefined)
  }

  private withValue(value: string | undefined, row: unknown): unknown {
    if (!this.fanOut) return row
    const own = { [this.fanOut.name]: value }
    return Object.assign({}, own, typeof row === 'string' ? { id: row } : row, own)
  }

  private finishValue() {
    this.done++
    this.cursor = undefined
  }

  private fail(error: unknown, value: string | undefined) {
    const output = errorOutput(error, this.context.reader)
    if (this.fanOut && this.fanOut.values.length > 1 && oneValueCodes.has(output.code)) {
      this.failed.push({ value, code: output.code, message: output.message })
      return this.finishValue()
    }
    this.error = output
    this.why = 'error'
  }

  async run() {
    const values = this.fanOut?.values ?? [undefined]
    const startCursor = this.params['cursor']
    const firstPage = prefetch(values.length, (index) =>
      this.ask(values[index], { cursor: index === 0 ? startCursor : undefined, limit: this.limit() }),
    )
    for (const [index, value] of values.entries()) {
      try {
        await this.readValue(value, () => firstPage(index))
      } catch (error) {
        this.context.signal.throwIfAborted()
        this.fail(error, value)
      }
      if (this.why !== undefined) break
    }
    this.stop.abort(new DOMException('not needed any more', 'AbortError'))
  }

  /** Undefined where the same call would only fail again at its first read. */
  private goOn() {
    const { error, done, rows } = this
    const { cursor: start, ...params } = this.params
    if (error && !error.retryable && done === 0 && this.cursor === start && rows.length === 0) return undefined
    const left = this.fanOut && { [this.fanOut.name]: this.fanOut.values.slice(done) }
    const { operation, connection, max, since } = this.call
    return {
      operation,
      connection,
      params: { ...params, ...left, ...(this.cursor !== undefined && { cursor: this.cursor }) },
      ...(max !== undefined && { max }),
      ...(since && { since }),
    }
  }

  output(): ToolOutput {
    const { rows, failed, error, fanOut, requestId } = this
    const { operation, connection, since } = this.call
    const { undated } = this.filter
    const why = this.why ?? (failed.length > 0 ? 'failed' : undefined)
    const goOn = this.why === undefined ? undefined : this.goOn()
    return {
      operation,
      connection,
      complete: why === undefined,
      ...(why !== undefined && { why }),
      ...startMark(this.params),
      ...(since && { since }),
      ...(this.isRestOlder && { until: 'older' }),
      ...(fanOut && { of: { parameter: fanOut.name, values: fanOut.values.length, done: this.done } }),
      ...(goOn && { goOn }),
      ...(failed.length > 0 && { failed }),
      ...(undated > 0 && { undated }),
      ...(error && { error }),
      ...untrustedMarks(this.route, rows),
      ...(requestId !== undefined && !error && !fanOut && { requestId }),
      rows,
    }
  }
}

export async function readAll(call: ReadAllCall, context: ToolContext): Promise<ToolOutput> {
  findRoute(call.operation, context.routes)
  const connection = await chooseConnection(call.connection, context.reader, context.signal)
  const read = new PagedRead({ ...call, connection }, context)
  await read.run()
  return read.output()
}
