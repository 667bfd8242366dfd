// JSON whose numbers keep their digits and spelling: 0.1000, 1E5, -0, and integers beyond 2^53.

/** a string or a number: between strings, what begins as a number is one */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** a reviver is slow, and most answers hold no such number */
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
