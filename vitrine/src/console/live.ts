// Live updates: the service pushes what changes. Where the stream drops, the browser opens it again; where that fails too, the
// page polls until it is back.
import { signal } from '@preact/signals'
import type { Beat, Bye, Cards, Overview, RemovedCards, ServiceState, WholeTold } from './answers.ts'
import { ask, queryOf } from '../../../base/console/api.ts'
import { product } from '../../../base/console/product.ts'
import { type ApiRefusal, asRefusal, unreachable } from '../../../base/console/refusal.ts'
import { resume } from '../../../base/console/session.ts'
import { beginSnapshot, clearStore, dropCards, service, updatedAt } from './store.ts'

export const linkState = signal<'live' | 'connecting' | 'polling' | 'offline'>('connecting')
export const pollRefusal = signal<ApiRefusal | undefined>(undefined)

const pollEveryMs = 10_000
const pollTimeoutMs = 10_000
/** the browser does not open a refused stream again */
const reopenMs = 5_000
/** after `too_many` streams */
const tooManyMs = 60_000
/** a service that stops is often back at once */
const restartMs = 2_000
/** the service sends something every 15 seconds: after this silence the connection is dead */
const silenceMs = 40_000
/** a page hidden for so long closes its stream: a browser has six connections to the service for all of its tabs */
const hiddenMs = 15_000

const timers = new Map<string, ReturnType<typeof setTimeout>>()

function later(name: 'poll' | 'open' | 'hide' | 'silence', ms: number, act: () => void) {
  clearTimeout(timers.get(name))
  timers.set(name, setTimeout(act, ms))
}

let stream: EventSource | undefined
let failures = 0
let isPolling = false
let watching = new AbortController()

async function readOverview(over: AbortSignal) {
  const snapshot = beginSnapshot()
  let count = 0
  for (let cursor: string | undefined; ;) {
    const page: Overview = await ask(`/overview${queryOf({ limit: 200, cursor })}`, { signal: over })
    if (over.aborted) return
    service.value = page.service
    snapshot.take(page.at, page.items)
    count += page.items.length
    if (page.nextCursor === null) return snapshot.end(page.at, count)
    cursor = page.nextCursor
  }
}

async function poll(over: AbortSignal) {
  isPolling = true
  const limit = AbortSignal.any([over, AbortSignal.timeout(pollTimeoutMs)])
  let found: 'polling' | 'offline' = 'polling'
  try {
    await readOverview(limit)
  } catch (error) {
    found = 'offline'
    if (!over.aborted) pollRefusal.value = limit.aborted ? unreachable() : asRefusal(error)
  }
  if (over.aborted || linkState.peek() === 'live') return
  linkState.value = found
  later('poll', pollEveryMs, () => void poll(over))
}

function onFailure(over: AbortSignal, isRefused = false) {
  failures++
  if (linkState.peek() === 'live') linkState.value = 'connecting'
  if ((failures > 1 || isRefused) && !isPolling) void poll(over)
}

function onDropped(over: AbortSignal) {
  const isRefused = stream?.readyState === EventSource.CLOSED
  clearTimeout(timers.get('silence'))
  onFailure(over, isRefused)
  if (isRefused) later('open', reopenMs, () => open(over))
}

function onBye({ reason }: Bye, over: AbortSignal): void {
  stream?.close()
  clearTimeout(timers.get('silence'))
  linkState.value = 'connecting'
  if (reason === 'session_ended') void resume()
  if (reason === 'too_many') onFailure(over, true)
  later('open', reason === 'too_many' ? tooManyMs : restartMs, () => open(over))
}

interface LiveEvents {
  readonly service: ServiceState
  readonly cards: Cards
  readonly removed: RemovedCards
  readonly beat: Beat
  readonly whole: WholeTold
  readonly bye: Bye
}

function listen(mine: EventSource, over: AbortSignal) {
  let snapshot = beginSnapshot()
  const on = <Event extends keyof LiveEvents>(event: Event, act: (data: LiveEvents[Event]) => void) =>
    mine.addEventListener(event, ({ data }: MessageEvent<string>) => {
      watchSilence(over)
      act(JSON.parse(data) as LiveEvents[Event])
    })
  mine.addEventListener('open', () => void (snapshot = beginSnapshot()))
  on('service', (state) => void (service.value = state))
  on('cards', ({ at, items }) => snapshot.take(at, items))
  on('removed', (removed) => dropCards(removed.ids))
  on('beat', ({ at }) => void (updatedAt.value = at))
  on('whole', ({ at, count }) => {
    snapshot.end(at, count)
    failures = 0
    isPolling = false
    linkState.value = 'live'
    clearTimeout(timers.get('poll'))
  })
  on('bye', (bye) => onBye(bye, over))
}

function watchSilence(over: AbortSignal) {
  later('silence', silenceMs, () => {
    onFailure(over)
    open(over)
  })
}

function open(over: AbortSignal) {
  stream?.close()
  stream = new EventSource(`${product().apiBase}/events`)
  listen(stream, over)
  watchSilence(over)
  stream.addEventListener('error', () => onDropped(over))
}

function sleep() {
  for (const timer of timers.values()) clearTimeout(timer)
  watching.abort()
  stream?.close()
  stream = undefined
}

function wake() {
  sleep()
  watching = new AbortController()
  failures = 0
  isPolling = false
  linkState.value = 'connecting'
  open(watching.signal)
}

function onVisibility() {
  if (document.hidden) later('hide', hiddenMs, sleep)
  else if (stream) clearTimeout(timers.get('hide'))
  else wake()
}

/** runs while an operator is signed in; returns what ends it */
export function watch(): () => void {
  wake()
  // a tab opened in the background is hidden from the start
  onVisibility()
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    sleep()
    clearStore()
  }
}
