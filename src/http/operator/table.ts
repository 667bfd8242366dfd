// The table of operations, and how a path and a method find their row in it.
import { connectionOperations } from './connections.ts'
import { doctorOperations } from './doctor.ts'
import { eventsOperation } from './events.ts'
import { healthOperation } from './health.ts'
import { keyOperations } from './keys.ts'
import type { Operation } from './operation.ts'
import { overviewOperation } from './overview.ts'
import { sessionOperations } from './session.ts'
import { readingOperations } from './reads.ts'
import { standingOperations } from './standing.ts'
import { lookingOperations } from './vault-and-audit.ts'

export const operations: readonly Operation[] = [
  ...connectionOperations,
  ...keyOperations,
  ...lookingOperations,
  ...standingOperations,
  ...[overviewOperation, healthOperation, eventsOperation],
  ...sessionOperations,
  ...readingOperations,
  ...doctorOperations,
]

export interface Found {
  /** of this path; never empty */
  readonly operations: readonly Operation[]
  /** `{id}`, decoded once; empty where the path has none */
  readonly id: string
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const byPath = Map.groupBy(operations, ({ path }) => path)
const templates = [...byPath].map(([path, rows]) => ({ pattern: path.split('/'), rows }))

/** undefined where no operation has this path */
export function findPath(path: string): Found | undefined {
  const segments = path.split('/')
  for (const { pattern, rows } of templates) {
    if (pattern.length !== segments.length) continue
    if (!pattern.every((part, i) => part === '{id}' || part === segments[i])) continue
    const at = pattern.indexOf('{id}')
    const id = at < 0 ? '' : decode(segments[at] ?? '')
    return id === undefined ? undefined : { operations: rows, id }
  }
  return undefined
}

/** HEAD goes where GET does */
export const methodsOf = ({ operations: rows }: Found): string[] =>
  rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

export const operationFor = ({ operations: rows }: Found, method: string): Operation | undefined =>
  rows.find((row) => row.method === (method === 'HEAD' ? 'GET' : method))
