// The state of a connection, for keys with the group for it. Answered from memory, without a platform call.
import { idsOf, patternOf, readQueryString } from '../../../base/web/target.ts'
import type { Group } from '../catalogue/define.ts'
import type { Connection } from '../connections/connection.ts'
import { type KeyBudget, shownBudget } from './call-budget.ts'
import { shownState } from '../management/connection-state.ts'

export const statusOperation = 'getConnectionStatus'
export const statusGroup: Group = 'status'

const pattern = patternOf('/v1/connections/{connectionId}/status')

export const connectionIn = (path: string): string | undefined => idsOf(pattern, path.split('/'))?.['connectionId']

export function tellStatus(connection: Connection, budget: KeyBudget | undefined, query: string): string {
  readQueryString(query, [])
  return JSON.stringify({ ...shownState(connection), platformCalls: shownBudget(budget) })
}
