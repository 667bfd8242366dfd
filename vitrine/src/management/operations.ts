// All operations of management, in the order of the description.
import { createOperationTable } from '../../../base/operations/operation.ts'
import { connectionOperations } from './connection-operations.ts'
import { doctorOperations } from './doctor-operations.ts'
import { keyOperations } from './key-operations.ts'
import type { ManagementOperation } from './operation.ts'
import { overviewOperation } from './overview.ts'
import { sessionOperations } from './session-operations.ts'
import { providerOperations } from './provider-operations.ts'
import { mayDo, type Role } from './roles.ts'
import { readingOperations } from './explorer-operations.ts'
import { eventsOperation, healthOperation, statusOperations, usageOperation } from './status-operations.ts'
import { vaultAndAuditOperations } from './vault-and-audit.ts'

export const operations: readonly ManagementOperation[] = [
  ...connectionOperations,
  ...keyOperations,
  ...vaultAndAuditOperations,
  ...statusOperations,
  overviewOperation,
  healthOperation,
  usageOperation,
  eventsOperation,
  ...sessionOperations,
  ...providerOperations,
  ...readingOperations,
  ...doctorOperations,
]

export const operationsOf = (role: Role): readonly string[] =>
  operations.filter((operation) => mayDo(role, operation)).map(({ operationId }) => operationId)

export const findOperation = createOperationTable(operations)
