// All that the stream would tell, asked for in its place.
import { signal } from '@preact/signals'
import type { Overview } from './answers.ts'
import { ask, queryOf } from './api.ts'
import { asRefusal, type Refusal, unreachable } from './refusal.ts'
import { beginTelling, service } from './told.ts'

/** why it was not told */
export const refusal = signal<Refusal | undefined>(undefined)

const patienceMs = 10_000

async function askAll(over: AbortSignal) {
  const telling = beginTelling()
  let count = 0
  for (let cursor: string | undefined; ;) {
    const page: Overview = await ask(`/overview${queryOf({ limit: 200, cursor })}`, { signal: over })
    if (over.aborted) return
    service.value = page.service
    telling.take(page.at, page.items)
    count += page.items.length
    if (page.nextCursor === null) return telling.end(page.at, count)
    cursor = page.nextCursor
  }
}

/** never rejects */
export async function askOnce(over: AbortSignal): Promise<'asking' | 'off'> {
  const patience = AbortSignal.any([over, AbortSignal.timeout(patienceMs)])
  try {
    await askAll(patience)
    return 'asking'
  } catch (error) {
    if (!over.aborted) refusal.value = patience.aborted ? unreachable() : asRefusal(error)
    return 'off'
  }
}
