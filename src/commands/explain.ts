// `vitrine explain`: the plan of a request, without asking anything of anyone.
import type { Route } from '../catalogue/define.ts'
import { routes as ours } from '../catalogue/index.ts'
import { connectionPath } from '../catalogue/parameters.ts'
import { checkPlan, type Plan, planReads } from '../engine/plan.ts'
import { readQuery } from '../engine/query.ts'
import type { Step } from '../engine/target.ts'
import { createMatcher, splitTarget } from '../http/paths.ts'
import { Problem } from '../problem.ts'
import { settingsTable } from '../settings.ts'
import { Complaint } from './complaint.ts'
import { printJson } from './output.ts'

const decoded = (path: string, ids: Step['ids']): string =>
  path.replaceAll(/\{(\w+)\}/g, (hole, name: string) => (name in ids ? encodeURIComponent(ids[name] ?? '') : hole))

export interface ExplainedStep {
  readonly purpose: string
  readonly get: string
  readonly query: Readonly<Record<string, string>>
  readonly accept: string
  /** what a lookup compares, byte for byte */
  readonly looksFor?: string
}

const explainStep = (purpose: string, { endpoint, ids, asked, accept }: Step): ExplainedStep => ({
  purpose,
  get: decoded(endpoint, ids),
  query: Object.fromEntries(asked.map(({ name, value }) => [name, value])),
  accept,
})

const purposes = {
  locale: 'find the one localization with exactly this locale; every page is read',
  membership: 'prove that the child belongs to the parent; pages are read until it is found',
}

export function explainPlan({ lookup, read }: Plan): ExplainedStep[] {
  const first = lookup ? [{ ...explainStep(purposes[lookup.purpose], lookup), looksFor: lookup.wanted }] : []
  return [...first, explainStep('read the answer', read)]
}

export interface ExplainOptions {
  readonly linkage?: boolean
}

/** Throws the Problem that the service would answer. Only a cursor is not looked into: it is sealed for the service alone. */
export function planOf(url: string, { linkage = false }: ExplainOptions = {}, routes: readonly Route[] = ours) {
  const { path, query: raw } = splitTarget(url)
  const match = createMatcher(routes)
  const found = match(path) ?? match(`${connectionPath.replace(/\{\w+\}/, 'any')}${path}`)
  if (!found) throw new Problem('route_not_found')
  const query = readQuery(found.route, raw)
  const cursor = query.cursor === undefined ? undefined : '(from the cursor, which is not checked here)'
  const plan = planReads(found.route, { ids: found.ids, query, linkage, cursor })
  checkPlan(plan, settingsTable['upstream.baseUrl'].standard)
  return { route: found.route, plan }
}

export function explain(url: string, options: ExplainOptions) {
  let found: ReturnType<typeof planOf>
  try {
    found = planOf(url, options)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Complaint(`${error.row.status} ${error.row.type} (${error.code}): ${error.message}`, { cause: error })
  }
  const { route, plan } = found
  const steps = explainPlan(plan)
  if (!process.stdout.isTTY) return printJson({ operation: route.operation, group: route.group, steps })
  const lines = steps.flatMap(({ purpose, get, query, looksFor }, i) => [
    `${i + 1}. ${purpose}${looksFor === undefined ? '' : `: ${looksFor}`}`,
    `   GET ${get}`,
    ...Object.entries(query).map(([name, value]) => `       ${name} = ${value}`),
  ])
  process.stdout.write(`${route.operation} (group ${route.group})\n${lines.join('\n')}\n`)
}
