// Configures the log: the events of this service, and each unknown member of a document once.
import { createEventLog } from '../../../base/watch/log.ts'
import type { LogOutput } from '../../../base/watch/log-stream.ts'
import { type Event, events, type Observe } from '../events.ts'
import type { Settings } from '../settings.ts'

/** otherwise one page of apps would fill the log */
function reportOnce(): (event: Event) => Event | undefined {
  const seen = new Set<string>()
  return (event) => {
    if (event.kind !== 'drift') return event
    const named = event.members.map((member) => member.slice(0, 200))
    const members = named.filter((member) => seen.size < 1_000 && !seen.has(`${event.type} ${member}`))
    for (const member of members) seen.add(`${event.type} ${member}`)
    return members.length > 0 ? { ...event, members } : undefined
  }
}

/** `lost` is called for each dropped line: a stuck log cannot report it */
export const createLog = (
  choice: Settings['log'],
  out: LogOutput = process.stderr,
  lost: Observe = () => {},
): Observe => createEventLog({ table: events, narrow: reportOnce() }, choice, out, lost)
