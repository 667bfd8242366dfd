// The one way from the page to the operator's door: JSON there and back, with the session's proof that it is this page who asks.
import { Refusal, refusalOf, unreachable } from './refusal.ts'

export const base = '/operator/v1'

/** of the session, in the memory of this page alone; and whose it is, nobody's where it is empty */
let [proof, holder] = ['', '']

export function proveWith(csrf: string, who: string) {
  ;[proof, holder] = [csrf, who]
}

/** called when the door does not know the session of this page any more: finds out whether this browser has another one */
let renew: () => Promise<void> = async () => {}

export function onLostSession(call: () => Promise<void>) {
  renew = call
}

export interface Asking {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

async function answerOf(path: string, { method = 'GET', body, signal }: Asking): Promise<Response> {
  const headers = {
    ...(proof !== '' && { 'x-vitrine-csrf': proof }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  try {
    return await fetch(`${base}${path}`, {
      ...{ method, headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable()
  }
}

/**
 * Of another session than this page knows, or of none. The last one where the cookie is gone, as after signing out in another
 * tab: this page sends no token.
 */
const lost = new Set(['csrf_missing', 'session_missing', 'session_ended', 'session_unknown', 'operator_token_missing'])

/** the question itself whether there is a session */
const isOfSession = (path: string, { method = 'GET' }: Asking): boolean => path === '/session' && method === 'GET'

async function askOnce(path: string, asking: Asking): Promise<string> {
  const response = await answerOf(path, asking)
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    if (asking.signal?.aborted) throw error
    throw unreachable()
  }
  if (response.ok) return text
  throw refusalOf(response.status, text, response.headers.get('retry-after'))
}

/** the text of an answer; throws a Refusal for everything else */
export async function askText(path: string, asking: Asking = {}): Promise<string> {
  const by = holder
  try {
    return await askOnce(path, asking)
  } catch (error) {
    if (!(error instanceof Refusal) || !lost.has(error.code) || isOfSession(path, asking)) throw error
    await renew()
    // he has signed in again in another tab. Nothing was done yet, and it must not be done in the name of anybody else
    if (by !== '' && by === holder) return askOnce(path, asking)
    throw error
  }
}

export async function ask<T>(path: string, asking: Asking = {}): Promise<T> {
  const text = await askText(path, asking)
  try {
    return JSON.parse(text) as T
  } catch {
    throw new Refusal({ status: 200, code: 'strange_answer', message: 'The answer was no JSON: is this Vitrine?' })
  }
}

/** a query of what has a value */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? '' : `?${query}`
}

/** of one thing among several */
export const at = (listing: string, id: string, rest = ''): string => `${listing}/${encodeURIComponent(id)}${rest}`
