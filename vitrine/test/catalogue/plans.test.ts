import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import type { Route } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { planOf } from '../../src/commands/explain.ts'
import { explainPlan } from '../../src/engine/explain.ts'

const golden = 'test/golden/plans.txt'

const written = (plan: Parameters<typeof explainPlan>[0]): string[] =>
  explainPlan(plan).flatMap(({ get, query, accept }) => [
    `  GET ${get}${accept === 'application/json' ? '' : `  (${accept})`}`,
    ...Object.entries(query).map(([name, value]) => `      ${name}=${value}`),
  ])

/** the example, and for routes with linkages the same with linkages requested */
function plansOf(route: Route): string[] {
  const { plan } = planOf(route.example)
  const asked = planOf(route.example.split('?', 1)[0] ?? '', { linkage: true }).plan
  const links = Object.keys(route.returns?.links ?? {}).length
  return [
    `${route.number}. ${route.operation} ${route.example}`,
    ...written(plan),
    ...(links > 0 ? ['  with linkage "asked":', ...written(asked)] : []),
  ]
}

test('the platform calls of each route equal those in the golden file', () => {
  const text = `${routes.flatMap(plansOf).join('\n')}\n`
  if (process.env['UPDATE_GOLDEN']) writeFileSync(golden, text)
  assert.equal(text, readFileSync(golden, 'utf8'), 'the platform calls have changed; UPDATE_GOLDEN=1 rewrites the file')
})
