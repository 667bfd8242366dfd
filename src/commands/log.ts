// Writes events to standard error: a line of JSON each, or a short line for people at a terminal. What only metrics want
// is no line. A log that nobody reads is dropped and counted, and one that overflows is summed up: it never holds up anybody.
import { pino } from 'pino'
import { counted } from '../counted.ts'
import type { Event, Observe } from '../observe.ts'
import { isSuspect } from '../redact.ts'
import { escapeUnseen, plain } from '../unseen.ts'
import { cleaned, longestText } from './log-cleaning.ts'
import type { Outlet } from './outlet.ts'
import { sparing, type Told } from './log-floods.ts'
import { printable } from './printable.ts'

type Kind = Event['kind']
type Level = 'info' | 'warn' | 'error'
type Choice = 'all' | 'problems' | 'off'

/** `never`: there are far too many of them, and counting them is what metrics are for */
const levels: Readonly<Record<Kind, Level | 'never'>> = {
  ...{ worker_ended: 'warn', worker_started: 'info' },
  ...{ started: 'info', stopping: 'info', reloaded: 'info', reload_refused: 'warn' },
  ...{ answered: 'info', refused: 'info', called: 'never', shared: 'never' },
  ...{ drift: 'info', duplicate: 'info', breaker: 'info', key_rejected: 'warn', clock_offset: 'warn' },
  ...{ unreadable: 'warn', master_key_missing: 'warn', shadowed: 'warn', shed: 'warn', crowded: 'warn' },
  ...{ redis_away: 'warn', redis_back: 'info', redis_refused: 'warn' },
  ...{
    store_away: 'warn',
    store_back: 'info',
    store_in_use: 'warn',
    taking_untold: 'warn',
    replicas_uncounted: 'warn',
  },
  ...{
    audit_waiting: 'warn',
    audit_lost: 'error',
    audit_pruned: 'info',
    audit_unpruned: 'warn',
    dropped: 'warn',
    failed: 'error',
  },
}

function levelOf(event: Event): Level | 'never' {
  if (event.kind === 'answered' && event.status >= 500) return 'warn'
  if (event.kind === 'breaker' && event.state === 'open') return 'warn'
  return levels[event.kind]
}

const isProblem = (event: Event): boolean =>
  event.kind === 'answered' ? event.status >= 500 : event.kind !== 'duplicate'

function humanLine(event: Told): string {
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

/** each unknown member is reported once, or a page of apps would fill the log */
function once(): (event: Event) => Event | undefined {
  const seen = new Set<string>()
  return (event) => {
    if (event.kind !== 'drift') return event
    const named = event.members.map((member) => member.slice(0, 200))
    const members = named.filter((member) => seen.size < 1_000 && !seen.has(`${event.type} ${member}`))
    for (const member of members) seen.add(`${event.type} ${member}`)
    return members.length > 0 ? { ...event, members } : undefined
  }
}

let stampedAt = Number.NaN
let stamp = ''
/** many lines are of one millisecond, and writing it as text takes longer than the rest of a line */
function stampNow(): string {
  const at = Date.now()
  if (at !== stampedAt) [stampedAt, stamp] = [at, new Date(at).toISOString()]
  return stamp
}

/**
 * The line of an answered request, for nearly all of them: plain, short, and without anything that would be cut out of it.
 * It is the one that the long way gives, which looks at each value by itself, at a third of its cost.
 */
function quickLine(event: Told, worker: number | undefined): string | undefined {
  if (event.kind !== 'answered') return undefined
  const fields = JSON.stringify(event)
  if (fields.length > longestText || isSuspect(fields) || !plain.test(fields)) return undefined
  const who = worker === undefined ? '' : `,"worker":${worker}`
  return `{"level":"${levelOf(event)}","time":"${stampNow()}"${who},${fields.slice(1)}\n`
}

/** unread bytes that are kept; beyond them lines are dropped, and counted in the next one that is written */
const mostUnread = 1024 * 1024

function createPrinter(out: Outlet, worker: number | undefined): (event: Told) => void {
  const prefix = worker === undefined ? '' : `[${worker}] `
  if (out.isTTY) return (event) => void out.write(`${prefix}${humanLine(cleaned(event))}\n`)
  const logger = pino(
    {
      base: worker === undefined ? null : { worker },
      timestamp: () => `,"time":"${stampNow()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    // never pino's own stream, which would wait for a full pipe
    { write: (line: string) => void out.write(`${escapeUnseen(line.trimEnd())}\n`) },
  )
  return (event) => {
    const line = quickLine(event, worker)
    const level = levelOf(event)
    if (line !== undefined) out.write(line)
    else if (level !== 'never') logger[level](cleaned(event))
  }
}

/**
 * `lost` hears of lines that are dropped as it happens: a log that is stuck cannot tell of them itself. `worker`: which of
 * several processes tells.
 */
export function createLog(
  choice: Choice,
  out: Outlet = process.stderr,
  lost: Observe = () => {},
  worker?: number,
): Observe {
  const novel = once()
  const print = createPrinter(out, worker)
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
    if (choice === 'off' || levels[event.kind] === 'never' || (choice === 'problems' && !isProblem(event))) return
    const told = novel(event)
    if (told) tell(told)
  }
}
