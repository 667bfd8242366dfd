// The only file that knows every part: from settings to a service that can listen at both of its doors. Long because each
// part has its lines here.
import { setMaxListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Route } from './catalogue/define.ts'
import { routes as ours } from './catalogue/index.ts'
import examples from './derive/examples.json' with { type: 'json' }
import { describe, version } from './derive/openapi.ts'
import { createCursors } from './engine/cursor.ts'
import { createProxies } from './http/address.ts'
import { createPublicDoor } from './http/app.ts'
import { createBadKeys } from './http/bad-keys.ts'
import { checkCacheGroups, createAnswers } from './http/cache.ts'
import { boundsOf } from './http/bounds.ts'
import type { Bounds, OpenDoor } from './http/framework.ts'
import { createMemories } from './http/memories.ts'
import { describeOperator } from './http/operator/description.ts'
import { createOperatorDoor } from './http/operator/door.ts'
import { createMatcher } from './http/paths.ts'
import { createPlaces } from './http/places.ts'
import type { Keys } from './keys/keys.ts'
import { createOperatorTokens } from './keys/operator-token.ts'
import { createRates } from './keys/rate.ts'
import { createMetrics, type Metrics, noMetrics } from './metrics.ts'
import type { Observe } from './observe.ts'
import { type Office, type OfficeOptions, openOffice, type Secrets, within } from './office.ts'
import { Problem } from './problem.ts'
import { createReadAudit, noReadAudit } from './read-audit.ts'
import { type Address, changedOutside, type Settings } from './settings.ts'
import { createTraces } from './traces.ts'

export interface House {
  /** starts to listen, and answers the addresses */
  listen(): Promise<{ url: string; operatorUrl?: string }>
  /**
   * Serves the connections of these settings; where they are wrong, those that were served before. False where it was not
   * the settings' fault, and should be tried again.
   */
  reload(read: () => Settings): Promise<boolean>
  /** readiness goes first, and callers are still served for the grace; then requests under way finish, and nobody new is let in */
  close(how?: { graceMs?: number }): Promise<void>
  readonly keys: Keys
  /** counts what happens outside the house */
  readonly note: Observe
  /** ids of all that are there now */
  connections(): Promise<readonly string[]>
}

export interface Surroundings {
  /** the folder that relative paths of the settings start at */
  readonly folder: string
  readonly observe: Observe
  readonly secrets?: Secrets
  readonly routes?: readonly Route[]
  readonly now?: () => number
  /** milliseconds of a clock that nobody sets */
  readonly steady?: () => number
  /** the share of the heap that is in use */
  readonly heapInUse?: () => number
}

/** how long the last requests may wait for the platform when the service stops */
const patienceMs = 9_000
/** and how long their answers may then take to leave */
const unsentMs = 2_000

const unaudited = 'the audit of reads cannot be written'

const urlOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

async function listenAt({ app }: OpenDoor, { host, port }: Address): Promise<string> {
  await app.listen({ host, port })
  return urlOf(app.server.address() as AddressInfo)
}

const isLoopback = ({ host }: Address): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

function openTokens(settings: Settings, { folder, secrets, observe }: Surroundings) {
  const { operatorListen, operatorTokenFile } = settings
  const tokens = createOperatorTokens({
    ...(secrets?.operatorToken !== undefined && { fixed: secrets.operatorToken }),
    ...(operatorTokenFile !== undefined && { file: within(folder, operatorTokenFile) }),
    observe,
  })
  if (operatorListen !== 'off' && !isLoopback(operatorListen) && !tokens.given)
    throw new Error(
      `operatorListen: the operator's door would be open to the network at ${operatorListen.host} without a token. Set VITRINE_OPERATOR_TOKEN or operatorTokenFile, or listen on loopback, or set it to off.`,
    )
  return tokens
}

/** with the key that seals cursors */
async function openLoaded(settings: Settings, options: OfficeOptions): Promise<[Office, Uint8Array]> {
  const office = await openOffice(settings, options)
  try {
    await office.load(settings)
    return [office, await office.store.secret('cursor')]
  } catch (error) {
    await office.close()
    throw error
  }
}

