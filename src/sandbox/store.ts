// The shelf of rows that every read is answered from, indexed by type and id.
// What the rows say is the studio's business; how they are shown is the documents' business.
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value }

export interface Row {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, Value>>
  readonly relations: Readonly<Record<string, string | readonly string[] | null>>
  // Known to filters and sorting but never shown.
  readonly facts: Readonly<Record<string, Value>>
}

export interface Store {
  readonly all: (type: string) => readonly Row[]
  readonly one: (type: string, id: string) => Row | undefined
}

export function indexRows(rows: Iterable<Row>): Store {
  const shelves = new Map<string, Map<string, Row>>()
  for (const row of rows) {
    const shelf = shelves.get(row.type) ?? new Map<string, Row>()
    shelves.set(row.type, shelf.set(row.id, row))
  }
  return {
    all: (type) => [...(shelves.get(type)?.values() ?? [])],
    one: (type, id) => shelves.get(type)?.get(id),
  }
}

export function relatedIds(row: Row, relation: string): readonly string[] {
  const target = row.relations[relation] ?? null
  if (target === null) return []
  return typeof target === 'string' ? [target] : target
}
