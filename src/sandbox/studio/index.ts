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

export function openStudio(startedAt: number): Store {
  opened ??= indexRows(adoptChildren(families.flatMap(({ rows }) => rows)))
  return withFresh(opened, feedback.freshRows(startedAt))
}

const [feedbackType, feedbackOf] = ['betaFeedbackScreenshotSubmissions', 'betaFeedbackScreenshotSubmissions']

// Only this is dated by the start: everything else stays the same from start to start, and is made once.
function withFresh(studio: Store, rows: readonly Row[]): Store {
  const extra = new Map(rows.map((each) => [each.id, each]))
  const added = Map.groupBy(rows, ({ facts }) => facts['app'])
  const grown = (app: Row): Row => {
    const ids = added.get(app.id)?.map(({ id }) => id) ?? []
    const before = (app.relations[feedbackOf] ?? []) as readonly string[]
    return ids.length === 0 ? app : { ...app, relations: { ...app.relations, [feedbackOf]: [...before, ...ids] } }
  }
  return {
    all(type) {
      const fixed = studio.all(type)
      if (type === feedbackType) return [...fixed, ...extra.values()]
      return type === 'apps' ? fixed.map(grown) : fixed
    },
    one(type, id) {
      const fixed = studio.one(type, id)
      if (type === feedbackType) return fixed ?? extra.get(id)
      return type === 'apps' && fixed ? grown(fixed) : fixed
    },
  }
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
