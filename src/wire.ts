// The only file that knows every part: from settings to a service that can listen at both of its doors. Long because each
// part has its lines here.
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Agents } from './agents/over-http.ts'
import type { Route } from './catalogue/define.ts'
import { routes as ours } from './catalogue/index.ts'
import { madeOnce, serveDescription, serveForms, serveReference } from './derive/served.ts'
import { version } from './derive/version.ts'
import { keepAudit } from './audit-retention.ts'
import { Finale } from './ending.ts'
import type { History } from './history.ts'
import { createCursors } from './engine/cursor.ts'
import { createProxies } from './http/address.ts'
import { createPublicDoor, type PublicDoor } from './http/app.ts'
import { type BadKeysOptions, createBadKeys } from './http/bad-keys.ts'
import { checkCacheGroups, createAnswers } from './http/cache.ts'
import type { Bounds, OpenDoor } from './http/framework.ts'
import { createHosts } from './http/hosts.ts'
import { createMemories } from './http/memories.ts'
import type { OperatorDoor } from './http/operator/door.ts'
import type { Doctor } from './http/operator/examination.ts'
import type { Picture, ShownWorker } from './http/operator/operation.ts'
import type { ReaderParts } from './http/operator/reader.ts'
import { createMatcher } from './http/paths.ts'
import { createPlaces } from './http/places.ts'
import type { Reading } from './http/reads.ts'
import type { Keys } from './keys/keys.ts'
import { createOperatorTokens } from './keys/operator-token.ts'
import type { Rates } from './keys/rate.ts'
import type { Others } from './metric-sums.ts'
import type { Metrics, Standing } from './metrics.ts'
import type { Observe } from './observe.ts'
import { type Office, type OfficeOptions, openOffice, type Secrets, within } from './office.ts'
import { Problem } from './problem.ts'
import { createReadAudit, noReadAudit, type ReadAudit } from './read-audit.ts'
import { openShared, type Shared, type SharedOptions } from './replicas/shared.ts'
import { isLoopback } from './setting-values.ts'
import { type Address, changedOutside, type Settings } from './settings.ts'
import { openTraces } from './traces.ts'

export interface Closing {
  readonly graceMs?: number
  /** how long connections without a request may then stay: callers who have let go of them send no request into the end */
  readonly idleMs?: number
}

export interface House {
  /** starts to listen, and answers the addresses */
  listen(): Promise<{ url: string; operatorUrl?: string }>
  /**
   * Serves the connections of these settings; where they are wrong, those that were served before. False where it was not
   * the settings' fault, and should be tried again.
   */
  reload(read: () => Settings): Promise<boolean>
  /**
   * Readiness goes first, and callers are still served for the grace; then requests under way finish, and nobody new is let in.
   * Called again, it waits for no caller any more, and only for what is still to be written.
   */
  close(how?: Closing): Promise<void>
  readonly keys: Keys
  /** counts what happens outside the house */
  readonly note: Observe
  /** opens the connections of these settings, which are served once the answer is called */
  prepare(settings: Settings): Promise<() => void>
  /** what this process has counted, and which connections are open in it: for the one that tells of all */
  readonly counted: Metrics['counted']
  readonly opened: () => readonly Standing[]
  /** what was noted here in the last hour */
  readonly history: History
  /** ids of all that are there now */
  connections(): Promise<readonly string[]>
}

export interface Surroundings {
  /** the folder that relative paths of the settings start at */
  readonly folder: string
  /** name of the settings file, or of the variable, that names the connections */
  readonly settingsName?: OfficeOptions['settingsName']
  readonly observe: Observe
  readonly secrets?: Secrets
  readonly routes?: readonly Route[]
  readonly now?: () => number
  /** milliseconds of a clock that nobody sets */
  readonly steady?: () => number
  /** the share of the heap that is in use */
  readonly heapInUse?: () => number
  /** how often whoever listens at the operator's door is told, where a test has less time */
  readonly pace?: OperatorDoor['pace']
  /** who takes turns at a platform key, where that is decided for all processes of the service */
  readonly governorOf?: OfficeOptions['governorOf']
  /** set in one of the processes that answer callers: it has no operator's door */
  readonly worker?: WorkerParts
  /** set in the process that starts those: it has no public door */
  readonly crew?: Workers
  /** looks the installation over, from the operator's door */
  readonly doctor?: Doctor
}

