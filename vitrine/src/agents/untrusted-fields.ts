// Which fields hold text that people outside the account wrote.
import type { Field, Resource, Route } from '../catalogue/define.ts'

/** Values with a format are made by the platform, and numbers carry no instructions. */
export const isUntrusted = ({ by, kind, format }: Field, of: Pick<Resource, 'by'>): boolean =>
  by === 'end-user' || (of.by === 'end-user' && kind === 'string' && format === undefined)

/** such as `comment`, or `notes[].text` for a nested field */
function untrustedPaths(fields: Resource['attributes'], of: Pick<Resource, 'by'>, above = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${above}${name}`
    if (isUntrusted(field, of)) return [path]
    const { items, properties } = field
    if (items && isUntrusted(items, of)) return [`${path}[]`]
    if (items?.properties) return untrustedPaths(items.properties, of, `${path}[].`)
    return properties ? untrustedPaths(properties, of, `${path}.`) : []
  })
}

export const untrustedMarks = ({ returns }: Route, rows: readonly unknown[]) => {
  const paths = returns ? untrustedPaths(returns.attributes, returns) : []
  const present = paths.filter((path) => {
    const [name = ''] = path.split(/[.[]/, 1)
    return rows.some((row) => ((row as Record<string, unknown> | null)?.[name] ?? undefined) !== undefined)
  })
  return present.length > 0 ? { writtenByEndUsers: present } : {}
}
