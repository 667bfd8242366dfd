// Opens the studio: all rows of Northlight, with each parent's to-many relationships filled from its children.
import { indexRows, type Row, type Store } from '../store.ts'
import * as apps from './apps.ts'
import * as backgroundAssets from './background-assets.ts'
import * as clips from './clips.ts'
import * as declarations from './declarations.ts'
import * as events from './events.ts'
import * as experiments from './experiments.ts'
import * as feedback from './feedback.ts'
import * as library from './library.ts'
import { lineage } from './lineage.ts'
import * as nominations from './nominations.ts'
import * as overviews from './overviews.ts'
import * as pages from './product-pages.ts'
import * as purchases from './purchases.ts'
import * as reviews from './reviews.ts'
import * as subscriptions from './subscriptions.ts'
import * as territories from './territories.ts'
import * as uploads from './uploads.ts'
import * as versions from './versions.ts'
import * as winBacks from './win-backs.ts'

const families = [
  apps,
  backgroundAssets,
  clips,
  declarations,
  events,
  experiments,
  feedback,
  library,
  nominations,
  overviews,
  pages,
  purchases,
  reviews,
  subscriptions,
  territories,
  uploads,
  versions,
  winBacks,
]

let opened: Store | undefined

export function openStudio(): Store {
  opened ??= indexRows(adoptChildren(families.flatMap(({ rows }) => rows)))
  return opened
}

function adoptChildren(rows: readonly Row[]): Row[] {
  const children = Map.groupBy(rows, (each) => each.type)
  const found = new Map<string, string[]>()
  for (const [parent = '', relation = '', child = '', naming = ''] of lineage) {
    for (const each of children.get(child) ?? []) {
      const named = each.relations[naming] ?? each.facts[naming] ?? null
      const owner = Array.isArray(named) ? String(named[0]) : named
      if (typeof owner !== 'string') continue
      const key = `${parent} ${relation} ${owner}`
      found.set(key, [...(found.get(key) ?? []), each.id])
    }
  }
  return rows.map((each) => ({ ...each, relations: { ...adoptedBy(each, found), ...each.relations } }))
}

function adoptedBy(parent: Row, found: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  return Object.fromEntries(
    lineage.flatMap(([type, relation = '']) => {
      const ids = type === parent.type ? found.get(`${parent.type} ${relation} ${parent.id}`) : undefined
      return ids === undefined ? [] : [[relation, ids]]
    }),
  )
}
