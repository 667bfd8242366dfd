// Cleans the values of a log line: no secrets, and bounded lengths. The log itself escapes control characters.
import { redact } from '../core/redact.ts'

/** an error of a library or the platform may be of any length */
export const longestText = 4_000
const longestList = 100

/** values are cleaned, not the line: a match could remove a quotation mark */
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
