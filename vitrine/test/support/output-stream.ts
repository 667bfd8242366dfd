// A standard error stream that a test can read and block, and an event to write to it.
import { Writable } from 'node:stream'
import type { Event } from '../../src/events.ts'

/** while `shut`, writes are recorded and do not complete */
export function createOutputStream(isTTY = false) {
  const held: (() => void)[] = []
  const seen = { text: '', shut: false }
  const writable = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      seen.text += chunk
      if (seen.shut) held.push(done)
      else done()
    },
  })
  return {
    out: Object.assign(writable, { isTTY }) as unknown as NodeJS.WriteStream,
    seen,
    lines: () => seen.text.trimEnd().split('\n').filter(Boolean),
    events: () =>
      seen.text
        .trimEnd()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    open() {
      seen.shut = false
      for (const done of held.splice(0)) done()
    },
  }
}

export const answered = (status: number, more: object = {}): Event => ({
  kind: 'answered',
  requestId: 'req_1',
  method: 'GET',
  operation: 'listApps',
  from: '10.0.0.1',
  status,
  platformCalls: 1,
  durationMs: 12,
  ...more,
})
