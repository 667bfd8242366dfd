// Writes events to standard error: a line of JSON each, or a short line for people at a terminal. What only metrics want
// is no line. A log that nobody reads is dropped and counted, and one that overflows is summed up: it never holds up anybody.
import { pino } from 'pino'
import type { Event, Observe } from '../observe.ts'
import { redact } from '../redact.ts'
import { printable } from './output.ts'

type Kind = Event['kind']
type Level = 'info' | 'warn' | 'error'
type Choice = 'all' | 'problems' | 'off'

/** where lines go: standard error, as far as a log needs it */
export type Outlet = Pick<NodeJS.WriteStream, 'isTTY' | 'writableLength' | 'write' | 'once'>

/** `never`: there are far too many of them, and counting them is what metrics are for */
const levels: Readonly<Record<Kind, Level | 'never'>> = {
  ...{ started: 'info', stopping: 'info', reloaded: 'info', reload_refused: 'warn' },
  ...{ answered: 'info', refused: 'info', called: 'never', shared: 'never' },
  ...{ drift: 'info', duplicate: 'info', breaker: 'info', key_rejected: 'warn', clock_offset: 'warn' },
  ...{ unreadable: 'warn', master_key_missing: 'warn', shadowed: 'warn', shed: 'warn', crowded: 'warn' },
  ...{ audit_waiting: 'warn', audit_lost: 'error', dropped: 'warn', failed: 'error' },
}

function levelOf(event: Event): Level | 'never' {
  if (event.kind === 'answered' && event.status >= 500) return 'warn'
  if (event.kind === 'breaker' && event.state === 'open') return 'warn'
  return levels[event.kind]
}

const isProblem = (event: Event): boolean =>
  event.kind === 'answered' ? event.status >= 500 : event.kind !== 'duplicate'

const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`

function humanLine(event: Told): string {
  if (event.kind !== 'answered') {
    const words = Object.values(event).slice(1)
    return printable(`${event.kind}: ${words.join(' ')}`)
  }
  const { status, method, operation, connection, code, durationMs, platformCalls, retries = 0, shared = 0 } = event
  const cost = [
    many(platformCalls, 'platform call'),
    retries > 0 && many(retries, 'repeat'),
    shared > 0 && `${shared} shared`,
    event.waitedMs !== undefined && `waited ${event.waitedMs} ms`,
    event.cache && `cache ${event.cache}`,
  ]
  const calls = cost.filter(Boolean).join(', ')
  const parts = [status, method, connection, operation, code, `${durationMs} ms`, calls, event.reason]
  return printable(parts.filter(Boolean).join('  '))
}

/** a line is a line, whatever a library or the platform calls things */
const [longestText, longestList] = [4_000, 100]

/** secrets are cut out of values, not out of the line: what is cut may not take a quotation mark along */
function clean(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = redact(value)
    return text.length > longestText ? `${text.slice(0, longestText)}…` : text
  }
  return Array.isArray(value) ? value.slice(0, longestList).map(clean) : value
}

function cleaned<T extends object>(event: T): T {
  const copy = { ...event } as Record<string, unknown>
  for (const name of Object.keys(copy)) copy[name] = clean(copy[name])
  return copy as T
}

const escapeUnit = (unseen: string, at: number): string => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`

/** JSON leaves alone what a terminal or an editor may act on: DEL, C1, bidi marks and what is no character to see */
const escapeUnseen = (json: string): string =>
  // nearly every line is plain
  /^[\x20-\x7e]*$/.test(json)
    ? json
    : json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (unseen) =>
        unseen.length === 1 ? escapeUnit(unseen, 0) : escapeUnit(unseen, 0) + escapeUnit(unseen, 1),
      )

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

/** `count`: how many of its kind a line stands for */
type Told = Event & { readonly count?: number }

const spareMs = 1_000

/** what callers can make thousands of, and each is like the other */
function floodOf(event: Event): string | undefined {
  if (event.kind === 'shed') return `shed ${event.reason}`
  return event.kind === 'crowded' ? event.kind : undefined
}

/** under a flood, a line a second with their number: the log of an overload may not add to it */
function sparing(tell: (event: Told) => void): (event: Event) => void {
  const waiting = new Map<string, { last: Event | undefined; count: number }>()
  function pass(name: string, event: Told) {
    tell(event)
    waiting.set(name, { last: undefined, count: 0 })
    setTimeout(() => {
      const { last, count = 0 } = waiting.get(name) ?? {}
      waiting.delete(name)
      if (last) pass(name, { ...last, count })
    }, spareMs).unref()
  }
  return (event) => {
    const name = floodOf(event)
    if (name === undefined) return tell(event)
    const held = waiting.get(name)
    if (!held) return pass(name, { ...event, count: 1 })
    held.last = event
    held.count++
  }
}

/** unread bytes that are kept; beyond them lines are dropped, and counted in the next one that is written */
const mostUnread = 1024 * 1024

function createPrinter(out: Outlet): (event: Told) => void {
  if (out.isTTY) return (event) => void out.write(`${humanLine(event)}\n`)
  const logger = pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    // never pino's own stream, which would wait for a full pipe
    { write: (line: string) => void out.write(`${escapeUnseen(line.trimEnd())}\n`) },
  )
  return (event) => {
    const level = levelOf(event)
    if (level !== 'never') logger[level](event)
  }
}

/** `lost` hears of lines that are dropped as it happens: a log that is stuck cannot tell of them itself */
export function createLog(choice: Choice, out: Outlet = process.stderr, lost: Observe = () => {}): Observe {
  const novel = once()
  const print = createPrinter(out)
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
    print(cleaned(event))
  })

  return (event) => {
    if (choice === 'off' || levels[event.kind] === 'never' || (choice === 'problems' && !isProblem(event))) return
    const told = novel(event)
    if (told) tell(told)
  }
}
