// Counts each key's requests over a rolling hour and writes the platform's X-Rate-Limit header.
const hourMs = 3_600_000
const perHour = 3600

export type HourlyQuota = ReturnType<typeof createHourlyQuota>

export function createHourlyQuota(now: () => number) {
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
    // Counts one request; false when the hour's requests are used up. A refused request is not counted.
    take: (keyId: string) => {
      const times = recent(keyId)
      if (times.length >= perHour) return false
      times.push(now())
      return true
    },
    header: (keyId: string) => rateHeader(perHour - recent(keyId).length),
  }
}

export const rateHeader = (remaining: number): string => `user-hour-lim:${perHour};user-hour-rem:${remaining};`
