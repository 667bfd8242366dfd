// An exchange of the API: the record of one request, which the log gets when it ends.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Proxies } from '../../../base/web/address.ts'
import { Exchange, type ExchangeRecord, recordedStatus } from '../../../base/web/exchange.ts'
import { jsonType } from '../../../base/web/refusal.ts'
import { watchReader } from '../../../base/web/slow-readers.ts'
import type { AnyProblem } from '../../../base/core/problem.ts'
import type { Observe } from '../events.ts'

export interface ApiRecord extends ExchangeRecord {
  keyId?: string
  accountId?: string
  target?: string
}

/** unread content of a refused request is read for so long: the caller may read no answer before it is sent */
const lingerMs = 5_000

export interface ExchangeParts {
  readonly proxies: Proxies
  readonly observe: Observe
  readonly isStopping: () => boolean
}

export class ApiExchange extends Exchange<ApiRecord> {
  readonly #observe: Observe
  readonly #beganAt = performance.now()

  constructor(req: IncomingMessage, res: ServerResponse, { proxies, observe, isStopping }: ExchangeParts) {
    // digits and a to f alone: an id spells no word, and is easy to read aloud
    const id = `req_${randomBytes(12).toString('hex')}`
    super(req, res, { id, from: proxies.callerOf(req), record: { operation: 'unknown' }, stopping: isStopping })
    this.#observe = observe
  }

  override refuse(problem: AnyProblem) {
    super.refuse(problem)
    const { req } = this
    if (req.complete) return
    const late = setTimeout(() => req.socket.destroy(), lingerMs)
    req.once('close', () => clearTimeout(late))
  }

  /** calls back when the answer is sent or its caller is gone */
  onClose(act: () => void) {
    if (this.res.closed) act()
    else this.res.once('close', act)
  }

  /** Sends JSON whose pieces are made one by one, as the caller takes them. `bytes`: their approximate length in all. */
  async sendPieces(pieces: Iterable<string>, bytes: number) {
    const { res } = this
    // a write may meet a socket that closes
    res.on('error', () => {})
    const closed = new Promise<void>((ok) => this.onClose(ok))
    this.startBody(['content-type', jsonType])
    const watch = (socket: Socket) => watchReader(socket, res, bytes)
    // without a socket, an earlier answer is still being sent, and the reader cannot take this one yet
    if (res.socket) watch(res.socket)
    else res.once('socket', watch)
    for (const piece of pieces) {
      if (res.closed) return
      await Promise.race([closed, new Promise<void>((ok) => res.write(Buffer.from(piece), () => ok()))])
    }
    res.end()
  }

  protected override ended(status: number | undefined) {
    const { operation, code, keyId, accountId, target, reason } = this.record
    this.#observe({
      kind: 'served',
      requestId: this.id,
      method: this.method,
      operation,
      from: this.from,
      status: recordedStatus(this.record, status),
      ...(code !== undefined && { code }),
      ...(keyId !== undefined && { keyId }),
      ...(accountId !== undefined && { accountId }),
      ...(target !== undefined && { target }),
      ...(reason !== undefined && { reason }),
      durationMs: Math.round(performance.now() - this.#beganAt),
    })
  }
}
