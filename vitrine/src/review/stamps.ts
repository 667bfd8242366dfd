// Writes review stamps into the source of definitions: the only place where a program changes the catalogue.
import { counted } from '../../../base/core/plural.ts'
import type { ReviewedRoute } from './finding.ts'

interface Stamp {
  readonly version: string
  readonly date: string
  readonly hash: string
}

const definitionOf = (operation: string): RegExp =>
  new RegExp(`^export const ${operation} = (?:one|page|ids|id)\\(\\{\\n[\\s\\S]*?^\\}\\)$`, 'm')

const written = /^( {2}reviewed: )stamp\([^()]*\)(,)$/m

/** Undefined if the text does not contain the definition. */
export function restamp(text: string, operation: string, { version, date, hash }: Stamp): string | undefined {
  const [definition] = definitionOf(operation).exec(text) ?? []
  if (definition === undefined || !written.test(definition)) return undefined
  const stamped = definition.replace(written, `$1stamp('${version}', '${date}', '${hash}')$2`)
  return text.replace(definition, () => stamped)
}

/** Undefined if the route is stamped. */
export function whyNotStamped({ state: standing, findings, hash, isOlder, route }: ReviewedRoute): string | undefined {
  if (standing === 'absent' || hash === undefined) return 'it is not in this document'
  if (isOlder) return `it was reviewed against ${route.reviewed.version}, which is newer`
  const breaks = findings.filter(({ severity }) => severity === 'break').length
  return breaks > 0 ? `it has ${counted(breaks, 'break')}` : undefined
}
