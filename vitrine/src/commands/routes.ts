// `vitrine routes`: lists the routes.
import type { Route } from '../catalogue/define.ts'
import { routes as ours } from '../catalogue/index.ts'
import { printRows } from '../../../base/cli/output.ts'

export const rowOf = ({ number, operation, group, path, reviewed, from, isBeyond }: Route) => ({
  number,
  contract: isBeyond ? 'beyond' : 'yes',
  operation,
  group,
  path,
  reviewed: [reviewed.version, reviewed.date, reviewed.hash].filter((part) => part !== undefined).join(' '),
  endpoint: from.read,
})

export function routes(listed: readonly Route[] = ours) {
  const rows = listed.map(rowOf)
  printRows(rows, rows, 'There are no routes.')
}
