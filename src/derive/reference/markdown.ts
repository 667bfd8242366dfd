// Markdown in small pieces: what the reference pages are made of. What they say is left to the pages.

export const code = (text: string): string => `\`${text}\``
export const link = (text: string, to: string): string => `[${text}](${to})`

const row = (cells: readonly (string | number)[]): string =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`

/** nothing where there are no rows */
export const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  rows.length === 0 ? '' : [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** no line of JSON, nor of a request, begins as a fence ends */
export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

export const json = (value: unknown): string => fence('json', JSON.stringify(value, null, 2))

/** a part with its heading; nothing where it holds nothing */
export function part(title: string, ...blocks: readonly string[]): string {
  const filled = blocks.filter(Boolean)
  return filled.length === 0 ? '' : [`## ${title}`, ...filled].join('\n\n')
}

export const page = (title: string, ...blocks: readonly string[]): string =>
  `${[`# ${title}`, ...blocks.filter(Boolean)].join('\n\n')}\n`
