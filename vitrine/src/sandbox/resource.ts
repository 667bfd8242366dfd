// Shows one row as a JSON:API resource object, with as few members as the platform.
import type { AskedQuery } from './query.ts'
import { relatedIds, type SandboxRow } from './store.ts'
import { schemaFor } from './schemas/index.ts'
import type { Relation } from './schemas/resource.ts'

// `included` are the relationships that carry data in this resource; `supply` adds every to-one relationship.
export interface Showing {
  readonly origin: string
  readonly asked: AskedQuery
  readonly included: ReadonlySet<string>
  readonly supply: boolean
}

export const resourceUrl = (origin: string, type: string, id: string): string =>
  `${origin}/${schemaFor(type).version}/${type}/${encodeURIComponent(id)}`

export function showResource(row: SandboxRow, showing: Showing): object {
  const schema = schemaFor(row.type)
  const fields = showing.asked.lists.get(`fields[${row.type}]`)
  const isWanted = (name: string): boolean => fields === undefined || fields.includes(name)
  const url = resourceUrl(showing.origin, row.type, row.id)
  const attributes = schema.attributes.filter(isWanted).map((name) => [name, row.values[name] ?? null])
  const relationships = [...schema.relations]
    .filter(([name]) => isWanted(name))
    .map(([name, relation]) => [name, showRelation(row, name, relation, url, showing)] as const)
    .filter(([, shown]) => Object.keys(shown).length > 0)
  return {
    type: row.type,
    id: row.id,
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
    links: { self: url },
  }
}

function showRelation(row: SandboxRow, name: string, relation: Relation, url: string, showing: Showing): object {
  const links = relation.links && { links: { self: `${url}/relationships/${name}`, related: `${url}/${name}` } }
  return { ...links, ...(carriesData(row, name, relation, showing) && linkageOf(row, name, relation, showing)) }
}

function carriesData(row: SandboxRow, name: string, relation: Relation, showing: Showing): boolean {
  if (!relation.data) return false
  // An image placement has no video relationship at all, not an empty one, and the other way round.
  if (relation.unasked) return row.values[name] !== undefined
  return showing.included.has(name) || (showing.supply && !relation.many)
}

function linkageOf(row: SandboxRow, name: string, relation: Relation, showing: Showing): object {
  const pointers = relatedIds(row, name).map((id) => ({ type: relation.type, id }))
  if (!relation.many) return { data: pointers[0] ?? null }
  const limit = Number(showing.asked.text.get(`limit[${name}]`) ?? 10)
  return { meta: { paging: { total: pointers.length, limit } }, data: pointers.slice(0, limit) }
}

// The ids that this resource's included relationships bring along, as shown in their linkages.
export function includedIds(
  row: SandboxRow,
  asked: AskedQuery,
  included: ReadonlySet<string>,
): { type: string; id: string }[] {
  return [...included].flatMap((name) => {
    const relation = schemaFor(row.type).relations.get(name)
    if (relation === undefined) return []
    const limit = relation.many ? Number(asked.text.get(`limit[${name}]`) ?? 10) : 1
    return relatedIds(row, name)
      .slice(0, limit)
      .map((id) => ({ type: relation.type, id }))
  })
}
