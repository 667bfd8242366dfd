// What went wrong with a request, as the pages show it: a refusal in the door's own words, or no answer at all.

interface Told {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly param?: string | undefined
  readonly requestId?: string | undefined
  readonly docUrl?: string | undefined
  readonly retryAfterSec?: number | undefined
}

export class Refusal extends Error {
  /** 0: there was no answer */
  readonly status: number
  readonly code: string
  /** the member of the form that is at fault */
  readonly param: string | undefined
  readonly requestId: string | undefined
  readonly docUrl: string | undefined
  readonly retryAfterSec: number | undefined

  constructor({ status, code, message, param, requestId, docUrl, retryAfterSec }: Told) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.param = param
    this.requestId = requestId
    this.docUrl = docUrl
    this.retryAfterSec = retryAfterSec
  }
}

/** the door is not there, or the way to it */
export const unreachable = (): Refusal =>
  new Refusal({
    status: 0,
    code: 'unreachable',
    message: 'Vitrine does not answer. It may be starting again, or the network is away.',
  })

interface Said {
  readonly error?: Partial<Told>
}

/** a proxy in between may answer with anything */
export function refusalOf(status: number, text: string, retryAfter: string | null): Refusal {
  const retryAfterSec = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
  try {
    const { error } = JSON.parse(text) as Said
    if (typeof error?.code === 'string' && typeof error.message === 'string')
      return new Refusal({ ...error, status, code: error.code, message: error.message, retryAfterSec })
  } catch {
    // it was not ours
  }
  return new Refusal({
    ...{ status, code: 'strange_answer', retryAfterSec },
    message: `Something in between answered with ${status}, and not Vitrine.`,
  })
}

/** no word of Vitrine came, so nobody here knows whether what was asked for was done */
export const isUnknown = ({ status, code }: Refusal): boolean => status === 0 || code === 'strange_answer'

/** whatever was thrown, as something that can be shown */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal({ status: 0, code: 'page_failed', message: 'This page met a defect of its own. Load it again.' })
}
