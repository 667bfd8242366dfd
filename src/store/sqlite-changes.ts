// Whether a SQLite file is as it was: another number after every change, by this process or another.
import type { DatabaseSync } from 'node:sqlite'

/** transactions of this process, whose changes count at once */
let written = 0

export const noteWritten = (): void => void written++

/**
 * `reader` writes nothing, so that every change comes from another connection than it, which is what SQLite counts. It is asked
 * once in a turn of the event loop, since that takes several system calls: what is heard in the same turn had come before
 * anybody could know of a later change. Undefined where it cannot be told: whoever looks now will hear why.
 */
export function createChanges(reader: DatabaseSync, watch: () => void): () => number | undefined {
  const dataVersion = reader.prepare('PRAGMA data_version')
  let isAsked = false
  let askedAfter = -1
  let version: number | undefined
  const askAgain = () => (isAsked = false)

  return () => {
    if (isAsked && askedAfter === written) return version
    try {
      watch()
      askedAfter = written
      if (!isAsked) setImmediate(askAgain)
      isAsked = true
      version = Number(dataVersion.get()?.['data_version'])
    } catch {
      version = undefined
    }
    return version
  }
}
