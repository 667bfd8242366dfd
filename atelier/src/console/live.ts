// Containers and usage as they are now: read every few seconds while the page is visible and somebody is at it.
import { batch, signal } from '@preact/signals'
import { ask, queryOf } from '../../../base/console/api.ts'
import { type ApiRefusal, asRefusal } from '../../../base/console/refusal.ts'
import type { Container, Subscription } from './answers.ts'

/** undefined until they were read */
export const containers = signal<readonly Container[] | undefined>(undefined)
export const subscription = signal<Subscription | undefined>(undefined)
export const readAt = signal<string | undefined>(undefined)
export const liveState = signal<'connecting' | 'live' | 'paused' | 'offline'>('connecting')
/** why they could not be read */
export const liveRefusal = signal<ApiRefusal | undefined>(undefined)

const everyMs = 3_000
const afterFailureMs = 10_000
/** without a key or a pointer for so long the page stops asking, so that the session can end */
const unattendedMs = 15 * 60_000

let timer: ReturnType<typeof setTimeout> | undefined
let flight = new AbortController()
let isReading = false
let isWanted = false
let attendedAt = 0

async function readContainers(over: AbortSignal): Promise<readonly Container[]> {
  const items: Container[] = []
  for (let cursor: string | undefined; ;) {
    const page: { items: Container[]; nextCursor: string | null } = await ask(
      `/containers${queryOf({ limit: 200, cursor })}`,
      { signal: over },
    )
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}

function plan(ms: number) {
  clearTimeout(timer)
  timer = setTimeout(() => void read(), ms)
}

async function read() {
  if (isReading) {
    isWanted = true
    return
  }
  isReading = true
  isWanted = false
  const over = flight.signal
  let next: number = everyMs
  try {
    const [found, usage] = await Promise.all([
      readContainers(over),
      ask<Subscription>('/subscription/config', { signal: over }),
    ])
    if (!over.aborted)
      batch(() => {
        containers.value = found
        subscription.value = usage
        readAt.value = new Date().toISOString()
        liveState.value = 'live'
        liveRefusal.value = undefined
      })
  } catch (error) {
    next = afterFailureMs
    if (!over.aborted)
      batch(() => {
        liveState.value = 'offline'
        liveRefusal.value = asRefusal(error)
      })
  } finally {
    isReading = false
  }
  if (over.aborted || document.hidden) return
  if (isWanted) void read()
  else if (Date.now() - attendedAt > unattendedMs) liveState.value = 'paused'
  else plan(next)
}

/** after a change: at once */
export function refresh() {
  attendedAt = Date.now()
  clearTimeout(timer)
  void read()
}

const attend = () => {
  attendedAt = Date.now()
  if (liveState.peek() === 'paused') refresh()
}
const look = () => document.hidden || refresh()

/** begins when somebody has signed in; the returned function ends it, and the next one starts with nothing */
export function watch(): () => void {
  flight = new AbortController()
  refresh()
  document.addEventListener('visibilitychange', look)
  for (const type of ['pointerdown', 'keydown'] as const) addEventListener(type, attend, { capture: true })
  return () => {
    flight.abort()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    for (const type of ['pointerdown', 'keydown'] as const) removeEventListener(type, attend, { capture: true })
    batch(() => {
      containers.value = undefined
      subscription.value = undefined
      readAt.value = undefined
      liveRefusal.value = undefined
      liveState.value = 'connecting'
    })
  }
}
