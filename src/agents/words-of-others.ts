// Which fields hold text that people outside the account write, as results name them.
import type { Field, Resource, Route } from '../catalogue/define.ts'

/** Text of a person outside, or of their device. What has a format is made by the platform, and a number tells nobody anything. */
export const isWordOfOthers = ({ by, kind, format }: Field, of: Pick<Resource, 'by'>): boolean =>
  by === 'end-user' || (of.by === 'end-user' && kind === 'string' && format === undefined)

/** `comment`, or `notes[].text` inside of others */
function wordsOfOthers(fields: Resource['attributes'], of: Pick<Resource, 'by'>, above = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${above}${name}`
    if (isWordOfOthers(field, of)) return [path]
    const { items, properties } = field
    if (items && isWordOfOthers(items, of)) return [`${path}[]`]
    if (items?.properties) return wordsOfOthers(items.properties, of, `${path}[].`)
    return properties ? wordsOfOthers(properties, of, `${path}.`) : []
  })
}

/** those that these rows hold */
export const marksOf = ({ returns }: Route, rows: readonly unknown[]) => {
  const words = returns ? wordsOfOthers(returns.attributes, returns) : []
  const here = words.filter((path) => {
    const [name = ''] = path.split(/[.[]/, 1)
    return rows.some((row) => ((row as Record<string, unknown> | null)?.[name] ?? undefined) !== undefined)
  })
  return here.length > 0 ? { writtenByEndUsers: here } : {}
}
