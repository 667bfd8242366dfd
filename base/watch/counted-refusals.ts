// Limits the audit lines of refusals: the first ones of a caller and cause have their own lines, further ones share one a minute,
// with their number and the times of the first and the last.
import type { AuditEntry } from '../core/audit.ts'

const everyMs = 60_000
/** beyond so many callers and causes, those of one act and code share a line */
const mostApart = 10_000
const mostNamed = 20

export interface CountedRefusals {
  counts(deed: AuditEntry): boolean
  close(): Promise<void>
}

interface Options {
  readonly write: (deed: AuditEntry) => Promise<void>
  readonly now: () => number
  readonly apart: number
}

interface Counter {
  apart: number
  first: AuditEntry
  count: number
  firstAt: number
  lastAt: number
  operations: Set<string>
  targets: Set<string>
  addresses: Set<string>
  readonly timer: NodeJS.Timeout
}

type Tally = Omit<Counter, 'apart' | 'timer'>

const beginTally = (first: AuditEntry): Tally => ({
  first,
  count: 0,
  firstAt: first.at,
  lastAt: first.at,
  operations: new Set(),
  targets: new Set(),
  addresses: new Set(),
})

function addName(names: Set<string>, name: unknown) {
  if (typeof name === 'string' && names.size < mostNamed) names.add(name)
}

function addTo(tally: Tally, deed: AuditEntry) {
  tally.count++
  tally.lastAt = deed.at
  addName(tally.operations, deed.details['operation'])
  addName(tally.targets, deed.target)
  addName(tally.addresses, deed.from)
}

const several = (name: string, names: Set<string>) => (names.size > 1 ? { [name]: [...names] } : {})

export const countOf = (count: number, firstAt: number, lastAt: number) => ({
  count,
  firstAt: new Date(firstAt).toISOString(),
  lastAt: new Date(lastAt).toISOString(),
})

function lineOf({ first, count, firstAt, lastAt, operations, targets, addresses }: Tally, at: number): AuditEntry {
  const details = {
    ...first.details,
    ...(operations.size > 1 && { operation: null }),
    ...countOf(count, firstAt, lastAt),
    ...several('operations', operations),
    ...several('targets', targets),
    ...several('addresses', addresses),
  }
  return { ...first, at, target: targets.size > 1 ? null : first.target, details }
}

const causeOf = ({ act, details }: AuditEntry): string => `${act} ${String(details['code'])}`

export function createCountedRefusals({ write, now, apart }: Options): CountedRefusals {
  const counters = new Map<string, Counter>()

  async function tell(counter: Counter) {
    const { count, firstAt } = counter
    const line = lineOf(counter, now())
    Object.assign(counter, { ...beginTally(counter.first), apart })
    try {
      await write(line)
    } catch {
      counter.count += count
      counter.firstAt = firstAt
    }
  }

  /** a minute without refusals ends the counting */
  function turn(name: string, counter: Counter) {
    if (counter.count > 0) void tell(counter)
    else {
      clearInterval(counter.timer)
      counters.delete(name)
    }
  }

  function open(name: string, first: AuditEntry): Counter {
    const timer: NodeJS.Timeout = setInterval(() => turn(name, counter), everyMs).unref()
    const counter: Counter = { ...beginTally(first), apart: 0, timer }
    counters.set(name, counter)
    return counter
  }

  return {
    counts(deed) {
      const cause = causeOf(deed)
      const own = `${deed.who} ${deed.who === 'unknown' ? deed.from : ''} ${cause}`
      const isApart = counters.has(own) || counters.size < mostApart
      const name = isApart ? own : cause
      const one = isApart ? deed : { ...deed, who: 'several', requestId: null }
      const counter = counters.get(name) ?? open(name, one)
      if (counter.apart < apart) {
        counter.apart++
        return false
      }
      if (counter.count === 0) Object.assign(counter, beginTally(one))
      addTo(counter, one)
      return true
    },
    async close() {
      for (const { timer } of counters.values()) clearInterval(timer)
      await Promise.all([...counters.values()].filter(({ count }) => count > 0).map(tell))
    },
  }
}
