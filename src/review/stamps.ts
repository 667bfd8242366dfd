// Review stamps in the text of definitions: the one place where a program writes into the catalogue.
import { counted } from '../counted.ts'
import type { Reviewed } from './reviewed.ts'

interface Stamp {
  readonly version: string
  readonly date: string
  readonly hash: string
}

/** from the line of the export to the brackets that close it */
const definitionOf = (operation: string): RegExp =>
  new RegExp(`^export const ${operation} = (?:one|page|ids|id)\\(\\{\\n[\\s\\S]*?^\\}\\)$`, 'm')

const written = /^( {2}reviewed: )stamp\([^()]*\)(,)$/m

/** the text with the stamp of this operation; undefined where its definition does not stand in it */
export function restamp(text: string, operation: string, { version, date, hash }: Stamp): string | undefined {
  const [definition] = definitionOf(operation).exec(text) ?? []
  if (definition === undefined || !written.test(definition)) return undefined
  const stamped = definition.replace(written, `$1stamp('${version}', '${date}', '${hash}')$2`)
  return text.replace(definition, () => stamped)
}

/** why a route is not stamped, in words; undefined where it is */
export function whyNotStamped({ standing, findings, hash, isOlder, route }: Reviewed): string | undefined {
  if (standing === 'absent' || hash === undefined) return 'it is not in this document'
  if (isOlder) return `it was reviewed against ${route.reviewed.version}, which is newer`
  const breaks = findings.filter(({ severity }) => severity === 'break').length
  return breaks > 0 ? `it has ${counted(breaks, 'break')}` : undefined
}
