// `vitrine read --find`: searches the lists that give the ids of an operation, depth first, and shows each step.
import type { Vitrine } from '../../../client/vitrine.ts'
import { counted } from '../../../../base/core/plural.ts'
import { shellOption } from '../../../../base/core/source-text.ts'
import type { Route } from '../../catalogue/define.ts'
import { routes } from '../../catalogue/index.ts'
import { pageSize, pathNames } from '../../catalogue/parameters.ts'
import { type WayStep, wayTo } from '../../catalogue/ways.ts'
import { UsageError } from './exits.ts'
import { failureOf } from './failure.ts'

export type Ids = Readonly<Record<string, string>>

/** requests of one search, the reads of the operation itself included */
export const mostFindReads = 100

interface Looked {
  pages: number
  rows: number
}

interface Search {
  readonly client: Vitrine
  readonly target: string
  readonly given: Ids
  readonly say: (words: string) => void
  /** by operation */
  readonly looked: Map<string, Looked>
  reads: number
}

const routeOf = (name: string): Route | undefined => routes.find(({ operation }) => operation === name)

/** ids that may be given: those of the operation, and of the lists that lead to it */
export function findableNames(route: Route): string[] {
  const steps = wayTo(route, routes) ?? []
  return [...new Set([route, ...steps.flatMap(({ operation }) => routeOf(operation) ?? [])].flatMap(pathNames))]
}

const namesOf = (operation: string): string[] => pathNames(routeOf(operation) ?? { path: '' })

/** an operation with its ids, as on a command line */
export const withIds = (operation: string, ids: Ids): string =>
  [operation, ...namesOf(operation).map((name) => shellOption(name, ids[name] ?? ''))].join(' ')

/** Absent, and nothing was printed of it. */
export function isAbsent(error: unknown): boolean {
  const type = failureOf(error)?.type
  const isBegun = typeof error === 'object' && error !== null && 'walked' in error && error.walked !== undefined
  return (type === 'resource_not_found' || type === 'localization_not_found') && !isBegun
}

const lookedWords = ({ looked }: Search): string =>
  [...looked]
    .map(([operation, { pages, rows }]) => `${counted(rows, 'row')} on ${counted(pages, 'page')} of ${operation}`)
    .join(', ')

/** Counts a request, or ends the search before it. */
function spend(search: Search, next: string) {
  if (search.reads === mostFindReads)
    throw new UsageError(
      `--find stopped after ${mostFindReads} requests, before ${next}. It looked through ${lookedWords(search)}; what comes after was not looked at, so ${search.target} may have ids. Give an id of the way to begin there.`,
    )
  search.reads++
}

const valueOf = (item: unknown, field: string): unknown =>
  typeof item === 'object' && item !== null ? (item as Readonly<Record<string, unknown>>)[field] : item

type Params = Readonly<Record<string, string | number>>

interface ListPage {
  readonly items: readonly unknown[]
  readonly nextCursor: string | null
}

/** A page of a list. Undefined: a row that was found is gone; an id that was given is an error. */
async function readPage({ client, given }: Search, operation: string, params: Params): Promise<ListPage | undefined> {
  try {
    return (await client.read(operation, params)) as unknown as ListPage
  } catch (error) {
    if (isAbsent(error) && namesOf(operation).some((name) => !Object.hasOwn(given, name))) return undefined
    throw error
  }
}

/** the values that a list gives, page by page */
async function* valuesOf(search: Search, { operation, field, gives }: WayStep, ids: Ids): AsyncGenerator<string> {
  const asked = Object.fromEntries(namesOf(operation).map((name) => [name, ids[name] ?? '']))
  const seen = new Set<string>()
  const looked = search.looked.get(operation) ?? { pages: 0, rows: 0 }
  search.looked.set(operation, looked)
  let cursor: string | null = null
  for (let number = 1; number === 1 || cursor !== null; number++) {
    const words = withIds(operation, ids) + (number === 1 ? '' : ` (page ${number})`)
    spend(search, words)
    const params: Params = { ...asked, limit: pageSize.most, ...(cursor !== null && { cursor }) }
    const { items, nextCursor }: ListPage = (await readPage(search, operation, params)) ?? {
      items: [],
      nextCursor: null,
    }
    const values = items.map((item) => valueOf(item, field)).filter((one) => typeof one === 'string')
    const fresh = [...new Set(values)].filter((value) => !seen.has(value))
    looked.pages++
    looked.rows += items.length
    cursor = nextCursor
    const more = cursor === null ? '' : ', and more pages'
    if (fresh.length === 0)
      search.say(`${words}: no ${gives}${items.length > 0 ? ` in ${counted(items.length, 'row')}` : ''}${more}`)
    for (const [i, value] of fresh.entries()) {
      const place = i === 0 ? `the first of ${fresh.length}` : `${i + 1} of ${fresh.length}`
      search.say(`${words}: ${gives} ${value}${fresh.length > 1 || more !== '' ? ` (${place}${more})` : ''}`)
      yield value
      seen.add(value)
    }
  }
}

async function* follow(search: Search, steps: readonly WayStep[], ids: Ids): AsyncGenerator<Ids> {
  const [step, ...rest] = steps
  if (!step) {
    spend(search, withIds(search.target, ids))
    yield ids
    return
  }
  for await (const value of valuesOf(search, step, ids)) {
    yield* follow(search, rest, { ...ids, [step.gives]: value })
    search.say(`${step.gives} ${value} leads no further`)
  }
}

/**
 * Ids with which the operation may be read, one way after the other, until the caller takes one. Throws if an id is in no
 * list, if no way is left, or if the search has used its requests.
 */
export async function* findIds(
  client: Vitrine,
  { route, given }: { readonly route: Route; readonly given: Ids },
  say: Search['say'],
): AsyncGenerator<Ids> {
  const steps = wayTo(route, routes, Object.keys(given))
  if (!steps) throw new UsageError(`${route.operation} needs an id that no operation lists: see its --help.`)
  const search: Search = { client, target: route.operation, given, say, looked: new Map(), reads: 0 }
  yield* follow(search, steps, given)
  throw new UsageError(
    `Nothing leads to ${route.operation}. Everything was looked through: ${lookedWords(search)}. Give an id that does.`,
  )
}
