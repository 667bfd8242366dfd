// `vitrine explain`: the plan of a request, without asking anything of anyone.
import type { Route } from '../catalogue/define.ts'
import { routes as ours } from '../catalogue/index.ts'
import { connectionPath } from '../catalogue/parameters.ts'
import type { Cursors } from '../engine/cursor.ts'
import { explainPlan } from '../engine/explain.ts'
import { placeAt } from '../engine/place.ts'
import { checkPlan } from '../engine/plan.ts'
import { planQuestion } from '../engine/question.ts'
import { createMatcher, splitTarget } from '../http/paths.ts'
import { Problem } from '../problem.ts'
import { settingsTable } from '../settings.ts'
import { Complaint } from './complaint.ts'
import { printJson } from './output.ts'

/** a cursor is sealed for the service alone */
const sealed: Cursors = {
  open: () => placeAt('(from the cursor, which is not checked here)'),
  seal: (_walk, { cursor }) => cursor,
}

export interface ExplainOptions {
  readonly linkage?: boolean
}

/** Throws the Problem that the service would answer. Only a cursor is not looked into. */
export function planOf(url: string, { linkage = false }: ExplainOptions = {}, routes: readonly Route[] = ours) {
  const { path, query: raw } = splitTarget(url)
  const match = createMatcher(routes)
  const found = match(path) ?? match(`${connectionPath.replace(/\{\w+\}/, 'any')}${path}`)
  if (!found) throw new Problem('route_not_found')
  const { plan } = planQuestion({ ...found, account: '', query: raw }, { cursors: sealed, linkage })
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
