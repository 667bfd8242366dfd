// Filters and sorts rows: a filter matches any of its values, several filters must all match, sort keys apply in turn.
import type { AskedQuery } from './query.ts'
import { relatedIds, type SandboxRow, type RowStore, type JsonValue } from './store.ts'
import { schemaFor } from './schemas/index.ts'

export function selectRows(store: RowStore, rows: readonly SandboxRow[], asked: AskedQuery): readonly SandboxRow[] {
  let kept = rows
  for (const [name, values] of asked.lists) {
    const path = /^filter\[(.+)\]$/.exec(name)?.[1]
    const exists = /^exists\[(.+)\]$/.exec(name)?.[1]
    const span = /^(\w+)(GreaterThanOrEqualTo|LessThan)$/.exec(path ?? '')
    if (span) {
      const [, attribute = '', word] = span
      const bound = Date.parse(values[0] ?? '')
      kept = kept.filter((row) => Number(rank(row, attribute)) < bound === (word === 'LessThan'))
    } else if (path !== undefined) {
      const wanted = new Set(values)
      kept = kept.filter((row) => valuesAt(store, row, path.split('.')).some((value) => wanted.has(textOf(value))))
    }
    if (exists !== undefined) {
      kept = kept.filter((row) => String(valuesAt(store, row, [exists]).length > 0) === values[0])
    }
  }
  return sortRows(kept, asked.lists.get('sort') ?? [])
}

// A dotted filter follows relationships: `build.preReleaseVersion` means the pre-release version of the row's build.
function valuesAt(store: RowStore, row: SandboxRow, path: readonly string[]): readonly JsonValue[] {
  const [head = '', ...rest] = path
  if (head === 'id') return [row.id]
  const relation = schemaFor(row.type).relations.get(head)
  const values = [row.values[head] ?? []].flat()
  if (relation === undefined || rest.length === 0) return values
  return relatedIds(row, head).flatMap((id) => {
    const next = store.one(relation.type, id)
    return next === undefined ? [] : valuesAt(store, next, rest)
  })
}

function sortRows(rows: readonly SandboxRow[], keys: readonly string[]): readonly SandboxRow[] {
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

function rank(row: SandboxRow, name: string): string | number {
  const value = row.values[name] ?? ''
  if (typeof value === 'number') return value
  // Date-times come in several written forms, so they are compared as instants.
  return name.endsWith('Date') && typeof value === 'string' ? Date.parse(value) : textOf(value).toLowerCase()
}

const textOf = (value: JsonValue): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const compare = (left: string | number, right: string | number): number => (left < right ? -1 : left > right ? 1 : 0)
