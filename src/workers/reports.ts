// What workers report to the process that tells of all: how their lines stand, and what they noted lately. Piece by piece
// and only what is new, so that a look every other second costs nobody a pause, however many connections there are.
import { setImmediate } from 'node:timers/promises'
import type { LineState } from '../engine/port.ts'
import type { History, Tally } from '../history.ts'
import type { Line, Standing } from './lines.ts'

export interface Report {
  /** the next question names it: else it never arrived, and is told again */
  readonly number: number
  /** nothing that was told before counts */
  readonly whole: boolean
  readonly lines: readonly Line[]
  /** lines that are there no longer */
  readonly gone: readonly string[]
  readonly tally: Tally
  /** there is more to be told at once */
  readonly more: boolean
}

export interface ReporterParts {
  readonly opened: () => readonly Standing[]
  readonly history: Pick<History, 'take' | 'give' | 'holdsMore'>
}

/** lines and connections of one report, and lines that are looked at without a pause */
const [most, atOnce] = [500, 200]

/** the worker's side. `heard`: the number of the last report that arrived; 0: none */
export function createReporter({ opened, history }: ReporterParts): (heard: number) => Promise<Report> {
  const told = new Map<string, string>()
  let last: { readonly number: number; readonly tally: Tally } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  /** those that do not stand as they were told */
  async function changed(open: readonly Standing[]): Promise<Line[]> {
    const lines: Line[] = []
    for (const [i, { id, state }] of open.entries()) {
      if (lines.length === most) break
      if (i % atOnce === atOnce - 1) await setImmediate()
      const now = state()
      const text = JSON.stringify(now)
      if (told.get(id) === text) continue
      told.set(id, text)
      lines.push([id, now])
    }
    return lines
  }

  function closed(open: readonly Standing[]): string[] {
    const ids = new Set(open.map(({ id }) => id))
    const gone = [...told.keys()].filter((id) => !ids.has(id))
    for (const id of gone) told.delete(id)
    return gone
  }

  async function report(heard: number): Promise<Report> {
    const whole = last?.number !== heard
    if (whole) {
      told.clear()
      if (last) history.give(last.tally)
    }
    const open = opened()
    const [lines, gone, tally] = [await changed(open), closed(open), history.take(most)]
    last = { number: (last?.number ?? 0) + 1, tally }
    return { number: last.number, whole, lines, gone, tally, more: lines.length === most || history.holdsMore() }
  }

  return (heard) => {
    // an answer that took too long is not waited for, and the next question may come before it
    const mine = turn.then(() => report(heard))
    turn = mine.catch(() => {})
    return mine
  }
}

export interface Reports {
  /** of the last report that arrived from this worker */
  numberOf(worker: number): number
  hear(worker: number, report: Report): void
  ended(worker: number): void
  statesOf(id: string): LineState[]
}

/** the primary's side: how lines stand; what was noted is for its history */
export function createReports(): Reports {
  const workers = new Map<number, { number: number; readonly lines: Map<string, LineState> }>()
  return {
    numberOf: (worker) => workers.get(worker)?.number ?? 0,
    hear(worker, { number, whole, lines, gone }) {
      const known = (whole ? undefined : workers.get(worker)) ?? { number, lines: new Map<string, LineState>() }
      for (const [id, state] of lines) known.lines.set(id, state)
      for (const id of gone) known.lines.delete(id)
      known.number = number
      workers.set(worker, known)
    },
    ended: (worker) => void workers.delete(worker),
    statesOf: (id) => [...workers.values()].flatMap(({ lines }) => lines.get(id) ?? []),
  }
}
