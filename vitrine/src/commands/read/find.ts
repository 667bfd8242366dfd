// `vitrine read --find`: reads the lists that give the ids of an operation, and shows each step.
import type { Vitrine } from '../../../client/vitrine.ts'
import type { Route } from '../../catalogue/define.ts'
import { routes } from '../../catalogue/index.ts'
import { pathNames } from '../../catalogue/parameters.ts'
import { type WayStep, wayTo } from '../../catalogue/ways.ts'
import { UsageError } from './exits.ts'

type Ids = Readonly<Record<string, string>>

const routeOf = (name: string): Route | undefined => routes.find(({ operation }) => operation === name)

/** ids that may be given: those of the operation, and of the lists that lead to it */
export function findableNames(route: Route): string[] {
  const steps = wayTo(route, routes) ?? []
  return [...new Set([route, ...steps.flatMap(({ operation }) => routeOf(operation) ?? [])].flatMap(pathNames))]
}

const valueOf = (item: unknown, field: string): unknown =>
  typeof item === 'object' && item !== null ? (item as Readonly<Record<string, unknown>>)[field] : item

/** The first rows that lead on: a list without rows is left for the next row of the list before. */
async function follow(
  client: Vitrine,
  steps: readonly WayStep[],
  ids: Ids,
  say: (words: string) => void,
): Promise<Ids | undefined> {
  const [step, ...rest] = steps
  if (!step) return ids
  const needed = pathNames(routeOf(step.operation) ?? { path: '' })
  const params = Object.fromEntries(needed.map((name) => [name, ids[name] ?? '']))
  const { items } = (await client.read(step.operation, params)) as { readonly items: readonly unknown[] }
  const values = items.map((item) => valueOf(item, step.field)).filter((one) => typeof one === 'string')
  const words = [step.operation, ...needed.map((name) => `--${name} ${ids[name]}`)].join(' ')
  say(
    `${words}: ${values.length === 0 ? `no ${step.gives}` : `${step.gives} ${values[0]}${values.length > 1 ? ` (the first of ${values.length})` : ''}`}`,
  )
  for (const value of values) {
    const found = await follow(client, rest, { ...ids, [step.gives]: value }, say)
    if (found) return found
    if (values.length > 1) say(`${step.gives} ${value} leads no further`)
  }
  return undefined
}

/** Throws if an id is in no list, or if all lists on the way are empty. */
export async function findIds(client: Vitrine, route: Route, given: Ids, say: (words: string) => void): Promise<Ids> {
  const steps = wayTo(route, routes, Object.keys(given))
  if (!steps) throw new UsageError(`${route.operation} needs an id that no operation lists: see its --help.`)
  const found = await follow(client, steps, given, say)
  if (!found)
    throw new UsageError(`Nothing leads to ${route.operation}: the lists above have no rows. Give an id that does.`)
  return found
}
