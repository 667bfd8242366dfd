// The platform calls of a request, as data: at most one lookup (a locale or a membership), then the read.
// Builds their URLs: a path template filled with ids, each exactly one path segment.
import type { Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { Problem, malformed } from '../problems.ts'
import { encode, isTooLong, namesAsked, type PlanInput, type QueryParameter, readAsked } from './asked.ts'
import type { Purpose, PlatformRead } from './port.ts'

export type { PlanInput, QueryParameter } from './asked.ts'

/** false for ids that could change the path, or mean nothing: empty, control characters, dot segments */
export const isAddressable = (id: string): boolean => /^[\w-]+$/.test(id) || isAddressableText(id)

const isAddressableText = (id: string): boolean =>
  id !== '' && !/\p{Cc}/u.test(id) && id.isWellFormed() && !id.split('/').some((part) => part === '.' || part === '..')

const hole = /\{(\w+)\}/g

const splitTemplates = new Map<string, readonly string[]>()

/** text, name, text, name, text */
function partsOf(template: string): readonly string[] {
  const known = splitTemplates.get(template)
  if (known) return known
  const parts = template.split(hole)
  splitTemplates.set(template, parts)
  return parts
}

export const placeholdersOf = (template: string): string[] => partsOf(template).filter((_, at) => at % 2 === 1)

/** `encodeURIComponent('..')` is still `..`, hence the check before */
export function fillPath(template: string, ids: Readonly<Record<string, string>>): string {
  const parts = partsOf(template)
  let path = parts[0] ?? ''
  for (let i = 1; i < parts.length; i += 2) {
    const id = ids[parts[i] ?? ''] ?? ''
    if (!isAddressable(id)) throw new Problem('resource_not_found')
    const segment = encodeURIComponent(id)
    if (segment.includes('/')) throw malformed('an id changed the shape of a path')
    path += segment + (parts[i + 1] ?? '')
  }
  return path
}

export interface Step {
  readonly endpoint: string
  readonly ids: Readonly<Record<string, string>>
  readonly asked: readonly QueryParameter[]
  readonly accept: string
  readonly withheld?: true
}

export const withIds = <S extends Step>(step: S, ids: Step['ids']): S => ({ ...step, ids: { ...step.ids, ...ids } })

/** the id at the end of an endpoint such as `/v1/appEvents/{eventId}`; the answer must have it */
export function lastId({ endpoint, ids }: Step): string | undefined {
  return endpoint.endsWith('}') ? ids[endpoint.slice(endpoint.lastIndexOf('{') + 1, -1)] : undefined
}

/** a comma in a filter would name two parents */
const isOneValue = (id: string): boolean => isAddressable(id) && !id.includes(',')

const nothingGiven: PlatformRead['given'] = new Map()

export function buildRead({ endpoint, ids, asked, accept, withheld }: Step, origin: string): PlatformRead {
  if (asked.some(({ isId, value }) => isId && !isOneValue(value))) throw new Problem('resource_not_found')
  const query = asked.map((one) => one.encoded ?? encode(one)).join('&')
  if (isTooLong(origin, query)) throw new Problem('request_too_long')
  const path = fillPath(endpoint, ids)
  const target = query === '' ? path : `${path}?${query}`
  if (isTooLong(origin, target)) throw new Problem('request_too_long')
  let given: Map<string, string> | undefined
  for (const one of asked) if (one.given !== undefined) (given ??= new Map()).set(one.name, one.given)
  const read = { target, accept, given: given ?? nothingGiven }
  return withheld ? { ...read, withheld } : read
}

export interface Lookup extends Step {
  readonly purpose: Exclude<Purpose, 'answer' | 'ownership'>
  readonly type: string
  readonly wanted: string
}

export interface Plan {
  readonly lookup?: Lookup
  readonly read: Step
}

const json = 'application/json'

function planLookup(route: Route, ids: PlanInput['ids']): Lookup | undefined {
  const { guard, resolve, owner, through } = route.from
  const limit = { name: 'limit', value: String(pageSize.most) }
  if (resolve) {
    const asked = [{ name: `fields[${resolve.type}]`, value: 'locale' }, limit]
    const wanted = ids['locale'] ?? ''
    return { purpose: 'locale', endpoint: resolve.locale, ids, asked, accept: json, type: resolve.type, wanted }
  }
  if (guard) {
    const wanted = ids[guard.child] ?? ''
    return { purpose: 'membership', endpoint: guard.isIn, ids, asked: [limit], accept: json, type: guard.type, wanted }
  }
  if (owner) {
    const [wanted, asked] = [ids[owner.id] ?? '', [namesAsked(owner.type, [owner.cheapest])]]
    return { purpose: 'owner', endpoint: owner.read, ids, asked, accept: json, type: owner.type, wanted }
  }
  if (through) {
    const asked = [namesAsked(through.type, [through.cheapest]), limit]
    return { purpose: 'parents', endpoint: through.list, ids, asked, accept: json, type: through.type, wanted: '' }
  }
  return undefined
}

export function planReads(route: Route, wishes: PlanInput): Plan {
  const { read, bare } = route.from
  const lookup = planLookup(route, wishes.ids)
  const step = { endpoint: read, ids: wishes.ids, asked: readAsked(route, wishes), accept: bare?.mediaType ?? json }
  const withheld = route.neverCached !== undefined
  return { ...(lookup && { lookup }), read: withheld ? { ...step, withheld } : step }
}

/** as long as most ids of the platform */
const unknownId = 'x'.repeat(36)

/** refuses ids that are not one path segment, and URLs that are too long for the platform */
export function checkStep(step: Step, origin: string) {
  const unknown: Record<string, string> = {}
  for (const name of placeholdersOf(step.endpoint)) if (!Object.hasOwn(step.ids, name)) unknown[name] = unknownId
  buildRead(withIds(step, unknown), origin)
}

export function checkPlan({ lookup, read }: Plan, origin: string) {
  if (lookup) checkStep(lookup, origin)
  checkStep(read, origin)
  if (lookup?.purpose === 'locale' && !isAddressable(lookup.wanted)) throw new Problem('localization_not_found')
}
