// Writes events to standard error: JSON lines, or short lines at a terminal. Unread lines are dropped and counted, and floods are
// summed up: the log never blocks a request.
import { counted } from '../core/plural.ts'
import type { Event, EventTable, Level, Observe } from '../core/events.ts'
import { isSuspect } from '../core/redact.ts'
import { escapeUnseen, plain } from '../core/control-characters.ts'
import { cleaned, longestText } from './log-cleaning.ts'
import type { LogOutput } from './log-stream.ts'
import { sparing, type SummedEvent } from './log-floods.ts'
import { printable } from '../core/printable.ts'

type Choice = 'all' | 'problems' | 'off'

interface Logged<E extends { readonly kind: string }> {
  readonly table: EventTable<E>
  readonly narrow?: (event: E) => E | undefined
}

type Rows = Readonly<Record<string, EventTable<Event>['answered']>>

function levelOf(rows: Rows, event: Event): Level | 'never' {
  const { level = 'info' } = rows[event.kind] ?? {}
  return typeof level === 'function' ? level(event as never) : level
}

function humanLine(event: SummedEvent): string {
  if (event.kind !== 'answered') {
    const words = Object.values(event).slice(1)
    return printable(`${event.kind}: ${words.join(' ')}`)
  }
  const { status, method, operation, connection, code, durationMs, platformCalls, retries = 0, shared = 0 } = event
  const { count = 1 } = event
  const cost = [
    counted(platformCalls, 'platform call'),
    retries > 0 && counted(retries, 'repeat'),
    shared > 0 && `${shared} shared`,
    event.waitedMs !== undefined && `waited ${event.waitedMs} ms`,
    event.cache && `cache ${event.cache}`,
    count > 1 && `${count} like it`,
  ]
  const calls = cost.filter(Boolean).join(', ')
  const parts = [status, method, connection, operation, code, `${durationMs} ms`, calls, event.reason]
  return printable(parts.filter(Boolean).join('  '))
}

let stampedAt = Number.NaN
let stamp = ''
/** many lines share a millisecond, and formatting it takes longer than the rest of a line */
function stampNow(): string {
  const at = Date.now()
  if (at !== stampedAt) [stampedAt, stamp] = [at, new Date(at).toISOString()]
  return stamp
}

/** nearly every line is plain: cleaning each value by itself takes three times as long */
function fieldsOf(event: SummedEvent): string {
  if (event.kind === 'answered') {
    const fields = JSON.stringify(event)
    if (fields.length <= longestText && !isSuspect(fields) && plain.test(fields)) return fields
  }
  return escapeUnseen(JSON.stringify(cleaned(event)))
}

/** unread bytes that are kept; beyond them lines are dropped, and counted in the next one */
const mostUnread = 1024 * 1024

function createPrinter(rows: Rows, out: LogOutput): (event: SummedEvent) => void {
  if (out.isTTY) return (event) => void out.write(`${humanLine(cleaned(event))}\n`)
  return (event) =>
    void out.write(`{"level":"${levelOf(rows, event)}","time":"${stampNow()}",${fieldsOf(event).slice(1)}\n`)
}

/** `lost` is called at once for dropped lines: a blocked log cannot report them */
export function createEventLog<E extends { readonly kind: string }>(
  { table, narrow = (event) => event }: Logged<E>,
  choice: Choice,
  out: LogOutput,
  lost: Observe,
): (event: E) => void {
  const rows = table as unknown as Rows
  const print = createPrinter(rows, out)
  let dropped = 0

  function tellDropped() {
    const lines = dropped
    dropped = 0
    if (lines > 0) print({ kind: 'dropped', lines })
  }

  const tell = sparing((event) => {
    if (out.writableLength > mostUnread) {
      if (dropped++ === 0) out.once('drain', tellDropped)
      lost({ kind: 'dropped', lines: 1 })
      return
    }
    tellDropped()
    print(event)
  })

  return (event) => {
    const row = table[event.kind as E['kind']]
    const isWanted = choice === 'all' || (row.isProblem?.(event as never) ?? true)
    if (choice === 'off' || row.level === 'never' || !isWanted) return
    const narrowed = narrow(event)
    // only the events of base have fields that these files know
    if (narrowed) tell(narrowed as unknown as Event)
  }
}
