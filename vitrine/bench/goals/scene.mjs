// What one goal uses: platforms, services and callers, all ended with it; and what every goal is asked beside its own figures:
// how much memory the service took at most, and how late the latest answer was.
import { createCaller } from './caller.mjs'
import { startPlatform } from './platform.mjs'
import { startService } from './service.mjs'

export function openScene() {
  const open = []
  const services = []
  let latestMs = 0
  const late = (ms) => (latestMs = Math.max(latestMs, ms))
  const keep = (one) => {
    open.push(one)
    return one
  }
  return {
    late,
    platform: async (rules) => keep(await startPlatform(rules)),
    async service(options) {
      const service = keep(await startService(options))
      services.push(service)
      return service
    },
    caller: ({ origin, key }, more = {}) => keep(createCaller({ origin, key, late, ...more })),
    latestMs: () => latestMs,
    peakMiB: () => Math.max(0, ...services.map((service) => service.peakMiB())),
    crashed: () => services.filter((service) => service.crashed()).length,
    async close() {
      for (const one of open.toReversed()) await one.close()
    },
  }
}

/** different ids, so that no two requests under way are equal and become one call */
export const assetPath =
  (connection, start = 0) =>
  (number) =>
    `/v1/connections/${connection}/background-assets/asset-${start + number}`
