// The only way to the API: mostly JSON both ways, with the session's CSRF token.
import { product } from './product.ts'
import { ApiRefusal, refusalOf, unreachable } from './refusal.ts'

/** of the session, in the memory of this page alone; empty without a session */
let [csrfToken, signedInAs] = ['', '']

export function setSession(csrf: string, who: string) {
  ;[csrfToken, signedInAs] = [csrf, who]
}

/** called when the API no longer knows the session: finds out whether this browser has another one */
let renewSession: () => Promise<void> = async () => {}

export function onLostSession(call: () => Promise<void>) {
  renewSession = call
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** sent as JSON */
  readonly body?: unknown
  /** sent as it is */
  readonly content?: Blob | FormData
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** asks which session there is: a refusal is the answer */
  readonly readsSession?: true
}

/** header fields of the session: for what `fetch` cannot do, such as telling how much of a body was sent */
export const sessionFields = (): Readonly<Record<string, string>> =>
  csrfToken === '' ? {} : product().proofOf(csrfToken)

const isLeaving = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false

async function sendOnce(path: string, { method = 'GET', body, content, headers, signal }: RequestOptions) {
  const { apiBase } = product()
  let response: Response
  let text = ''
  try {
    response = await fetch(`${apiBase}${path}`, {
      method,
      headers: {
        ...sessionFields(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      body: body === undefined ? (content ?? null) : JSON.stringify(body),
      signal: signal ?? null,
    })
    if (!response.ok) text = await response.text()
  } catch (error) {
    if (isLeaving(signal)) throw error
    throw unreachable()
  }
  if (response.ok) return response
  throw refusalOf(response.status, text, response.headers.get('retry-after'))
}

/** the answer, whose body the caller of this function reads; throws an ApiRefusal for every other one */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const by = signedInAs
  try {
    return await sendOnce(path, options)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || !product().lostCodes.has(error.code) || options.readsSession) throw error
    await renewSession()
    // the same one has signed in again in another tab; a request is never repeated as somebody else
    if (by !== '' && by === signedInAs) return sendOnce(path, options)
    throw error
  }
}

export async function askText(path: string, options: RequestOptions = {}): Promise<string> {
  const response = await send(path, options)
  try {
    return await response.text()
  } catch (error) {
    if (isLeaving(options.signal)) throw error
    throw unreachable()
  }
}

export async function ask<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const text = await askText(path, options)
  try {
    return JSON.parse(text) as T
  } catch {
    const message = `The response is not JSON. Is this ${product().name}?`
    throw new ApiRefusal({ status: 200, code: 'strange_answer', message })
  }
}

export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? '' : `?${query}`
}

export const at = (listing: string, id: string, rest = ''): string => `${listing}/${encodeURIComponent(id)}${rest}`
