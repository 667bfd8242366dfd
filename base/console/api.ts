// The only way to the operator's API: JSON both ways, with the session's CSRF token.
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
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

async function askOnce(path: string, { method = 'GET', body, signal }: RequestOptions): Promise<string> {
  const headers = {
    ...(csrfToken !== '' && { [product().csrfHeader]: csrfToken }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  let response: Response
  let text: string
  try {
    response = await fetch(`${product().apiBase}${path}`, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable()
  }
  if (response.ok) return text
  throw refusalOf(response.status, text, response.headers.get('retry-after'))
}

/** the last one: the cookie is gone, as after signing out in another tab, and this page sends no token */
const lost = new Set(['csrf_missing', 'session_missing', 'session_ended', 'session_unknown', 'operator_token_missing'])

const readsSession = (path: string, { method = 'GET' }: RequestOptions): boolean =>
  path === '/session' && method === 'GET'

/** the text of an answer; throws an ApiRefusal for everything else */
export async function askText(path: string, options: RequestOptions = {}): Promise<string> {
  const by = signedInAs
  try {
    return await askOnce(path, options)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || !lost.has(error.code) || readsSession(path, options)) throw error
    await renewSession()
    // the same operator has signed in again in another tab; a request is never repeated as another operator
    if (by !== '' && by === signedInAs) return askOnce(path, options)
    throw error
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
