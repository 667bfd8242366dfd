// How a connection stands, for whoever may read it and holds the group for it: told from memory, never asked of the platform.
import type { Group } from '../catalogue/define.ts'
import type { Connection } from '../connections/connection.ts'
import { readGiven } from '../engine/given.ts'
import { idsOf } from './paths.ts'
import { shownState } from './shown-state.ts'

export const statusOperation = 'getConnectionStatus'
export const statusGroup: Group = 'status'

const pattern = '/v1/connections/{id}/status'.split('/')

/** the connection that is asked about; undefined where the path is another */
export const connectionIn = (path: string): string | undefined => idsOf(pattern, path.split('/'))?.['id']

export function tellStatus(connection: Connection, query: string): string {
  readGiven(query, [])
  return JSON.stringify(shownState(connection))
}
