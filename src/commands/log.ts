// Writes events to standard error: a line of JSON each, or a short line for people at a terminal.
import type { Event, Observe } from '../observe.ts'
import { redact } from '../redact.ts'
import { printable } from './output.ts'

type Choice = 'all' | 'problems' | 'off'

const isProblem = (event: Event): boolean =>
  event.kind === 'answered' ? event.status >= 500 : event.kind !== 'duplicate'

function humanLine(event: Event): string {
  if (event.kind !== 'answered') return printable(`${event.kind}: ${Object.values(event).slice(1).join(' ')}`)
  const { status, method, operation, connection, code, durationMs, platformCalls, reason } = event
  const calls = `${platformCalls} platform ${platformCalls === 1 ? 'call' : 'calls'}`
  const parts = [status, method, connection, operation, code, `${durationMs} ms`, calls, reason]
  return printable(parts.filter(Boolean).join('  '))
}

/** each unknown member is reported once, or a page of apps would fill the log */
function once(): (event: Event) => Event | undefined {
  const seen = new Set<string>()
  return (event) => {
    if (event.kind !== 'drift') return event
    const members = event.members.filter((member) => seen.size < 1_000 && !seen.has(`${event.type} ${member}`))
    for (const member of members) seen.add(`${event.type} ${member}`)
    return members.length > 0 ? { ...event, members } : undefined
  }
}

/** unread bytes that are kept; beyond them lines are dropped, and counted in the next one that is written */
const mostUnread = 1024 * 1024

export function createLog(choice: Choice): Observe {
  const novel = once()
  const line = process.stderr.isTTY
    ? humanLine
    : (event: Event) => JSON.stringify({ time: new Date().toISOString(), ...event })
  let dropped = 0
  return (event) => {
    const told = choice === 'off' || (choice === 'problems' && !isProblem(event)) ? undefined : novel(event)
    if (!told) return
    if (process.stderr.writableLength > mostUnread) {
      dropped++
      return
    }
    if (dropped > 0) process.stderr.write(`${line({ kind: 'dropped', lines: dropped })}\n`)
    dropped = 0
    process.stderr.write(`${redact(line(told))}\n`)
  }
}
