// The path that the platform is asked for: a template filled with ids, each one path segment and nothing more.
import { malformed, Problem } from '../problem.ts'
import type { PlatformRead } from './port.ts'

/** Not one that could move the path, or means nothing: empty, control characters, or dots between slashes. */
export const isAddressable = (id: string): boolean =>
  // nearly every id is one of these, and there is nothing to look for in them
  /^[\w-]+$/.test(id) || isAddressableText(id)

const isAddressableText = (id: string): boolean =>
  id !== '' && !/\p{Cc}/u.test(id) && id.isWellFormed() && !id.split('/').some((part) => part === '.' || part === '..')

const hole = /\{(\w+)\}/g

export const holesOf = (template: string): string[] => [...template.matchAll(hole)].map((m) => m[1] ?? '')

/** percent-encoded and otherwise untouched; `encodeURIComponent('..')` is still `..`, hence the check before */
export function fillPath(template: string, ids: Readonly<Record<string, string>>): string {
  if (!template.includes('{')) return template
  const path = template.replace(hole, (_, name: string) => {
    const id = ids[name] ?? ''
    if (!isAddressable(id)) throw new Problem('resource_not_found')
    return encodeURIComponent(id)
  })
  if (path.split('/').length !== template.split('/').length) throw malformed('a filled path changed its shape')
  return path
}

/** the platform answers longer ones with a 500 */
const longestUrl = 4096

export const isTooLong = (origin: string, target: string): boolean =>
  Buffer.byteLength(origin) + target.length > longestUrl

export interface Asked {
  readonly name: string
  readonly value: string
  /** the caller's parameter that it came from */
  readonly given?: string
  /** encoded, where it is always the same */
  readonly encoded?: string
}

const encode = ({ name, value }: Asked): string => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** what is asked again and again: the names of all the fields take longer to encode than the rest of a request */
export const encodedOnce = (asked: Asked): Asked => ({ ...asked, encoded: encode(asked) })

/** One read as it is planned: an endpoint with holes, what fills them, and what is asked. */
export interface Step {
  readonly endpoint: string
  readonly ids: Readonly<Record<string, string>>
  readonly asked: readonly Asked[]
  readonly accept: string
  readonly withheld?: true
}

export const withIds = <S extends Step>(step: S, ids: Step['ids']): S => ({ ...step, ids: { ...step.ids, ...ids } })

/** the id at the end of an endpoint such as `/v1/appEvents/{eventId}`, which the answer must have */
export function lastId({ endpoint, ids }: Step): string | undefined {
  return endpoint.endsWith('}') ? ids[endpoint.slice(endpoint.lastIndexOf('{') + 1, -1)] : undefined
}

/** The planned read as it is sent. */
export function address({ endpoint, ids, asked, accept, withheld }: Step, origin: string): PlatformRead {
  const query = asked.map((one) => one.encoded ?? encode(one)).join('&')
  // a query that is too long by itself is refused before anybody looks at the ids
  if (isTooLong(origin, query)) throw new Problem('request_too_long')
  const path = fillPath(endpoint, ids)
  const target = query === '' ? path : `${path}?${query}`
  if (isTooLong(origin, target)) throw new Problem('request_too_long')
  const given = new Map<string, string>()
  for (const one of asked) if (one.given !== undefined) given.set(one.name, one.given)
  return withheld ? { target, accept, given, withheld } : { target, accept, given }
}
