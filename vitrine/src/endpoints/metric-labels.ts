// The values that labels of metrics can have, so that their number is bounded.
import type { Route } from '../catalogue/define.ts'
import { problems } from '../problems.ts'
import { consolePaths } from '../operator/console-pages.ts'
import { operations } from '../management/operations.ts'
import { agentsOperation } from '../public/authorize.ts'
import { publicPages } from '../pages/pages.ts'
import { statusOperation } from '../public/status.ts'

export const metricLabels = (routes: readonly Route[]) => ({
  operations: [
    ...routes.map(({ operation }) => operation),
    'whoami',
    agentsOperation,
    statusOperation,
    ...publicPages.map(({ name }) => name),
    ...consolePaths,
    ...operations.map(({ operationId }) => operationId),
  ],
  types: routes.map(({ type }) => type),
  problems,
})
