// `vitrine read --each`: the ids of an operation from every row of the lists that give them.
import type { Vitrine } from '../../../client/vitrine.ts'
import type { Route } from '../../catalogue/define.ts'
import { routes } from '../../catalogue/index.ts'
import { pageSize, pathNames } from '../../catalogue/parameters.ts'
import { type WayStep, wayTo } from '../../catalogue/ways.ts'
import type { ProblemCode } from '../../problems.ts'
import { type Item, itemOf } from './columns.ts'
import { UsageError } from './exits.ts'
import { failureOf, type ReadFailure } from './failure.ts'
import type { Ids } from './options.ts'

/** one row of the lists, and of those above it */
export interface Place {
  /** for the path of the operation */
  readonly ids: Ids
  /** what precedes the fields of its items: the ids that were listed, with names */
  readonly lead: Item
}

/** the ids of a place that lists gave; undefined at the start */
export function listedIds({ ids, lead }: Place): Ids | undefined {
  const listed = Object.entries(ids).filter(([name]) => Object.hasOwn(lead, name))
  return listed.length === 0 ? undefined : Object.fromEntries(listed)
}

/** the row has no such answer; any other failure concerns all rows */
const skippable: readonly string[] = [
  'resource_not_found',
  'localization_not_found',
  'ambiguous_selection',
] satisfies ProblemCode[]

const routeOf = (name: string): Route | undefined => routes.find(({ operation }) => operation === name)

/** the attribute that names a row for people */
const labelOf = (operation: string): string | undefined =>
  ['name', 'referenceName'].find((name) => Object.hasOwn(routeOf(operation)?.returns?.attributes ?? {}, name))

const labelColumn = (gives: string): string => gives.replace(/Id$/, 'Name')

export function stepsTo(route: Route, given: Ids): WayStep[] {
  const steps = wayTo(route, routes, Object.keys(given))
  if (!steps) throw new UsageError(`${route.operation} needs an id that no operation lists: see its --help.`)
  return steps
}

export const leadColumns = (steps: readonly WayStep[]): string[] =>
  steps.flatMap(({ gives, operation, field }) =>
    field === 'id' && labelOf(operation) !== undefined ? [gives, labelColumn(gives)] : [gives],
  )

function leadOf({ gives, operation, field }: WayStep, value: string, row: Item): Item {
  const label = field === 'id' ? labelOf(operation) : undefined
  return { [gives]: value, ...(label !== undefined && { [labelColumn(gives)]: row[label] ?? null }) }
}

/** A failure of one row only, else undefined. What the caller gave is not a row: its failure is the whole answer. */
function skippedFailure(error: unknown, { lead }: Place): ReadFailure | undefined {
  const failure = failureOf(error)
  return failure && Object.keys(lead).length > 0 && skippable.includes(failure.code) ? failure : undefined
}

export interface Visitor {
  /** called before anything is read for a place */
  enter(place: Place): void
  skip(place: Place, failure: ReadFailure): Promise<void>
  /** reads the operation itself */
  visit(place: Place): Promise<void>
}

/** reads every list on the way to its end */
export async function visitEach(client: Vitrine, steps: readonly WayStep[], place: Place, visitor: Visitor) {
  const [step, ...rest] = steps
  visitor.enter(place)
  try {
    if (!step) return await visitor.visit(place)
    for (const inner of await placesBelow(client, step, place)) await visitEach(client, rest, inner, visitor)
  } catch (error) {
    const failure = skippedFailure(error, place)
    if (!failure) throw error
    await visitor.skip(place, failure)
  }
}

/** the whole list before its first row is used: long work on a row must not outlive a cursor */
async function placesBelow(client: Vitrine, step: WayStep, { ids, lead }: Place): Promise<Place[]> {
  const needed = pathNames(routeOf(step.operation) ?? { path: '' })
  const params = { ...Object.fromEntries(needed.map((name) => [name, ids[name] ?? ''])), limit: pageSize.most }
  const places = new Map<string, Place>()
  for await (const item of client.walk(step.operation, params)) {
    const row = itemOf(item)
    const value = row[step.field]
    if (value === undefined) throw new UsageError(`${step.operation} does not say ${step.field}: give --${step.gives}.`)
    // a linkage may be null: this row leads nowhere
    if (typeof value !== 'string') continue
    places.set(value, { ids: { ...ids, [step.gives]: value }, lead: { ...lead, ...leadOf(step, value, row) } })
  }
  return [...places.values()]
}
