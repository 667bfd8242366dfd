// Which fields hold text that people outside the account write, as results name them.
import type { Field, Route } from '../catalogue/define.ts'

/** `comment`, or `notes[].text` inside of others */
function wordsOfOthers(fields: Readonly<Record<string, Field>>, above = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${above}${name}`
    if (field.by === 'end-user') return [path]
    const { items, properties } = field
    if (items?.by === 'end-user') return [`${path}[]`]
    if (items?.properties) return wordsOfOthers(items.properties, `${path}[].`)
    return properties ? wordsOfOthers(properties, `${path}.`) : []
  })
}

/** those that these rows hold */
export const marksOf = ({ returns }: Route, rows: readonly unknown[]) => {
  const words = wordsOfOthers(returns?.attributes ?? {})
  const here = words.filter((path) => {
    const [name = ''] = path.split(/[.[]/, 1)
    return rows.some((row) => ((row as Record<string, unknown> | null)?.[name] ?? undefined) !== undefined)
  })
  return here.length > 0 ? { writtenByEndUsers: here } : {}
}
