// Why a request failed, as the pages show it: the API's own words, or that no answer came.
import { product } from './product.ts'

interface RefusalFields {
  readonly status: number
  readonly code: string
  readonly message: string
  /** the member of the form that is at fault */
  readonly param?: string | undefined
  readonly requestId?: string | undefined
  readonly docUrl?: string | undefined
  readonly retryAfterSec?: number | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** an API names the kind by `code` or `type`, and the member at fault by `param` or `details.field` */
type ErrorBody = Partial<RefusalFields> & { readonly type?: string }

export class ApiRefusal extends Error implements RefusalFields {
  declare readonly status: number
  declare readonly code: string
  declare readonly param: string | undefined
  declare readonly requestId: string | undefined
  declare readonly docUrl: string | undefined
  declare readonly retryAfterSec: number | undefined
  declare readonly details: Readonly<Record<string, unknown>> | undefined

  constructor({ message, ...fields }: RefusalFields) {
    super(message)
    Object.assign(this, fields)
  }
}

export const unreachable = (): ApiRefusal =>
  new ApiRefusal({
    status: 0,
    code: 'unreachable',
    message: `${product().name} is not responding. It may be restarting, or the network is down.`,
  })

/** a proxy in between may answer with anything */
export function refusalOf(status: number, text: string, retryAfter: string | null): ApiRefusal {
  const retryAfterSec = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
  try {
    const { error = {} } = JSON.parse(text) as { readonly error?: ErrorBody }
    const { type, code = type, message, details, requestId, docUrl } = error
    const field = details?.['field']
    const { param = typeof field === 'string' ? field : undefined } = error
    if (typeof code === 'string' && typeof message === 'string') {
      const explained = product().explain?.({ code, message, details: details ?? {} }) ?? message
      return new ApiRefusal({ status, code, message: explained, param, requestId, docUrl, retryAfterSec, details })
    }
  } catch {
    // not JSON: see below
  }
  const message = `Unexpected response (HTTP ${status}): something between the browser and ${product().name} answered instead.`
  return new ApiRefusal({ status, code: 'strange_answer', message, retryAfterSec })
}

/** without an answer of the service, it is unknown whether the request was carried out */
export const isUnknown = ({ status, code }: ApiRefusal): boolean => status === 0 || code === 'strange_answer'

/** whatever was thrown, as something that can be shown */
export function asRefusal(error: unknown): ApiRefusal {
  if (error instanceof ApiRefusal) return error
  return new ApiRefusal({ status: 0, code: 'page_failed', message: 'Something went wrong on this page. Reload it.' })
}
