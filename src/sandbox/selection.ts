// Chooses and orders rows: filters match any listed value, several filters must all match, sort keys apply in turn.
// Which filters and keys exist was settled when the query was read.
import type { Asked } from './query.ts'
import { relatedIds, type Row, type Store, type Value } from './store.ts'
import { wordsFor } from './words/index.ts'

export function selectRows(store: Store, rows: readonly Row[], asked: Asked): readonly Row[] {
  let kept = rows
  for (const [name, values] of asked.lists) {
    const path = /^filter\[(.+)\]$/.exec(name)?.[1]
    const exists = /^exists\[(.+)\]$/.exec(name)?.[1]
    if (path !== undefined) {
      const wanted = new Set(values)
      kept = kept.filter((row) => valuesAt(store, row, path.split('.')).some((value) => wanted.has(textOf(value))))
    }
    if (exists !== undefined) {
      kept = kept.filter((row) => String(valuesAt(store, row, [exists]).length > 0) === values[0])
    }
  }
  return sortRows(kept, asked.lists.get('sort') ?? [])
}

// A dotted filter walks relationships: `build.preReleaseVersion` means the pre-release version of the row's build.
function valuesAt(store: Store, row: Row, path: readonly string[]): readonly Value[] {
  const [head = '', ...rest] = path
  if (head === 'id') return [row.id]
  const relation = wordsFor(row.type).relations.get(head)
  const ids = relatedIds(row, head)
  if (relation === undefined || (ids.length === 0 && head in row.facts)) {
    const value = row.attributes[head] ?? row.facts[head] ?? null
    return value === null ? [] : Array.isArray(value) ? value : [value]
  }
  if (rest.length === 0) return ids
  return ids.flatMap((id) => {
    const next = store.one(relation.type, id)
    return next === undefined ? [] : valuesAt(store, next, rest)
  })
}

function sortRows(rows: readonly Row[], keys: readonly string[]): readonly Row[] {
  if (keys.length === 0) return rows
  return rows.toSorted((left, right) => {
    for (const key of keys) {
      const name = key.replace(/^-/, '')
      const order = compare(rank(left, name), rank(right, name))
      if (order !== 0) return key.startsWith('-') ? -order : order
    }
    return 0
  })
}

function rank(row: Row, name: string): string | number {
  const value = row.attributes[name] ?? row.facts[name] ?? ''
  if (typeof value === 'number') return value
  // Date-times come in several written forms, so they are compared as instants.
  return name.endsWith('Date') && typeof value === 'string' ? Date.parse(value) : textOf(value).toLowerCase()
}

function textOf(value: Value): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function compare(left: string | number, right: string | number): number {
  return left < right ? -1 : left > right ? 1 : 0
}
