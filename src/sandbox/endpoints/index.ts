// Every read the sandbox answers, and the way from a request path to one of them.
import { appEndpoints } from './apps.ts'
import { buildEndpoints } from './builds.ts'
import { commerceEndpoints } from './commerce.ts'
import type { Endpoint } from './endpoint.ts'
import { marketingEndpoints } from './marketing.ts'

export const endpoints: readonly Endpoint[] = [
  ...appEndpoints,
  ...buildEndpoints,
  ...marketingEndpoints,
  ...commerceEndpoints,
]

const byPath: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((each) => [each.path, each]))
const knownNames: ReadonlySet<string> = new Set(endpoints.flatMap((each) => [...each.parameters.keys()]))
const knownOwners: ReadonlySet<string> = new Set(endpoints.map((each) => each.path.split('/')[2] ?? ''))

// Every path has at most one id, always in third place.
export function findEndpoint(path: string): { endpoint: Endpoint; id: string } | undefined {
  const segments = path.split('/')
  const id = decodeId(segments[3])
  if (id === undefined) return undefined
  if (segments.length > 3) segments[3] = '{id}'
  const endpoint = byPath.get(segments.join('/'))
  return endpoint === undefined ? undefined : { endpoint, id }
}

export function isParameterSomewhere(name: string): boolean {
  return knownNames.has(name)
}

export function isOwnerType(name: string): boolean {
  return knownOwners.has(name)
}

function decodeId(segment: string | undefined): string | undefined {
  if (segment === undefined) return ''
  try {
    return segment === '' ? undefined : decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
