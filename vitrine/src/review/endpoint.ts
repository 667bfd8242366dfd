// Compares an endpoint that the service reads with the document: existence, security, parameters.
import { isJsonObject } from '../../../base/core/json.ts'
import type { ReviewedRequest } from './planned-requests.ts'
import { arrayOf, member, type VendorDocument, type VendorOperation } from './document.ts'
import type { Difference } from './finding.ts'
import { parameterDifferences } from './parameters.ts'
import type { ViewSchema } from './schema.ts'

export interface ReviewContext {
  readonly document: VendorDocument
  readonly view: ViewSchema
  readonly hash: (endpoints: readonly string[]) => string | undefined
}

const isDeprecated = ({ get }: VendorOperation): boolean => member(get, 'deprecated') === true

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : 'unknown')

/** The service sends one bearer token and nothing else. */
function accessDifferences(at: string, { get }: VendorOperation, { security, scheme }: VendorDocument): Difference[] {
  const ways = arrayOf(member(get, 'security') ?? security).filter(isJsonObject)
  const kindOf = (name: string): string =>
    [member(scheme(name), 'type'), member(scheme(name), 'scheme')].filter(Boolean).map(wordOf).join(' ').toLowerCase()
  const kinds = ways.map((way) => Object.keys(way).map(kindOf))
  if (kinds.length === 0 || kinds.some((way) => way.every((kind) => kind === 'http bearer'))) return []
  const theirs = kinds.map((way) => way.join(' and ')).join(' or ')
  return [{ class: 'access-changed', at, ours: 'http bearer', theirs }]
}

/** `isAnswer`: filters and orderings that callers are not offered are findings, too. */
export function endpointDifferences(
  request: ReviewedRequest,
  { document, view }: ReviewContext,
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
