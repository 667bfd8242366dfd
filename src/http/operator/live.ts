// Tells whoever listens what has changed, as it changes. One look at everything serves all who listen, and nothing is looked
// at while nobody does. Who reads slowly misses what was in between, and is told how it stands when he has read.
import { isoOf } from '../moment.ts'
import { type Board, type BoardParts, drawBoard, type Piece } from './board.ts'
import { eventOf, type Recipient, type Telling } from './event-stream.ts'
import type { Session } from './sessions.ts'

export interface LiveOptions {
  /** between two looks */
  readonly tickMs: number
  /** between two signs of life */
  readonly beatMs: number
  /** who listen at once */
  readonly most: number
  /** of these, pages of one session: a browser has six lines to one host, and its pages want some for the rest */
  readonly mostOfOne: number
  /** a defect of ours, which ends nothing */
  readonly failed: (error: unknown) => void
}

export interface Live {
  /** rejects where there is nothing to tell from the beginning: it cannot be found out how all stands */
  readonly open: (isLetIn: () => boolean | Promise<boolean>, session?: Session) => Promise<Telling>
  /** ends all, and whoever comes from now on */
  close(): void
}

type Reason = 'session_ended' | 'stopping' | 'too_many'

/** how soon a browser comes again that was cut off, or told to go */
const [soonMs, lateMs] = [2_000, 15_000]

const bye = (reason: Reason): string => `retry: ${lateMs}\n${eventOf('bye', JSON.stringify({ reason }))}`
const greeting = `retry: ${soonMs}\n\n`
/** an event, and no comment: a page hears of no comments, and could not tell a quiet line from a dead one */
const beat = (now: number): string => eventOf('beat', JSON.stringify({ at: isoOf(now) }))

interface Listener {
  readonly recipient: Recipient
  readonly isLetIn: () => boolean | Promise<boolean>
  readonly session: Session | undefined
  /** what he is being told, and how far he has come */
  pieces: readonly Piece[]
  next: number
  /** the version that he knows when he has been told that; before that, the one that he knows */
  told: number
  /** something is on its way to him */
  isBusy: boolean
}

/** as much as he takes */
function tell(listener: Listener, board: Board) {
  const { recipient } = listener
  while (!listener.isBusy) {
    const piece = listener.pieces[listener.next]
    if (piece) {
      listener.next++
      listener.isBusy = !recipient.send(piece())
    } else if (listener.told < board.version()) {
      Object.assign(listener, { pieces: board.since(listener.told), next: 0, told: board.version() })
    } else {
      listener.pieces = []
      return
    }
  }
}

function welcome(listener: Listener, board: Board) {
  const { recipient } = listener
  recipient.onTaken(() => {
    listener.isBusy = false
    tell(listener, board)
  })
  listener.isBusy = !recipient.send(greeting)
  tell(listener, board)
}

export function createLive(parts: BoardParts, { tickMs, beatMs, most, mostOfOne, failed }: LiveOptions): Live {
  const listeners = new Set<Listener>()
  /** one and the same from the first who listens to the last */
  let board: Board | undefined
  let drawing: Promise<Board> | undefined
  let [tick, beats]: (NodeJS.Timeout | undefined)[] = []
  let isClosed = false

  /** nobody listens: nothing is looked at, and nothing kept */
  function rest() {
    if (listeners.size > 0) return
    clearTimeout(tick)
    clearInterval(beats)
    tick = beats = board = undefined
  }

  function letGo(listener: Listener, reason: Reason) {
    listeners.delete(listener)
    listener.recipient.end(bye(reason))
    rest()
  }

  async function look(drawn: Board) {
    const shut = async (one: Listener) => (await one.isLetIn()) || letGo(one, 'session_ended')
    await Promise.all([...listeners].map(shut))
    if (board !== drawn) return
    await drawn.draw().catch(failed)
    // all may have left meanwhile, and others come
    if (board !== drawn) return
    for (const one of listeners) tell(one, drawn)
    drawn.forget(Math.min(...[...listeners].map(({ told }) => told)))
    plan(drawn)
  }

  function plan(drawn: Board) {
    clearTimeout(tick)
    tick = setTimeout(() => void look(drawn), tickMs)
  }

  function sayHello() {
    const hello = beat(parts.now())
    for (const one of listeners) if (!one.isBusy) one.isBusy = !one.recipient.send(hello)
  }

  function join({ recipient, isLetIn, session }: Pick<Listener, 'recipient' | 'isLetIn' | 'session'>, drawn: Board) {
    const listener: Listener = { recipient, isLetIn, session, pieces: [], next: 0, told: 0, isBusy: false }
    listeners.add(listener)
    recipient.onGone(() => {
      listeners.delete(listener)
      rest()
    })
    welcome(listener, drawn)
    if (!tick) plan(drawn)
    beats ??= setInterval(sayHello, beatMs)
  }

  function refusal(session: Session | undefined): Reason | undefined {
    if (isClosed) return 'stopping'
    const own = session ? [...listeners].filter((one) => one.session === session).length : 0
    return listeners.size >= most || own >= mostOfOne ? 'too_many' : undefined
  }

  return {
    async open(isLetIn, session) {
      const refused = refusal(session)
      if (refused) return (recipient) => recipient.end(bye(refused))
      const drawn = board ?? (await (drawing ??= drawBoard(parts).finally(() => (drawing = undefined))))
      return (recipient) => {
        const reason = refusal(session)
        if (reason) recipient.end(bye(reason))
        else join({ recipient, isLetIn, session }, (board ??= drawn))
      }
    },
    close() {
      isClosed = true
      for (const one of listeners) letGo(one, 'stopping')
    },
  }
}
