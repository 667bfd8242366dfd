// Counts each key's requests over a rolling hour and writes the platform's X-Rate-Limit header.
const hourMs = 3_600_000
const perHour = 3600

export interface Allowance {
  // Counts one request; false when the hour's requests are used up. A refused request is not counted.
  readonly take: (keyId: string) => boolean
  readonly header: (keyId: string) => string
}

export function createAllowance(now: () => number): Allowance {
  const taken = new Map<string, number[]>()
  const recent = (keyId: string): number[] => {
    const times = taken.get(keyId) ?? []
    taken.set(keyId, times)
    const since = now() - hourMs
    const gone = times.findIndex((time) => time > since)
    times.splice(0, gone < 0 ? times.length : gone)
    return times
  }
  return {
    take: (keyId) => {
      const times = recent(keyId)
      if (times.length >= perHour) return false
      times.push(now())
      return true
    },
    header: (keyId) => rateHeader(perHour - recent(keyId).length),
  }
}

export function rateHeader(remaining: number): string {
  return `user-hour-lim:${perHour};user-hour-rem:${remaining};`
}
