// What may stand in the values of a line of the log: no secrets, and nothing endless. Signs that are not seen are the line's
// own affair (../unseen.ts).
import { redact } from '../redact.ts'

/** a line is a line, whatever a library or the platform calls things */
export const longestText = 4_000
const longestList = 100

/** secrets are cut out of values, not out of the line: what is cut may not take a quotation mark along */
function clean(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = redact(value)
    return text.length > longestText ? `${text.slice(0, longestText)}…` : text
  }
  return Array.isArray(value) ? value.slice(0, longestList).map(clean) : value
}

export function cleaned<T extends object>(event: T): T {
  const copy = { ...event } as Record<string, unknown>
  for (const name of Object.keys(copy)) copy[name] = clean(copy[name])
  return copy as T
}
