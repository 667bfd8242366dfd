// An endpoint that is asked, held against the document: whether it is there, how it is opened, what it is sent.
import { accessDifferences } from './access.ts'
import type { Request } from './asked.ts'
import { member, type Operation, type VendorDocument } from './document.ts'
import type { Difference } from './finding.ts'
import { parameterDifferences } from './parameters.ts'
import type { Views } from './schema.ts'

export interface Bench {
  readonly document: VendorDocument
  readonly view: Views
  readonly hash: (endpoints: readonly string[]) => string | undefined
}

const isDeprecated = ({ get }: Operation): boolean => member(get, 'deprecated') === true

/** an endpoint that is asked, whoever asks it; `isAnswer`: what callers could be offered counts, too */
export function endpointDifferences(
  request: Request,
  { document, view }: Pick<Bench, 'document' | 'view'>,
  isAnswer: boolean,
): Difference[] {
  const { endpoint: at } = request
  const operation = document.operation(at)
  if (!operation) return [{ class: 'endpoint-absent', at }]
  return [
    ...(isDeprecated(operation) ? [{ class: 'endpoint-deprecated', at } as const] : []),
    ...accessDifferences(at, operation, document),
    ...parameterDifferences(request, operation, view, isAnswer),
  ]
}
