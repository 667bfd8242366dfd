// The rows of the sandbox, by type and id.
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

export interface SandboxRow {
  readonly type: string
  readonly id: string
  // Attributes and relations by their names in the schema; others are known to filters and sorting but never shown.
  readonly values: Readonly<Record<string, JsonValue>>
}

export interface RowStore {
  readonly all: (type: string) => readonly SandboxRow[]
  readonly one: (type: string, id: string) => SandboxRow | undefined
}

export function indexRows(rows: Iterable<SandboxRow>): RowStore {
  const byType = new Map<string, Map<string, SandboxRow>>()
  for (const row of rows) {
    const ofType = byType.get(row.type) ?? new Map<string, SandboxRow>()
    byType.set(row.type, ofType.set(row.id, row))
  }
  return {
    all: (type) => [...(byType.get(type)?.values() ?? [])],
    one: (type, id) => byType.get(type)?.get(id),
  }
}

export function relatedIds(row: SandboxRow, relation: string): readonly string[] {
  const target = row.values[relation] ?? []
  return [target].flat() as string[]
}
