// The only file that knows every part: from settings to a service that can listen at both of its doors. Long because each
// part has its lines here.
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Agents } from './agents/over-http.ts'
import type { Route } from './catalogue/define.ts'
import { routes as ours } from './catalogue/index.ts'
import { madeOnce, serveDescription, serveReference } from './derive/served.ts'
import { version } from './derive/version.ts'
import { Finale } from './ending.ts'
import { createCursors } from './engine/cursor.ts'
import { createProxies } from './http/address.ts'
import { createPublicDoor, type PublicDoor } from './http/app.ts'
import { type BadKeysOptions, createBadKeys } from './http/bad-keys.ts'
import { checkCacheGroups, createAnswers } from './http/cache.ts'
import type { Bounds, OpenDoor } from './http/framework.ts'
import { createMemories } from './http/memories.ts'
import type { OperatorDoor } from './http/operator/door.ts'
import type { ShownWorker } from './http/operator/operation.ts'
import { createMatcher } from './http/paths.ts'
import { createPlaces } from './http/places.ts'
import type { Keys } from './keys/keys.ts'
import { createOperatorTokens } from './keys/operator-token.ts'
import { createRates, type Rates } from './keys/rate.ts'
import type { Others } from './metric-sums.ts'
import type { Metrics, Standing } from './metrics.ts'
import type { Observe } from './observe.ts'
import { type Office, type OfficeOptions, openOffice, type Secrets, within } from './office.ts'
import { Problem } from './problem.ts'
import { createReadAudit, noReadAudit } from './read-audit.ts'
import { isLoopback } from './setting-values.ts'
import { type Address, changedOutside, type Settings } from './settings.ts'
import { openTraces } from './traces.ts'

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
  /** opens the connections of these settings, which are served once the answer is called */
  prepare(settings: Settings): Promise<() => void>
  /** what this process has counted, and which connections are open in it: for the one that tells of all */
  readonly counted: Metrics['counted']
  readonly opened: () => readonly Standing[]
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
  /** who takes turns at a platform key, where that is decided for all processes of the service */
  readonly governorOf?: OfficeOptions['governorOf']
  /** set in one of the processes that answer callers: it has no operator's door */
  readonly worker?: WorkerParts
  /** set in the process that starts those: it has no public door */
  readonly crew?: Workers
}

/** what is kept for all workers in one place */
export interface WorkerParts {
  /** how many there are: where a bound is not kept in one place, each has its part of it */
  readonly of: number
  readonly rates: Rates
  readonly lockOut: BadKeysOptions['lockOut']
}

