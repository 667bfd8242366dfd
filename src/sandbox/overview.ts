// The performance overview is a bare document outside JSON:API; this narrows one to the asked device types.
// Its content is the studio's; its media type is checked in media-type.ts.
import type { Value } from './store.ts'

export const overviewMediaType = 'application/vnd.apple.xcode-overview+json'

export function narrowOverview(overview: Value, deviceType: string | undefined): Value {
  return deviceType === undefined ? overview : (narrow(overview, deviceType) ?? overview)
}

// Device identifiers such as iPhone15,2 hold a comma themselves, so the list is searched instead of split.
function isAsked(device: Value | undefined, deviceType: string): boolean {
  return typeof device !== 'string' || `,${deviceType},`.includes(`,${device},`)
}

function narrow(value: Value, deviceType: string): Value | undefined {
  if (Array.isArray(value)) {
    return value.map((item) => narrow(item, deviceType)).filter((item) => item !== undefined)
  }
  if (value === null || typeof value !== 'object') return value
  const members = value as { readonly [name: string]: Value }
  const criteria = members['filterCriteria'] as { readonly device?: Value } | undefined
  if (!isAsked(members['device'], deviceType)) return undefined
  if (!isAsked(criteria?.device, deviceType)) return undefined
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      name === 'filterCriteria' ? member : (narrow(member, deviceType) ?? null),
    ]),
  )
}
