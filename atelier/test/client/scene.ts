// A client over the service with the engine in memory, and a network that a test disturbs.
import type { TestContext } from 'node:test'
import { Atelier, type AtelierOptions, type Fetch } from '../../client/atelier.ts'
import { openUsedRig, type RigOptions } from '../service-rig.ts'

/** what becomes of the nth request: `before`: it is never sent; `after`: its answer is lost; a response instead of it */
export type Trouble = (nth: number) => 'before' | 'after' | Response | undefined

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** a fetch that keeps what was sent */
export function networkOf(trouble: Trouble = () => undefined) {
  const sent: Sent[] = []
  const send: Fetch = async (address, init) => {
    const { pathname, search } = new URL(address)
    sent.push({ method: init.method, path: pathname + search, headers: init.headers })
    const now = trouble(sent.length)
    if (now === 'before') throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    if (now instanceof Response) return now
    const response = await fetch(address, init)
    if (now !== 'after') return response
    await response.arrayBuffer()
    throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
  }
  return { sent, send }
}

export async function openClient(
  t: TestContext,
  { trouble, rig: rigOptions, ...options }: Partial<AtelierOptions> & { trouble?: Trouble; rig?: RigOptions } = {},
) {
  const rig = await openUsedRig(t, rigOptions)
  const { sent, send } = networkOf(trouble)
  const atelier = new Atelier({ url: rig.service.url, key: rig.key, fetch: send, ...options })
  return { ...rig, atelier, sent }
}

/** the error of a call that must fail */
export async function failureOf(work: PromiseLike<unknown>): Promise<any> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

/** 429 as the service says it */
export const tooMany = (): Response =>
  new Response('{"error":{"type":"rate_limited","message":"Too many requests.","requestId":"r","retryable":true}}', {
    status: 429,
    headers: { 'retry-after': '0', 'content-type': 'application/json', 'x-request-id': 'r' },
  })
