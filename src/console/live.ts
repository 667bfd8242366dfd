// The line to the service: it is told what changes as it changes. Where the stream drops, the browser opens it again by itself;
// where that fails too, the page asks every ten seconds until it is back.
import { signal } from '@preact/signals'
import type { Beat, Bye, Cards, RemovedCards, ServiceState, WholeTold } from './answers.ts'
import { base } from './api.ts'
import { askOnce } from './live-asked.ts'
import { resume } from './session.ts'
import { beginTelling, dropCards, forgetAll, service, toldAt } from './told.ts'

/** `waiting`: for the stream. `asking`: now and then, in its place. `off`: nobody answers */
export type Link = 'live' | 'waiting' | 'asking' | 'off'

export const link = signal<Link>('waiting')

const askEveryMs = 10_000
/** a stream that the door has refused is not opened again by the browser */
const openAgainMs = 5_000
/** where there are too many streams, asking is as good */
const crowdedMs = 60_000
/** a service that stops is often there again at once */
const restartMs = 2_000
/** the door is heard every 15 seconds: after such a silence there is no line, though nobody has said so */
const silenceMs = 40_000
/** so long hidden, a page lets go of its stream: a browser has six lines to the door for all of its tabs */
const hiddenMs = 15_000

const timers = new Map<string, ReturnType<typeof setTimeout>>()

function later(name: 'ask' | 'open' | 'hide' | 'silence', ms: number, act: () => void) {
  clearTimeout(timers.get(name))
  timers.set(name, setTimeout(act, ms))
}

let stream: EventSource | undefined
let failures = 0
/** ends what a watch has under way */
let watching = new AbortController()

/** whether it is done without a stream by now */
let isAsking = false

/** in the place of the stream, until it is back */
async function askInstead(over: AbortSignal) {
  isAsking = true
  const found = await askOnce(over)
  if (over.aborted || link.peek() === 'live') return
  link.value = found
  later('ask', askEveryMs, () => void askInstead(over))
}

function onFailure(over: AbortSignal, isRefused = false) {
  failures++
  if (link.peek() === 'live') link.value = 'waiting'
  if ((failures > 1 || isRefused) && !isAsking) void askInstead(over)
}

function onDropped(over: AbortSignal) {
  const isRefused = stream?.readyState === EventSource.CLOSED
  clearTimeout(timers.get('silence'))
  onFailure(over, isRefused)
  if (isRefused) later('open', openAgainMs, () => open(over))
}

function onBye({ reason }: Bye, over: AbortSignal): void {
  stream?.close()
  clearTimeout(timers.get('silence'))
  link.value = 'waiting'
  if (reason === 'session_ended') void resume()
  if (reason === 'too_many') onFailure(over, true)
  later('open', reason === 'too_many' ? crowdedMs : restartMs, () => open(over))
}

/** the events of the stream */
interface Told {
  readonly service: ServiceState
  readonly cards: Cards
  readonly removed: RemovedCards
  readonly beat: Beat
  readonly whole: WholeTold
  readonly bye: Bye
}

function hear(mine: EventSource, over: AbortSignal) {
  let telling = beginTelling()
  const on = <Event extends keyof Told>(event: Event, act: (told: Told[Event]) => void) =>
    mine.addEventListener(event, ({ data }: MessageEvent<string>) => {
      listenForSilence(over)
      act(JSON.parse(data) as Told[Event])
    })
  mine.addEventListener('open', () => void (telling = beginTelling()))
  on('service', (told) => void (service.value = told))
  on('cards', ({ at, items }) => telling.take(at, items))
  on('removed', (told) => dropCards(told.ids))
  on('beat', ({ at }) => void (toldAt.value = at))
  on('whole', ({ at, count }) => {
    telling.end(at, count)
    failures = 0
    isAsking = false
    link.value = 'live'
    clearTimeout(timers.get('ask'))
  })
  on('bye', (bye) => onBye(bye, over))
}

function listenForSilence(over: AbortSignal) {
  later('silence', silenceMs, () => {
    onFailure(over)
    open(over)
  })
}

function open(over: AbortSignal) {
  stream?.close()
  stream = new EventSource(`${base}/events`)
  hear(stream, over)
  listenForSilence(over)
  stream.addEventListener('error', () => onDropped(over))
}

function rest() {
  for (const timer of timers.values()) clearTimeout(timer)
  watching.abort()
  stream?.close()
  stream = undefined
}

function wake() {
  rest()
  watching = new AbortController()
  failures = 0
  isAsking = false
  link.value = 'waiting'
  open(watching.signal)
}

function onSight() {
  if (document.hidden) later('hide', hiddenMs, rest)
  else if (stream) clearTimeout(timers.get('hide'))
  else wake()
}

/** as long as somebody is signed in; gives back what ends it */
export function watch(): () => void {
  wake()
  // a tab that was opened behind another is hidden from the beginning
  onSight()
  document.addEventListener('visibilitychange', onSight)
  return () => {
    document.removeEventListener('visibilitychange', onSight)
    rest()
    forgetAll()
  }
}