/** what is kept for all workers in one place */
export interface WorkerParts {
  /** how many there are: where a bound is not kept in one place, each has its part of it */
  readonly of: number
  readonly rates: Rates
  readonly lockOut: BadKeysOptions['lockOut']
  readonly clock: () => number
}

type GovernorOf = NonNullable<OfficeOptions['governorOf']>

export interface Workers {
  /** answers where the public door is */
  start(): Promise<string>
  standing(own: readonly Standing[]): Promise<{ open: readonly Standing[]; workers: readonly ShownWorker[] }>
  counted(): Promise<Others>
  /** what they noted is in this history afterwards */
  lately(own: readonly Standing[], history: Pick<History, 'give'>): Promise<Picture>
  /** milliseconds since 1970 by a clock that they have in common and nobody sets */
  readonly clock: () => number
  /** what is kept for all of them counts with other replicas from now on, and takes turns so, where they use platform keys, too */
  share(shared: Shared, governorOf: GovernorOf | undefined): void
  /** all of them serve the connections of these settings, or it rejects and none does */
  reload(settings: Settings): Promise<void>
  /** whether any of them answers callers */
  readonly serve: () => boolean
  close(how: Closing): Promise<void>
}

/** since the service was told to stop: how long the last requests may wait for the platform */
const patienceMs = 9_000
/** how long their answers may then take to leave */
const unsentMs = 1_500
/** and how long what is still to be written may then take; a store that is away is not waited for */
const partsMs = 1_700

const unaudited = 'the audit of reads cannot be written'

const urlOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** on other addresses the proxy in front decides, and probes ask for addresses */
const hostsAt = (listen: Address, ownUrl: string | undefined) => (isLoopback(listen) ? createHosts(ownUrl) : undefined)

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

async function checkReady({ store, checkVault }: Office, { accepting }: ReadAudit, crew: Workers | undefined) {
  if (!accepting()) throw new Problem('store_unavailable', { cause: unaudited })
  if (await store.readable()) await checkVault()
  if (crew && !crew.serve()) throw new Problem('too_busy', { retryAfterSec: 1, cause: 'no worker serves' })
}

/** loaded where somebody can ask for it: it is 14 MB, and 50 ms of a start */
async function openMetrics({ operatorListen }: Settings, routes: readonly Route[]): Promise<Metrics> {
  if (operatorListen === 'off') return { note: () => {}, text: async () => '', counted: async () => [] }
  const [{ createMetrics }, { boundsOf }] = await Promise.all([import('./metrics.ts'), import('./http/bounds.ts')])
  return createMetrics(boundsOf(routes))
}

/** nobody can look at it where the operator's door is shut */
const noHistory: History = {
  ...{ note: () => {}, answered: () => {}, give: () => {}, minute: () => 0, beganAt: () => 0, holdsMore: () => false },
  hourOf: () => undefined,
  service: () => {
    throw new Error('nothing was noted')
  },
  take: () => ({ connections: [], service: [] }),
}

async function openHistory({ operatorListen }: Settings, routes: readonly Route[], clock: () => number) {
  if (operatorListen === 'off') return noHistory
  const [{ createHistory }, { boundsOf }] = await Promise.all([import('./history.ts'), import('./http/bounds.ts')])
  return createHistory({ ...boundsOf(routes), clock })
}

