// The exit codes as the guide to the command line shows them: derived, between two marks of a page that people write.
import { exits } from '../src/commands/read/exits.ts'
import { code, markdownTable } from '../src/derive/reference/markdown.ts'

const [begin, end] = ['<!-- Derived: npm run derive writes this table. -->', '<!-- End of what is derived. -->']

const exitsTable = (): string =>
  markdownTable(
    ['Code', 'Meaning', 'Types of errors'],
    exits.map((exit) => [code(String(exit.code)), exit.about, exit.types.map(code).join(', ')]),
  )

/** the page with today's table; throws where its marks are gone */
export function withExits(page: string): string {
  const [before, rest = ''] = page.split(`${begin}\n`)
  const [, after] = rest.split(end)
  if (before === undefined || after === undefined) throw new Error('the guide has no marks for its table of exit codes')
  return `${before}${begin}\n${exitsTable()}\n${end}${after}`
}
