// All rows of the sample account, with each parent's to-many relationships filled from its children.
import { indexRows, type SandboxRow, type RowStore } from '../store.ts'
import * as families from './families.ts'
import { recentRows } from './feedback.ts'
import { parentLinks } from './parents.ts'
import { schemaFor } from '../schemas/index.ts'

/** Recent feedback is dated by the start of the sandbox; all other rows are always the same. */
export const createAccountRows = (startedAt: number): RowStore =>
  indexRows(linkChildren([...Object.values(families).flat(), ...recentRows(startedAt)]))

function linkChildren(rows: readonly SandboxRow[]): SandboxRow[] {
  const byType = Map.groupBy(rows, ({ type }) => type)
  const children = new Map<string, Record<string, string[]>>()
  for (const { parent, naming, relation } of parentLinks)
    for (const { id, values } of byType.get(schemaFor(parent).relations.get(relation)?.type ?? '') ?? []) {
      const owner = [values[naming]].flat()[0]
      if (typeof owner !== 'string') continue
      const key = `${parent} ${owner}`
      const own = children.get(key) ?? {}
      children.set(key, own)
      ;(own[relation] ??= []).push(id)
    }
  return rows.map((row) => ({ ...row, values: { ...children.get(`${row.type} ${row.id}`), ...row.values } }))
}
