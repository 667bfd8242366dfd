// `vitrine explain`: prints the platform calls of a request without making any.
import type { Route } from '../catalogue/define.ts'
import { routes as ours } from '../catalogue/index.ts'
import { connectionPath } from '../catalogue/parameters.ts'
import { appScopeOf } from '../catalogue/ownership.ts'
import { withoutPersonal } from '../catalogue/personal.ts'
import type { Cursors } from '../engine/cursor.ts'
import { explainPlan, explainProof } from '../engine/explain.ts'
import { positionAt } from '../engine/position.ts'
import { checkPlan } from '../engine/plan.ts'
import { planRequest } from '../engine/answer.ts'
import { splitTarget } from '../../../base/web/target.ts'
import { createMatcher } from '../engine/request.ts'
import { Problem } from '../problems.ts'
import { readSettings } from '../settings.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { printJson } from '../../../base/cli/output.ts'

/** only the service can open a cursor, so it is not checked here */
const sealed: Cursors = {
  open: () => positionAt('(from the cursor, which is not checked here)'),
  seal: (_walk, { cursor }) => cursor,
}

interface ExplainOptions {
  readonly linkage?: boolean
  readonly withoutPersonal?: boolean
  /** as for a key for some apps */
  readonly apps?: boolean
}

/** Throws the Problem that the service would answer. */
export function planOf(url: string, options: ExplainOptions = {}, routes: readonly Route[] = ours) {
  const { linkage = false, withoutPersonal: isReduced = false, apps = false } = options
  const { path, query: raw } = splitTarget(url)
  const match = createMatcher(routes)
  const found = match(path) ?? match(`${connectionPath.replace(/\{\w+\}/, 'any')}${path}`)
  if (!found) throw new Problem('route_not_found')
  const { refused } = appScopeOf(found.route)
  if (apps && refused !== undefined) throw new Problem('route_not_for_apps', { message: refused })
  const route = isReduced ? withoutPersonal(found.route) : found.route
  const { plan } = planRequest({ ...found, route, account: '', query: raw }, { cursors: sealed, linkage })
  checkPlan(plan, readSettings({}, {})['upstream.baseUrl'])
  return { route: found.route, plan }
}

export function explain(url: string, options: ExplainOptions) {
  let found: ReturnType<typeof planOf>
  try {
    found = planOf(url, options)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new UserError(`${error.row.status} ${error.row.type} (${error.code}): ${error.message}`, { cause: error })
  }
  const { route, plan } = found
  const steps = [...(options.apps ? explainProof(route) : []), ...explainPlan(plan)]
  if (!process.stdout.isTTY) return printJson({ operation: route.operation, group: route.group, steps })
  const lines = steps.flatMap(({ purpose, get, query, looksFor }, i) => [
    `${i + 1}. ${purpose}${looksFor === undefined ? '' : `: ${looksFor}`}`,
    `   GET ${get}`,
    ...Object.entries(query).map(([name, value]) => `       ${name} = ${value}`),
  ])
  process.stdout.write(`${route.operation} (group ${route.group})\n${lines.join('\n')}\n`)
}
