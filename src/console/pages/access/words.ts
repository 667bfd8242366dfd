// Who may see what, in sentences. The name of the key is not in them: it stands before.
import type { Key } from '../../answers.ts'
import { hasAllGroups, listed } from '../../grants.ts'
import { groups } from '../../groups.ts'
import { dayOf } from '../../moments.ts'
import { counted, whole } from '../../numbers.ts'
import { plainText } from '../../parts/foreign.tsx'
import { type Column, type Row, sees } from './view.ts'

const few = 3

/** of a key: said in each of its cells */
const said = new WeakMap<Key, { readonly groups: string; readonly until: string }>()

function wordsOf(key: Key) {
  const made = said.get(key) ?? {
    groups: hasAllGroups(key) ? 'all groups' : listed(key.groups),
    until: key.expiresAt === null ? ', and never expires' : ` until ${dayOf(key.expiresAt)}`,
  }
  said.set(key, made)
  return made
}

const groupWords = ({ key }: Row): string => wordsOf(key).groups
const untilWords = ({ key }: Row): string => wordsOf(key).until

const overWords = ({ key }: Row): string => (key.state === 'revoked' ? 'was revoked' : 'has expired')

function reachWords({ isAll, named }: Row, known: ReadonlySet<string>): string {
  if (isAll) return `all ${whole(known.size)} connections, and of later ones,`
  const there = [...named].filter((id) => known.has(id))
  if (there.length === known.size && known.size > 1)
    return `all ${whole(known.size)} connections, but not of later ones,`
  return there.length <= few
    ? listed(there.map(plainText))
    : `${whole(there.length)} of ${whole(known.size)} connections`
}

const isBlind = ({ isAll, named }: Row, known: ReadonlySet<string>): boolean =>
  !isAll && ![...named].some((id) => known.has(id))

/** such as `may read apps and builds of all 12 connections until 3 March 2027.` */
export function rowWords(row: Row, known: ReadonlySet<string>): string {
  if (row.key.state !== 'active') return `${overWords(row)}: it may see nothing.`
  if (isBlind(row, known)) return 'may see nothing: it reads no connection that it names.'
  return `may read ${groupWords(row)} of ${reachWords(row, known)}${untilWords(row)}.`.replace(',, ', ', ')
}

export function endedWords({ ended }: Row): string {
  if (ended.length === 0) return ''
  const names = ended.slice(0, few).map(plainText)
  const shown = ended.length > few ? [...names, `${ended.length - few} more`] : names
  return ended.length === 1
    ? `It names a connection that was removed or has another account now: ${listed(shown)}.`
    : `It names ${ended.length} connections that were removed or have other accounts now: ${listed(shown)}.`
}

export function cellWords(row: Row, id: string): string {
  const connection = plainText(id)
  if (row.key.state !== 'active') return `${overWords(row)}: it may see nothing of ${connection}.`
  if (!sees(row, id)) return `may see nothing of ${connection}.`
  const how = row.isAll ? 'through *, as of every connection' : 'by name'
  const share = hasAllGroups(row.key) ? '' : ` (${row.key.groups.length} of ${groups.length} groups)`
  return `may read ${groupWords(row)}${share} of ${connection}, ${how},${untilWords(row)}.`.replace(',, ', ', ')
}

export function columnWords({ byName, byAll }: Column): string {
  const all = byName + byAll
  if (all === 0) return 'No active key in sight may see it.'
  return `${counted(all, 'active key')} in sight may see it: ${whole(byName)} by name, ${whole(byAll)} through *.`
}
