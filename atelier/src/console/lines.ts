// Texts of several lines, as forms take them.

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')

/** NAME=value on each line; undefined: a line has no name */
export function pairsOf(text: string): Readonly<Record<string, string>> | undefined {
  const lines = linesOf(text)
  if (!lines.every((line) => line.indexOf('=') > 0)) return undefined
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)] as const),
  )
}

/** one argument on each line; the last empty ones are none. null: nothing is there */
export const argvOf = (text: string): readonly string[] | null =>
  text.trim() === '' ? null : text.replace(/(\r?\n)+$/, '').split(/\r?\n/)
