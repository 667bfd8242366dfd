// An exchange of the operator endpoint.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Proxies } from '../../../base/web/address.ts'
import { Exchange } from '../../../base/web/exchange.ts'
import type { Observe } from '../../../base/core/events.ts'
import { type AccessRecord, beginRecord, eventOf } from '../reads/access-record.ts'

export interface OperatorExchangeParts {
  readonly proxies: Proxies
  /** whether callers should look for another server */
  readonly stopping: () => boolean
  readonly observe: Observe
}

export class OperatorExchange extends Exchange<AccessRecord> {
  private readonly observe: Observe

  constructor(req: IncomingMessage, res: ServerResponse, { proxies, stopping, observe }: OperatorExchangeParts) {
    super(req, res, { from: proxies.callerOf(req), record: beginRecord(), stopping })
    this.observe = observe
  }

  protected override ended(status: number | undefined) {
    this.observe(eventOf(this.record, this, status))
  }
}