/** shows what the wall's clock showed at first, and no leap of it afterwards */
function steadyClock(now: () => number, steady: () => number): () => number {
  const begun = now() - steady()
  return () => begun + steady()
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

interface OpeningOptions extends OfficeOptions, Pick<SharedOptions, 'beats'> {
  readonly steady: () => number
}

/** with the key that seals cursors, and what replicas have in common */
async function openLoaded(settings: Settings, options: OpeningOptions): Promise<[Office, Uint8Array, Shared]> {
  // it stands on the store, and is needed by the first read
  let shared: Shared | undefined
  const office = await openOffice(settings, { ...options, leases: () => shared?.leases })
  const { store } = office
  try {
    const waits = (waitsMs: number) => options.observe({ kind: 'store_in_use', place: store.place, waitsMs })
    // of several processes of one service, the one that counts for all
    if (options.beats) await store.claim?.({ waits })
    const [serve, cursorKey] = [await office.prepare(settings), await store.secret('cursor')]
    serve()
    // last: nothing that fails behind it would close it
    shared = await openShared({
      ...{ ...options, redis: settings.redis, outageSeconds: settings.storeOutageSeconds, store },
    })
    return [office, cursorKey, shared]
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

/** turns at platform keys, where other replicas may use them, too */
async function openTurns(settings: Settings, { office, shared, steady, observe }: LimitsParts) {
  const { redis, presence } = shared
  if (!redis && !office.store.isShared) return undefined
  const { openGovernors } = await import('./replicas/governors.ts')
  return openGovernors({
    ...{ redis, steady, replicas: presence.count, most: settings['upstream.concurrency'] },
    totalMs: settings['upstream.totalMs'],
    shed: () => observe({ kind: 'shed', reason: 'queue' }),
  })
}

/** what is not kept for one process alone is kept with other replicas from now on; a worker asks its primary */
async function shareLimits(settings: Settings, parts: LimitsParts) {
  const { office, shared, surroundings } = parts
  const { crew, worker } = surroundings
  if (worker) return
  const governorOf = await openTurns(settings, parts)
  if (crew) crew.share(shared, governorOf)
  else if (governorOf) office.platform.shareTurns(governorOf)
}

interface LimitsParts extends Required<Pick<Surroundings, 'observe' | 'steady'>> {
  readonly office: Office
  readonly shared: Shared
  readonly surroundings: Surroundings
}

interface Shutting extends Required<Closing> {
  /** nobody is waited for any more */
  readonly hurry: AbortSignal
}

async function shut(doors: readonly OpenDoor[], stop: Finale, { graceMs, idleMs, hurry }: Shutting) {
  const giveUp = () => stop.abort(new DOMException('the service stops', 'AbortError'))
  const late = globalThis.setTimeout(giveUp, patienceMs)
  hurry.addEventListener('abort', giveUp)
  await setTimeout(graceMs, undefined, { signal: hurry }).catch(() => {})
  await Promise.all(doors.map(({ drain }) => drain({ mostMs: patienceMs + unsentMs - graceMs, idleMs, hurry })))
  clearTimeout(late)
  await Promise.all(doors.map(({ app }) => app.close()))
}

const tellAll =
  (...all: readonly [Observe, Observe, Observe]): Observe =>
  (event) => {
    all[0](event)
    all[1](event)
    all[2](event)
  }

/** Opens everything that can fail before a port is bound, so that a wrong setting never half starts. */
export async function openHouse(settings: Settings, surroundings: Surroundings): Promise<House> {
  const { routes = ours, now = Date.now, steady = () => performance.now(), folder, secrets = {} } = surroundings
  const { crew, worker } = surroundings
  checkCacheGroups(settings)
  const [traces, metrics, history] = await Promise.all([
    openTraces(settings.traces),
    openMetrics(settings, routes),
    openHistory(settings, routes, (worker ?? crew)?.clock ?? steadyClock(now, steady)),
  ])
  const observe = tellAll(metrics.note, history.note, surroundings.observe)
  const tokens = worker ? undefined : openTokens(settings, { ...surroundings, observe })
  const [office, cursorKey, shared] = await openLoaded(settings, {
    ...{ folder, secrets, observe, now, steady, governorOf: surroundings.governorOf },
    ...{ settingsName: surroundings.settingsName, beats: !worker },
  })
  const { keys, connections, store } = office
  await shareLimits(settings, { office, shared, steady, observe, surroundings })
  const readAudit = openReadAudit(settings, store, office.now, observe)
  const stopKeeping = worker ? () => {} : keepStoredAudit(office, settings, { now: office.now, observe })
  let stopping = false
  const stop = new Finale()
  const standing = {
    stopping: () => stopping,
    ready: async () => {
      if (stopping) throw new Problem('stopping')
      await checkReady(office, readAudit, crew)
    },
    now: office.now,
    proxies: createProxies(settings.trustedProxies),
    connectionsPerAddress: partOf(settings['limits.connectionsPerAddress'], worker),
  }
  const heard = tellAll(observe, history.answered, readAudit.note)
  const reference = serveReference(routes)
  const reading = openReading(office, settings, { now: office.now, steady, cursorKey, observe, giveUp: stop, shared })
  const reads = { ...reading, match: createMatcher(routes), requireRoom: readAudit.requireRoom }
  const publicDoor = crew
    ? undefined
    : openPublicDoor(office, settings, {
        ...{ ...standing, ...reads, heard, surroundings, shared, traces, routes, reference },
      })
  const operatorDoor =
    settings.operatorListen === 'off' || !tokens
      ? undefined
      : await openOperatorDoor(office, {
          hosts: hostsAt(settings.operatorListen, settings.operatorUrl),
          ...{ ...standing, tokens, observe, crew, shared, reference, pace: surroundings.pace },
          ...{ metrics, history, doctor: surroundings.doctor ?? nobody },
          ...{ reads: { ...reads, note: readAudit.noteOf }, forms: serveForms(routes) },
        })
  const doors = [publicDoor, operatorDoor].filter((door) => door !== undefined)
  const end = createEnd(doors, stop, crew, async () => {
    stopKeeping()
    await readAudit.close()
    await shared.close()
    await office.close()
  })
  return {
    keys,
    ...{ note: metrics.note, history },
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
    close(how) {
      stopping = true
      return end(how)
    },
  }
}

function openReadAudit(settings: Settings, { audit }: Office['store'], now: () => number, observe: Observe): ReadAudit {
  if (!settings['audit.reads']) return noReadAudit
  // the thread that writes them begins before the first read
  audit.gather([]).catch(() => {})
  return createReadAudit({ append: (deeds) => audit.gather(deeds) }, now, observe)
}

const keepStoredAudit = (
  { store, vault }: Office,
  settings: Settings,
  parts: { now: () => number; observe: Observe },
) =>
  keepAudit({
    ...{ ...parts, audit: store.audit, seals: vault },
    keep: { days: settings['audit.days'], lines: settings['audit.lines'] },
  })

/** called again, the answer waits for no caller any more, and only for what is last */
function createEnd(doors: readonly OpenDoor[], stop: Finale, crew: Workers | undefined, last: () => Promise<void>) {
  const hurry = new AbortController()
  let ended: Promise<void> | undefined
  return ({ graceMs = 0, idleMs = 0 }: Closing = {}): Promise<void> => {
    if (ended) hurry.abort()
    const gone = crew?.close({ graceMs, idleMs })
    const shutting = { graceMs, idleMs, hurry: hurry.signal }
    return (ended ??= Promise.all([gone, shut(doors, stop, shutting)]).then(() => atMost(partsMs, last)))
  }
}

async function atMost(ms: number, act: () => Promise<void>) {
  const over = new AbortController()
  const { signal } = over
  await Promise.race([act(), setTimeout(ms, undefined, { signal }).catch(() => {})])
  over.abort()
}

/** of a bound that is not kept in one place for all workers */
const partOf = (bound: number, worker: WorkerParts | undefined): number => Math.ceil(bound / (worker?.of ?? 1))

interface ReadingParts extends Pick<Reading, 'giveUp' | 'steady' | 'observe'> {
  readonly now: () => number
  readonly cursorKey: Uint8Array
  readonly shared: Shared
}

/** what both doors read with: they remember together, and take each other's cursors */
function openReading(office: Office, settings: Settings, parts: ReadingParts): Reading {
  const { now, cursorKey, shared, ...standing } = parts
  const { origin } = office.platform
  const cursors = createCursors(cursorKey, now)
  const { steady } = standing
  return {
    ...{ ...standing, cursors, memories: createMemories(steady) },
    // a replica of another version may give other answers
    answers: createAnswers({
      cacheSeconds: settings.cacheSeconds,
      cursors,
      steady,
      far: shared.shelfOf(`${version} ${origin}`),
    }),
    origin,
    timeoutMs: settings['upstream.timeoutMs'],
  }
}

interface PublicParts
  extends Bounds, Reading, Pick<PublicDoor, 'stopping' | 'ready' | 'reference' | 'requireRoom' | 'match' | 'traces'> {
  readonly now: () => number
  readonly routes: readonly Route[]
  /** with what the audit of reads hears too */
  readonly heard: Observe
  readonly surroundings: Surroundings
  readonly shared: Shared
}

function openPublicDoor(office: Office, settings: Settings, parts: PublicParts): OpenDoor {
  const { routes, observe, heard, surroundings, shared, ...standing } = parts
  const { steady } = standing
  const { worker, heapInUse: sample } = surroundings
  const most = partOf(settings['limits.requests'], worker)
  return createPublicDoor({
    ...{ ...standing, keys: office.keys, connections: office.connections },
    hosts: hostsAt(settings.listen, settings.publicUrl),
    badKeys: createBadKeys({
      ...{ most: settings['rateLimit.failuresPerMinute'], replicas: shared.presence.count },
      ...{ steady, lockOut: worker?.lockOut },
    }),
    places: createPlaces({ most, sample, steady, observe }),
    rates: worker?.rates ?? shared.ratesOf(settings['rateLimit.perMinute']),
    description: serveDescription(routes),
    agents: madeOnce(() => openAgents(routes)),
    publicUrl: settings.publicUrl,
    observe: heard,
  })
}

/** of a house that was opened without one, as tests do */
const nobody: Doctor = {
  ids: () => [],
  examine: () => Promise.reject(new Error('this service was started without its doctor')),
}

interface OperatorParts
  extends
    Bounds,
    Pick<OperatorDoor, 'stopping' | 'ready' | 'reference' | 'now' | 'tokens' | 'observe' | 'forms' | 'pace'> {
  readonly crew: Workers | undefined
  readonly shared: Shared
  readonly metrics: Metrics
  readonly history: History
  readonly doctor: Doctor
  readonly reads: Omit<ReaderParts, 'connections'>
}

const isReady = (ready: () => Promise<void>): Promise<boolean> =>
  ready().then(
    () => true,
    () => false,
  )

/** since when it is so is reckoned once: setting the clock is no change of it */
function showShared({ redis, presence }: Shared, { now, steady }: { now: () => number; steady: () => number }) {
  const begun = now() - steady()
  return {
    ...{ replicas: presence.count, countedBy: presence.countedBy },
    redis: () => {
      const state = redis?.state()
      return state ? { ...state, since: Math.round(begun + state.since) } : null
    },
  }
}

async function shareOver({ redis }: Shared, store: Office['store']): Promise<OperatorDoor['share']> {
  if (!redis) return undefined
  const { shareSessions } = await import('./replicas/sessions.ts')
  return shareSessions(redis, store)
}

async function openOperatorDoor(office: Office, parts: OperatorParts): Promise<OpenDoor> {
  const { crew, doctor, reads, metrics, history, shared, ...bounds } = parts
  const { createOperatorDoor } = await import('./http/operator/door.ts')
  const { createExaminations } = await import('./http/operator/examination.ts')
  const { createReader } = await import('./http/operator/reader.ts')
  const { keys, desk, rotation, store, connections } = office
  const [begunMs, startedAt] = [performance.now(), bounds.now()]
  const open = () => connections.opened()
  const standing = crew && (() => crew.standing(open()))
  const picture = async (): Promise<Picture> => {
    if (crew) return crew.lately(open(), history)
    const lines = new Map(open().map((one) => [one.id, one]))
    return { workers: [], stateOf: (id) => lines.get(id)?.state() }
  }
  return createOperatorDoor({
    ...bounds,
    share: await shareOver(shared, store),
    ...{ keys, desk, rotation, audit: store.audit, connections, ...(standing && { standing }), picture, history },
    untold: () => shared.standby?.untold(),
    reader: createReader({ ...reads, connections }),
    examinations: createExaminations(doctor, bounds.now),
    metrics: async () => {
      const counts = { version, startedAt, replicas: shared.presence.count() }
      const ups = { isRedisUp: shared.redis?.isUp(), isStoreUp: shared.standby?.isStoreUp() }
      const service = {
        ...counts,
        ...ups,
        isReady: await isReady(bounds.ready),
        answerBytes: office.platform.answerBytes(),
      }
      return metrics.text((await standing?.())?.open ?? open(), await crew?.counted(), service)
    },
    service: {
      ...{ version, startedAt, uptimeMs: () => performance.now() - begunMs },
      ...showShared(shared, { now: bounds.now, steady: reads.steady }),
    },
    description: madeOnce(describeOperator),
  })
}
