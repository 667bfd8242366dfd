// What a terminal can show: colours and columns. A pipe has no colours unless they are forced.

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

type Variables = Readonly<Record<string, string | undefined>>

/** NO_COLOR overrides FORCE_COLOR */
export function hasColours({ isTTY = false }: Stream, env: Variables = process.env): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: forced = '', TERM: term = '' } = env
  if (no !== '') return false
  if (forced !== '') return forced !== '0' && forced !== 'false'
  return isTTY && term !== 'dumb'
}

/** whether a line can be redrawn: not on a dumb terminal */
export const redraws = ({ isTTY = false }: Stream, env: Variables = process.env): boolean =>
  isTTY && env['TERM'] !== 'dumb'

/** 80 if a terminal does not say */
export const columnsOf = ({ isTTY = false, columns = 0 }: Stream): number =>
  isTTY ? (columns > 0 ? columns : 80) : Number.POSITIVE_INFINITY

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

export type Paint = (style: keyof typeof codes, text: string) => string

export const paintFor =
  (stream: Stream, env: Variables = process.env): Paint =>
  (style, text) =>
    hasColours(stream, env) ? `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m` : text
