// Sends changes to listeners as they happen. One snapshot serves all listeners, and none is made while there are none. A slow
// listener misses states in between, and gets the current one when it has read.
import { isoOf } from '../../../base/core/moment.ts'
import { type LiveSnapshot, type SnapshotParts, createSnapshot, type Piece } from './live-snapshot.ts'
import { eventOf, type Recipient, type Telling } from '../../../base/web/event-stream.ts'
import type { Session } from '../../../base/auth/sessions.ts'
import type { Answers } from './answer-schemas.ts'

export interface LiveUpdatesOptions {
  /** between two snapshots */
  readonly tickMs: number
  /** between two heartbeats */
  readonly beatMs: number
  /** listeners at once */
  readonly most: number
  /** listeners of one session: a browser has six connections to a host, and pages need some for other requests */
  readonly mostOfOne: number
  /** reports a defect; the stream goes on */
  readonly failed: (error: unknown) => void
}

export type LiveUpdates = ReturnType<typeof createLiveUpdates>

type Reason = Answers['Bye']['reason']

/** when a browser reconnects after a lost connection, or after the service ended the stream */
const [soonMs, lateMs] = [2_000, 15_000]

const bye = (reason: Reason): string => `retry: ${lateMs}\n${eventOf('bye', JSON.stringify({ reason }))}`
const greeting = `retry: ${soonMs}\n\n`
/** An event, not a comment: pages do not see comments, and could not tell a quiet stream from a dead one. */
const beat = (now: number): string => eventOf('beat', JSON.stringify({ at: isoOf(now) }))

type Joining = Pick<Listener, 'recipient' | 'isStillValid' | 'session'>

interface Listener {
  readonly recipient: Recipient
  readonly isStillValid: () => boolean | Promise<boolean>
  readonly session: Session | undefined
  /** the events to send, and the position in them */
  pieces: readonly Piece[]
  next: number
  /** the version that they lead to */
  sentVersion: number
  /** the buffer is full */
  isBusy: boolean
}

/** sends as much as the listener takes */
function sendUpdates(listener: Listener, snapshot: LiveSnapshot) {
  const { recipient } = listener
  while (!listener.isBusy) {
    const piece = listener.pieces[listener.next]
    if (piece) {
      listener.next++
      listener.isBusy = !recipient.send(piece())
    } else if (listener.sentVersion < snapshot.version()) {
      Object.assign(listener, {
        pieces: snapshot.since(listener.sentVersion),
        next: 0,
        sentVersion: snapshot.version(),
      })
    } else {
      listener.pieces = []
      return
    }
  }
}

function startListener(listener: Listener, snapshot: LiveSnapshot) {
  const { recipient } = listener
  recipient.onTaken(() => {
    listener.isBusy = false
    sendUpdates(listener, snapshot)
  })
  listener.isBusy = !recipient.send(greeting)
  sendUpdates(listener, snapshot)
}

function sendBeat(listeners: ReadonlySet<Listener>, now: number) {
  const event = beat(now)
  for (const one of listeners) if (!one.isBusy) one.isBusy = !one.recipient.send(event)
}

export function createLiveUpdates(
  parts: SnapshotParts,
  { tickMs, beatMs, most, mostOfOne, failed }: LiveUpdatesOptions,
) {
  const listeners = new Set<Listener>()
  /** the same one from the first listener to the last */
  let snapshot: LiveSnapshot | undefined
  let opening: Promise<LiveSnapshot> | undefined
  let [tick, beats]: (NodeJS.Timeout | undefined)[] = []
  let isClosed = false

  /** without listeners: no snapshots, nothing kept */
  function stopIfIdle() {
    if (listeners.size > 0) return
    clearTimeout(tick)
    clearInterval(beats)
    tick = beats = snapshot = undefined
  }

  function disconnect(listener: Listener, reason: Reason) {
    listeners.delete(listener)
    listener.recipient.end(bye(reason))
    stopIfIdle()
  }

  async function update(latest: LiveSnapshot) {
    const shut = async (one: Listener) => (await one.isStillValid()) || disconnect(one, 'session_ended')
    await Promise.all([...listeners].map(shut))
    if (snapshot !== latest) return
    await latest.refresh().catch(failed)
    // all may have left meanwhile, and others may have come
    if (snapshot !== latest) return
    for (const one of listeners) sendUpdates(one, latest)
    latest.forget(Math.min(...[...listeners].map(({ sentVersion }) => sentVersion)))
    plan(latest)
  }

  function plan(latest: LiveSnapshot) {
    clearTimeout(tick)
    tick = setTimeout(() => void update(latest), tickMs)
  }

  function join(joining: Joining, latest: LiveSnapshot) {
    const listener: Listener = { ...joining, pieces: [], next: 0, sentVersion: 0, isBusy: false }
    listeners.add(listener)
    joining.recipient.onGone(() => {
      listeners.delete(listener)
      stopIfIdle()
    })
    startListener(listener, latest)
    if (!tick) plan(latest)
    beats ??= setInterval(() => sendBeat(listeners, parts.now()), beatMs)
  }

  function refusal(session: Session | undefined): Reason | undefined {
    if (isClosed) return 'stopping'
    const own = session ? [...listeners].filter((one) => one.session === session).length : 0
    return listeners.size >= most || own >= mostOfOne ? 'too_many' : undefined
  }

  return {
    /** rejects if the state cannot be read */
    open: async (isStillValid: Listener['isStillValid'], session?: Session): Promise<Telling> => {
      const refused = refusal(session)
      if (refused) return (recipient) => recipient.end(bye(refused))
      const latest = snapshot ?? (await (opening ??= createSnapshot(parts).finally(() => (opening = undefined))))
      return (recipient) => {
        const reason = refusal(session)
        if (reason) recipient.end(bye(reason))
        else join({ recipient, isStillValid, session }, (snapshot ??= latest))
      }
    },
    /** ends all streams, and all that are opened later */
    close() {
      isClosed = true
      for (const one of listeners) disconnect(one, 'stopping')
    },
  }
}
