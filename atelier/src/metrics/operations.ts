// The operations that requests are counted by.
import { pageOperation } from '../api/server.ts'
import { metricsOperation } from '../operator/operator-server.ts'
import { routes } from '../routes/index.ts'

export const operations: readonly string[] = [
  ...routes.map(({ operationId }) => operationId),
  pageOperation,
  metricsOperation,
]
