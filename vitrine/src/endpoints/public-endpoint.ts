// Puts the public endpoint together: what reads stand on, the limits of the settings, the rates and caches that replicas share.
import type { Agents } from '../agents/over-http.ts'
import { createBadKeys } from '../../../base/auth/rate-limits.ts'
import { createHosts } from '../../../base/web/request-checks.ts'
import { createRequestLimit } from '../../../base/web/request-limit.ts'
import type { HttpServer, ServerOptions } from '../../../base/web/server.ts'
import { type Address, isLoopback } from '../../../base/core/setting-values.ts'
import type { Route } from '../catalogue/define.ts'
import type { Core } from '../core/core.ts'
import { lazyDescription, once } from '../derive/derived-texts.ts'
import { createCursors } from '../engine/cursor.ts'
import type { Observe } from '../events.ts'
import { createAnswers, createListingMemories, createLookupCaches } from '../reads/caches.ts'
import { createPublicServer, type PublicServerParts } from '../public/public-server.ts'
import { createSharedReads, type Reading } from '../reads/reads.ts'
import type { Shared } from '../replicas/shared.ts'
import type { Settings } from '../settings.ts'
import { version } from '../version.ts'

/** Behind a proxy, on an address that is not loopback, the proxy checks the host, and probes use addresses. */
export const hostsAt = (listen: Address, ownUrl: string | undefined) =>
  isLoopback(listen) ? createHosts(ownUrl) : undefined

/** loaded at the first request of an agent */
async function openAgents(routes: readonly Route[]): Promise<Agents> {
  const { createAgents } = await import('../agents/over-http.ts')
  return createAgents({ routes, version })
}

interface ReadingParts extends Pick<Reading, 'giveUp' | 'steady' | 'observe'> {
  readonly now: () => number
  readonly cursorKey: Uint8Array
  readonly shared: Shared
}

/** What both endpoints read with: they have their caches in common, and take each other's cursors. */
export function openReading(core: Core, settings: Settings, parts: ReadingParts): Reading {
  const { now, cursorKey, shared, ...rest } = parts
  const { steady, observe } = rest
  const { origin } = core.platform
  const cursors = createCursors(cursorKey, now)
  return {
    ...rest,
    cursors,
    lookups: createLookupCaches(steady),
    listings: createListingMemories(steady),
    sharedReads: createSharedReads(steady, observe),
    // a replica of another version may give other answers
    answers: createAnswers({
      cacheSeconds: settings.cacheSeconds,
      cursors,
      steady,
      shared: shared.shelfOf(`${version} ${origin}`),
    }),
    origin,
    timeoutMs: settings['upstream.timeoutMs'],
  }
}

interface PublicParts
  extends
    ServerOptions,
    Reading,
    Pick<PublicServerParts, 'stopping' | 'ready' | 'reference' | 'requireRoom' | 'match' | 'traces'> {
  readonly now: () => number
  readonly routes: readonly Route[]
  /** notes what the audit of reads notes, too */
  readonly observeReads: Observe
  readonly heapInUse: (() => number) | undefined
  readonly shared: Shared
}

export function openPublicEndpoint(core: Core, settings: Settings, parts: PublicParts): HttpServer {
  const { routes, observe, observeReads, heapInUse: sample, shared, ...rest } = parts
  const { steady } = rest
  return createPublicServer({
    ...rest,
    keys: core.keys,
    connections: core.connections,
    hosts: hostsAt(settings.listen, settings.publicUrl),
    badKeys: createBadKeys({ most: settings['rateLimit.failuresPerMinute'], replicas: shared.presence.count, steady }),
    requestLimit: createRequestLimit({ most: settings['limits.requests'], sample, steady, observe }),
    rates: shared.ratesOf(settings['rateLimit.perMinute']),
    budgets: shared.budgets,
    description: lazyDescription(routes),
    agents: once(() => openAgents(routes)),
    publicUrl: settings.publicUrl,
    observe: observeReads,
  })
}