export interface Workers {
  /** answers where the public door is */
  start(): Promise<string>
  standing(own: readonly Standing[]): Promise<{ open: readonly Standing[]; workers: readonly ShownWorker[] }>
  counted(): Promise<Others>
  /** all of them serve the connections of these settings, or it rejects and none does */
  reload(settings: Settings): Promise<void>
  /** whether any of them answers callers */
  readonly serve: () => boolean
  close(graceMs: number): Promise<void>
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

/** loaded where somebody can ask for it: it is 14 MB, and 50 ms of a start */
async function openMetrics({ operatorListen }: Settings, routes: readonly Route[]): Promise<Metrics> {
  if (operatorListen === 'off') return { note: () => {}, text: async () => '', counted: async () => [] }
  const [{ createMetrics }, { boundsOf }] = await Promise.all([import('./metrics.ts'), import('./http/bounds.ts')])
  return createMetrics(boundsOf(routes))
}

async function describeOperator(): Promise<string> {
  const { describeOperator: describe } = await import('./http/operator/description.ts')
  return JSON.stringify(describe())
}

/** loaded when the first agent comes */
async function openAgents(routes: readonly Route[]): Promise<Agents> {
  const { createAgents } = await import('./agents/over-http.ts')
  return createAgents({ routes, version })
}

/** with the key that seals cursors */
async function openLoaded(settings: Settings, options: OfficeOptions): Promise<[Office, Uint8Array]> {
  const office = await openOffice(settings, options)
  try {
    const serve = await office.prepare(settings)
    serve()
    return [office, await office.store.secret('cursor')]
  } catch (error) {
    await office.close()
    throw error
  }
}

async function reload(read: () => Settings, settings: Settings, office: Office, { observe, crew }: Surroundings) {
  try {
    const fresh = read()
    checkCacheGroups(fresh)
    const serve = await office.prepare(fresh)
    await crew?.reload(fresh)
    serve()
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
  const { crew, worker } = surroundings
  checkCacheGroups(settings)
  const [traces, metrics] = await Promise.all([openTraces(settings.traces), openMetrics(settings, routes)])
  const observe: Observe = (event) => {
    metrics.note(event)
    surroundings.observe(event)
  }
  const tokens = worker ? undefined : openTokens(settings, { ...surroundings, observe })
  const [office, cursorKey] = await openLoaded(settings, {
    ...{ folder, secrets, observe, now, steady, governorOf: surroundings.governorOf },
  })
  const { keys, connections, store } = office
  const readAudit = settings['audit.reads'] ? createReadAudit(store.audit, now, observe) : noReadAudit
  let stopping = false
  const stop = new Finale()
  const standing = {
    stopping: () => stopping,
    ready: async () => {
      if (stopping) throw new Problem('stopping')
      if (!readAudit.accepting()) throw new Problem('store_unavailable', { cause: unaudited })
      await store.check()
      if (crew && !crew.serve()) throw new Problem('too_busy', { retryAfterSec: 1, cause: 'no worker serves' })
    },
    now,
    proxies: createProxies(settings.trustedProxies),
    connectionsPerAddress: partOf(settings['limits.connectionsPerAddress'], worker),
  }
  const heard: Observe = (event) => {
    observe(event)
    readAudit.note(event)
  }
  const reference = serveReference(routes)
  const publicDoor = crew
    ? undefined
    : openPublicDoor(office, settings, {
        ...{ ...standing, steady, cursorKey, observe, heard, surroundings, traces },
        ...{ accepting: readAudit.accepting, giveUp: stop, routes, reference },
      })
  const operatorDoor =
    settings.operatorListen === 'off' || !tokens
      ? undefined
      : await openOperatorDoor(office, metrics, { ...standing, tokens, observe, crew, reference })
  const doors = [publicDoor, operatorDoor].filter((door) => door !== undefined)
  return {
    keys,
    note: metrics.note,
    connections: () => connections.ids(),
    prepare: (fresh) => office.prepare(fresh),
    counted: () => metrics.counted(),
    opened: () => connections.opened(),
    async listen() {
      const url = publicDoor ? await listenAt(publicDoor, settings.listen) : ((await crew?.start()) ?? '')
      const { operatorListen: second } = settings
      const at = operatorDoor && second !== 'off' ? { url, operatorUrl: await listenAt(operatorDoor, second) } : { url }
      const count = (await connections.ids()).length
      observe({ kind: 'started', ...at, connections: count, node: process.version })
      return at
    },
    reload: (read) => reload(read, settings, office, { ...surroundings, observe }),
    async close({ graceMs = 0 } = {}) {
      stopping = true
      const gone = crew?.close(graceMs)
      await setTimeout(graceMs)
      const late = globalThis.setTimeout(
        () => stop.abort(new DOMException('the service stops', 'AbortError')),
        patienceMs,
      )
      await Promise.all(doors.map(({ drain }) => drain(patienceMs + unsentMs)))
      clearTimeout(late)
      await Promise.all(doors.map(({ app }) => app.close()))
      await gone
      await readAudit.close()
      await office.close()
    },
  }
}

/** of a bound that is not kept in one place for all workers */
const partOf = (bound: number, worker: WorkerParts | undefined): number => Math.ceil(bound / (worker?.of ?? 1))

interface PublicParts
  extends Bounds, Pick<PublicDoor, 'stopping' | 'ready' | 'reference' | 'accepting' | 'giveUp' | 'traces'> {
  readonly now: () => number
  readonly steady: () => number
  readonly cursorKey: Uint8Array
  readonly routes: readonly Route[]
  readonly observe: Observe
  /** with what the audit of reads hears too */
  readonly heard: Observe
  readonly surroundings: Surroundings
}

function openPublicDoor(office: Office, settings: Settings, parts: PublicParts): OpenDoor {
  const { now, steady, cursorKey, routes, observe, heard, surroundings, ...standing } = parts
  const { worker, heapInUse: sample } = surroundings
  const cursors = createCursors(cursorKey, now)
  const most = partOf(settings['limits.requests'], worker)
  return createPublicDoor({
    ...{ ...standing, steady, cursors, keys: office.keys, connections: office.connections },
    badKeys: createBadKeys({ most: settings['rateLimit.failuresPerMinute'], steady, lockOut: worker?.lockOut }),
    places: createPlaces({ most, sample, steady, observe }),
    rates: worker?.rates ?? createRates(settings['rateLimit.perMinute']),
    match: createMatcher(routes),
    answers: createAnswers({ cacheSeconds: settings.cacheSeconds, cursors, steady, now }),
    memories: createMemories(steady),
    origin: office.platform.origin,
    timeoutMs: settings['upstream.timeoutMs'],
    description: serveDescription(routes),
    agents: madeOnce(() => openAgents(routes)),
    observe: heard,
  })
}

interface OperatorParts
  extends Bounds, Pick<OperatorDoor, 'stopping' | 'ready' | 'reference' | 'now' | 'tokens' | 'observe'> {
  readonly crew: Workers | undefined
}

async function openOperatorDoor(office: Office, metrics: Metrics, parts: OperatorParts): Promise<OpenDoor> {
  const { crew, ...bounds } = parts
  const { createOperatorDoor } = await import('./http/operator/door.ts')
  const { keys, desk, rotation, store, connections } = office
  const begunMs = performance.now()
  const open = () => connections.opened()
  const standing = crew && (() => crew.standing(open()))
  return createOperatorDoor({
    ...bounds,
    ...{ keys, desk, rotation, audit: store.audit, connections, ...(standing && { standing }) },
    metrics: async () => metrics.text((await standing?.())?.open ?? open(), await crew?.counted()),
    service: { version, startedAt: bounds.now(), uptimeMs: () => performance.now() - begunMs },
    description: madeOnce(describeOperator),
  })
}
