// The way from a request path to one of the reads that the sandbox answers.
import { linkages } from './linkages.ts'
import { endpoints as reads } from './reads.ts'
import { waysIn } from './ways-in.ts'

export const endpoints = [...linkages, ...reads, ...waysIn]

const byPath = new Map(endpoints.map((each) => [each.path, each]))
const knownNames = new Set(endpoints.flatMap((each) => [...each.parameters.keys()]))
const knownOwners = new Set(endpoints.map((each) => each.path.split('/')[2] ?? ''))

// Every path has at most one id, always in third place.
export function findEndpoint(path: string) {
  const segments = path.split('/')
  const id = decodeId(segments[3])
  if (id === undefined) return undefined
  if (segments.length > 3) segments[3] = '{id}'
  const endpoint = byPath.get(segments.join('/'))
  return endpoint === undefined ? undefined : { endpoint, id }
}

export const isParameterSomewhere = (name: string): boolean => knownNames.has(name)

export const isOwnerType = (name: string): boolean => knownOwners.has(name)

function decodeId(segment: string | undefined): string | undefined {
  if (segment === undefined) return ''
  try {
    return segment === '' ? undefined : decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
