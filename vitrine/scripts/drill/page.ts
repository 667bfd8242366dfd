// The commands that a page tells its readers to type, by the heading above them.
import { readFileSync } from 'node:fs'

/** the indented lines of each section, as one script each */
export function scriptsOf(page: string): ReadonlyMap<string, string> {
  const sections = readFileSync(page, 'utf8')
    .split(/^## /m)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      const typed = lines.filter((line) => line.startsWith('    ')).map((line) => line.slice(4))
      return [title, typed.join('\n')] as const
    })
  return new Map(sections.filter(([, script]) => script !== ''))
}
