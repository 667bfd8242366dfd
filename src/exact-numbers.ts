// JSON whose numbers keep their digits and their spelling until they are written again: 0.1000, 1E5, -0, and integers beyond 2^53.

/** a string or a number; what is between strings, and begins as a number, is one */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** a reviver is slow: most answers hold no number that would be written otherwise than it came */
function holdsInexact(text: string): boolean {
  for (const [found] of text.matchAll(token))
    if (!found.startsWith('"') && JSON.stringify(Number(found)) !== found) return true
  return false
}

export const parseExactly = (text: string): unknown =>
  holdsInexact(text)
    ? JSON.parse(text, (_name, value: unknown, { source }: { source?: string }) =>
        typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source
          ? JSON.rawJSON(source)
          : value,
      )
    : JSON.parse(text)
