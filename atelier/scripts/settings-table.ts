// The table of settings in README.md, from the definitions of the settings: node scripts/settings-table.ts writes it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTable } from '../src/settings.ts'

const file = join(import.meta.dirname, '../README.md')
const [begin, end] = ['<!-- settings -->\n', '<!-- /settings -->']

function standardOf(value: unknown): string {
  if (value === undefined) return ''
  const isAddress = typeof value === 'object' && value !== null && 'port' in value && 'host' in value
  return `\`${isAddress ? `${String(value.host)}:${String(value.port)}` : typeof value === 'string' ? value : JSON.stringify(value)}\``
}

export function settingsRows(): string {
  const rows = Object.entries(settingsTable).map(
    ([name, { standard, about, guide }]) =>
      `| \`${name}\` | ${standardOf(standard)} | ${about} | [${guide}](docs/${guide}.md) |`,
  )
  return ['', '| Setting | Default | What it is | Guide |', '|---|---|---|---|', ...rows, '', ''].join('\n')
}

const withTable = (text: string): string =>
  `${text.slice(0, text.indexOf(begin) + begin.length)}${settingsRows()}${text.slice(text.indexOf(end))}`

if (import.meta.main) writeFileSync(file, withTable(readFileSync(file, 'utf8')))
