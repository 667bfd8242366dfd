// Every name that can stand for what was asked at either door, and what else is bounded: a metric's label has no other.
import type { Route } from '../catalogue/define.ts'
import { problems } from '../problem.ts'
import { consolePaths } from './operator/console-pages.ts'
import { operations } from './operator/table.ts'
import { agentsOperation } from './caller.ts'
import { openPaths } from './pages.ts'
import { statusOperation } from './status.ts'

export const boundsOf = (routes: readonly Route[]) => ({
  operations: [
    ...routes.map(({ operation }) => operation),
    ...['whoami', agentsOperation, statusOperation, ...openPaths, ...consolePaths],
    ...operations.map(({ operationId }) => operationId),
  ],
  types: routes.map(({ type }) => type),
  problems,
})
