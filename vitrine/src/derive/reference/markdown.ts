// Markdown helpers for the reference pages.

export const code = (text: string): string => `\`${text}\``
export const link = (text: string, to: string): string => `[${text}](${to})`

const row = (cells: readonly (string | number)[]): string =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`

/** Empty without rows. */
export const markdownTable = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  rows.length === 0 ? '' : [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

export const bulletList = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** No line of JSON or of a request starts with a fence. */
export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

export const json = (value: unknown): string => fence('json', JSON.stringify(value, null, 2))

/** A section with its heading; empty without content. */
export function part(title: string, ...blocks: readonly string[]): string {
  const filled = blocks.filter(Boolean)
  return filled.length === 0 ? '' : [`## ${title}`, ...filled].join('\n\n')
}

export const markdownPage = (title: string, ...blocks: readonly string[]): string =>
  `${[`# ${title}`, ...blocks.filter(Boolean)].join('\n\n')}\n`
