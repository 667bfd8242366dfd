// Who can read what, in sentences. They follow the name of the key.
import type { Key } from '../../answers.ts'
import { hasAllGroups, listed } from '../../facade-key.ts'
import { groups } from '../../../catalogue/groups.ts'
import { counted, dayOf, whole } from '../../../../../base/console/format.ts'
import { plainText } from '../../../../../base/console/parts/display.tsx'
import { canRead, type ConnectionColumn, type KeyRow } from './matrix-data.ts'

const few = 3

/** each cell of a key says it */
const cached = new WeakMap<Key, { readonly groups: string; readonly until: string }>()

function textsOf(key: Key) {
  const texts = cached.get(key) ?? {
    groups: hasAllGroups(key) ? 'all groups' : listed(key.groups),
    until: key.expiresAt === null ? 'and never expires' : `until ${dayOf(key.expiresAt)}`,
  }
  cached.set(key, texts)
  return texts
}

const overText = ({ key }: KeyRow): string => (key.state === 'revoked' ? 'was revoked' : 'has expired')

/** ends with a comma where what follows needs one */
function reachText({ isAll, named }: KeyRow, known: ReadonlySet<string>): string {
  if (isAll) return `all ${whole(known.size)} connections and any added later,`
  const there = [...named.intersection(known)]
  if (there.length === known.size && known.size > 1)
    return `all ${whole(known.size)} connections, but none added later,`
  return there.length <= few
    ? listed(there.map(plainText))
    : `${whole(there.length)} of ${whole(known.size)} connections`
}

/** such as `can read apps and builds of all 12 connections until 3 March 2027.` */
export function rowText(row: KeyRow, known: ReadonlySet<string>): string {
  if (row.key.state !== 'active') return `${overText(row)} and can read nothing.`
  if (!row.isAll && row.named.isDisjointFrom(known))
    return 'can read nothing: none of the connections that it names is available.'
  const { groups: some, until } = textsOf(row.key)
  const reach = reachText(row, known)
  const comma = until.startsWith('and') && !reach.endsWith(',') ? ',' : ''
  return `can read ${some} of ${reach}${comma} ${until}.`
}

export function endedText({ ended }: KeyRow): string {
  if (ended.length === 0) return ''
  const names = ended.slice(0, few).map(plainText)
  const shown = ended.length > few ? [...names, `${ended.length - few} more`] : names
  return ended.length === 1
    ? `It names a connection that was removed or now belongs to another account: ${listed(shown)}.`
    : `It names ${ended.length} connections that were removed or now belong to another account: ${listed(shown)}.`
}

export function cellText(row: KeyRow, id: string): string {
  const connection = plainText(id)
  if (row.key.state !== 'active') return `${overText(row)} and can read nothing of ${connection}.`
  if (!canRead(row, id)) return `can read nothing of ${connection}.`
  const { groups: some, until } = textsOf(row.key)
  const share = hasAllGroups(row.key) ? '' : ` (${row.key.groups.length} of ${groups.length} groups)`
  return `can read ${some}${share} of ${connection}, ${row.isAll ? 'through * (all connections)' : 'by name'}, ${until}.`
}

export function columnText({ byName, byAll }: ConnectionColumn): string {
  const all = byName + byAll
  if (all === 0) return 'No visible active key can read it.'
  return `${counted(all, 'visible active key')} can read it: ${whole(byName)} by name, ${whole(byAll)} through *.`
}