async function reload(read: () => Settings, settings: Settings, office: Office, observe: Observe) {
  try {
    const fresh = read()
    checkCacheGroups(fresh)
    await office.load(fresh)
    const count = (await office.connections.ids()).length
    observe({ kind: 'reloaded', connections: count, needRestart: changedOutside(settings, fresh) })
    return true
  } catch (error) {
    const isOurs = error instanceof Problem
    observe({ kind: 'reload_refused', reason: isOurs ? String(error.cause) : (error as Error).message })
    return !isOurs
  }
}

/** Opens everything that can fail before a port is bound, so that a wrong setting never half starts. */
export async function openHouse(settings: Settings, surroundings: Surroundings): Promise<House> {
  const { routes = ours, now = Date.now, steady = () => performance.now(), folder, secrets = {} } = surroundings
  checkCacheGroups(settings)
  const metrics = settings.operatorListen === 'off' ? noMetrics : createMetrics(boundsOf(routes))
  const observe: Observe = (event) => {
    metrics.note(event)
    surroundings.observe(event)
  }
  const tokens = openTokens(settings, { ...surroundings, observe })
  const [office, cursorKey] = await openLoaded(settings, { folder, secrets, observe, now, steady })
  const { keys, connections, store, platform } = office
  const readAudit = settings['audit.reads'] ? createReadAudit(store.audit, now, observe) : noReadAudit
  const cursors = createCursors(cursorKey, now)
  let stopping = false
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const standing = {
    stopping: () => stopping,
    ready: async () => {
      if (stopping) throw new Problem('stopping')
      if (!readAudit.accepting()) throw new Problem('store_unavailable', { cause: unaudited })
      await store.check()
    },
    now,
    proxies: createProxies(settings.trustedProxies),
    connectionsPerAddress: settings['limits.connectionsPerAddress'],
  }
  const publicDoor = createPublicDoor({
    ...standing,
    keys,
    connections,
    badKeys: createBadKeys({ most: settings['rateLimit.failuresPerMinute'], steady }),
    places: createPlaces({ most: settings['limits.requests'], sample: surroundings.heapInUse, steady, observe }),
    rates: createRates(settings['rateLimit.perMinute']),
    match: createMatcher(routes),
    accepting: readAudit.accepting,
    cursors,
    answers: createAnswers({ cacheSeconds: settings.cacheSeconds, cursors, steady, now }),
    steady,
    memories: createMemories(steady),
    origin: platform.origin,
    timeoutMs: settings['upstream.timeoutMs'],
    traces: createTraces(settings.traces),
    description: JSON.stringify(describe(routes, examples)),
    giveUp: stop.signal,
    observe: (event) => {
      observe(event)
      readAudit.note(event)
    },
  })
  const operatorDoor =
    settings.operatorListen === 'off' ? undefined : openOperatorDoor(office, metrics, { ...standing, tokens, observe })
  const doors = operatorDoor ? [publicDoor, operatorDoor] : [publicDoor]
  return {
    keys,
    note: metrics.note,
    connections: () => connections.ids(),
    async listen() {
      const url = await listenAt(publicDoor, settings.listen)
      const { operatorListen: second } = settings
      const at = operatorDoor && second !== 'off' ? { url, operatorUrl: await listenAt(operatorDoor, second) } : { url }
      const count = (await connections.ids()).length
      observe({ kind: 'started', ...at, connections: count, node: process.version })
      return at
    },
    reload: (read) => reload(read, settings, office, observe),
    async close({ graceMs = 0 } = {}) {
      stopping = true
      await setTimeout(graceMs)
      const late = globalThis.setTimeout(() => stop.abort(), patienceMs)
      await Promise.all(doors.map(({ drain }) => drain(patienceMs + unsentMs)))
      clearTimeout(late)
      await Promise.all(doors.map(({ app }) => app.close()))
      await readAudit.close()
      await office.close()
    },
  }
}

type Standing = Bounds &
  Pick<Parameters<typeof createOperatorDoor>[0], 'stopping' | 'ready' | 'now' | 'tokens' | 'observe'>

function openOperatorDoor(office: Office, metrics: Metrics, standing: Standing): OpenDoor {
  const { keys, desk, rotation, store, connections } = office
  const begunMs = performance.now()
  return createOperatorDoor({
    ...standing,
    ...{ keys, desk, rotation, audit: store.audit, connections },
    metrics: () => metrics.text(connections.opened()),
    service: { version, startedAt: standing.now(), uptimeMs: () => performance.now() - begunMs },
    description: JSON.stringify(describeOperator()),
  })
}
