// What may stand in a line of the log: no secrets, nothing endless, and nothing that a terminal or an editor would act on.
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

/** printable ASCII: nothing in it is for a terminal or an editor to act on */
export const plain = /^[\x20-\x7e]*$/

const escapeUnit = (unseen: string, at: number): string => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`

/** JSON leaves alone what a terminal or an editor may act on: DEL, C1, bidi marks and what is no character to see */
export const escapeUnseen = (json: string): string =>
  // nearly every line is plain
  plain.test(json)
    ? json
    : json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (unseen) =>
        unseen.length === 1 ? escapeUnit(unseen, 0) : escapeUnit(unseen, 0) + escapeUnit(unseen, 1),
      )
