// From settings to a service that listens at both of its ports: everything that can fail is opened before a port is bound.
// Long because each stage has its lines here.
import { AbortGroup, steadyMs } from '../../base/core/abort.ts'
import { createReadAudit, noReadAudit, type ReadAudit } from '../../base/watch/read-records.ts'
import { openTraces } from '../../base/watch/traces.ts'
import { createProxies } from '../../base/web/address.ts'
import { listenAt } from '../../base/web/server.ts'
import { type Closing, createShutdown } from '../../base/web/shutdown.ts'
import { keepAudit } from './audit-retention.ts'
import type { Route } from './catalogue/define.ts'
import { routes as ours } from './catalogue/index.ts'
import { type Core, type CoreOptions, openCore } from './core/core.ts'
import type { Secrets } from './core/located.ts'
import { lazyForms, lazyReference } from './derive/derived-texts.ts'
import { openOperatorEndpoint, openTokens, openWatch } from './endpoints/operator-endpoint.ts'
import { hostsAt, openPublicEndpoint, openReading } from './endpoints/public-endpoint.ts'
import { ignore, type Observe, toAll } from './events.ts'
import type { OperatorServerParts } from './operator/operator-server.ts'
import type { Doctor } from './management/examination.ts'
import { createFetch } from './platform/proxy/outbound-fetch.ts'
import type { HourKeeper } from './history/hour-keeper.ts'
import { Problem } from './problems.ts'
import { product } from './product.ts'
import { checkCacheGroups } from './reads/caches.ts'
import { createMatcher } from './engine/request.ts'
import { openShared, type Shared } from './replicas/shared.ts'
import { changedOutside, type Settings } from './settings.ts'

export type RunningService = Awaited<ReturnType<typeof openService>>

export interface ServiceOptions {
  /** relative paths of the settings start here */
  readonly folder: string
  /** name of the settings file, or of the variable, that names the connections */
  readonly settingsName?: CoreOptions['settingsName']
  readonly observe: Observe
  readonly secrets?: Secrets
  readonly awaitsStore?: CoreOptions['awaitsStore']
  readonly routes?: readonly Route[]
  readonly now?: () => number
  /** milliseconds of a clock that is never set */
  readonly steady?: () => number
  /** the share of the heap that is in use */
  readonly heapInUse?: () => number
  /** how often listeners of the operator endpoint get events */
  readonly pace?: OperatorServerParts['pace']
  readonly doctor?: Doctor
}

type Opened = Awaited<ReturnType<typeof openParts>>

async function openParts(settings: Settings, options: CoreOptions & { readonly steady: () => number }) {
  // it stands on the store, and is needed by the first read
  let shared: Shared | undefined
  const core = await openCore(settings, {
    ...options,
    leases: () => shared?.leases,
    schedulerOf: () => shared?.schedulerOf,
  })
  const { store } = core
  try {
    const waits = (waitsMs: number) => options.observe({ kind: 'store_in_use', place: store.place, waitsMs })
    await store.claim?.({ waits })
    const serve = await core.prepare(settings)
    const cursorKey = await store.secret('cursor')
    serve()
    // last: nothing that fails after it would close it
    shared = await openShared({
      ...options,
      redis: settings.redis,
      outageSeconds: settings.storeOutageSeconds,
      store,
      upstream: { concurrency: settings['upstream.concurrency'], totalMs: settings['upstream.totalMs'] },
    })
    return { core, cursorKey, shared }
  } catch (error) {
    await core.close()
    throw error
  }
}

async function reload(read: () => Settings, settings: Settings, core: Core, observe: Observe) {
  try {
    const fresh = read()
    checkCacheGroups(fresh)
    const serve = await core.prepare(fresh)
    serve()
    const count = (await core.connections.ids()).length
    observe({ kind: 'reloaded', connections: count, needRestart: changedOutside(settings, fresh) })
    return true
  } catch (error) {
    const isOurs = error instanceof Problem
    observe({ kind: 'reload_refused', reason: isOurs ? String(error.cause) : (error as Error).message })
    return !isOurs
  }
}

function openReadAudit(settings: Settings, { store, now }: Core, observe: Observe): ReadAudit {
  if (!settings['audit.reads']) return noReadAudit
  const { audit } = store
  // the thread that writes them begins before the first read
  audit.gather([]).catch(() => {})
  return createReadAudit({ append: (entries) => audit.gather(entries) }, now, observe)
}

function keepStoredAudit(settings: Settings, { store, vault, now }: Core, observe: Observe) {
  const keep = { days: settings['audit.days'], lines: settings['audit.lines'] }
  return keepAudit({ now, observe, audit: store.audit, seals: vault, keep })
}

async function checkReady({ store, checkVault }: Core, { accepting }: ReadAudit) {
  if (!accepting()) throw new Problem('store_unavailable', { cause: 'the audit of reads cannot be written' })
  if (await store.readable()) await checkVault()
}

/** starts at the wall's clock, and never leaps with it */
function steadyClock(now: () => number, steady: () => number): () => number {
  const begun = now() - steady()
  return () => begun + steady()
}

/** metrics and history come first: they note every event of the service */
async function openObservers(settings: Settings, options: ServiceOptions) {
  const { routes = ours, now = Date.now, steady = steadyMs } = options
  const watch = await openWatch(settings, routes, steadyClock(now, steady))
  const note = watch?.metrics.note ?? ignore
  return { watch, note, observe: toAll(note, watch?.history.note ?? ignore, options.observe) }
}

/** the hours of the console, where the operator endpoint is on */
async function openHours({ store }: Core, { watch }: Pick<EndpointParts, 'watch'>): Promise<HourKeeper | undefined> {
  if (!watch) return undefined
  const { keepHours } = await import('./history/hour-keeper.ts')
  return keepHours(store.hours, watch.history.hours)
}

interface EndpointParts extends Opened, Awaited<ReturnType<typeof openObservers>> {
  readonly steady: () => number
  readonly readAudit: ReadAudit
  readonly stop: AbortGroup
  readonly isStopping: () => boolean
  readonly publicUrl: () => string
  readonly hours: HourKeeper | undefined
}

/** both endpoints, the second where it is on */
async function openEndpoints(settings: Settings, options: ServiceOptions, parts: EndpointParts) {
  const { core, cursorKey, shared, watch, observe, steady, readAudit, stop, isStopping, publicUrl, hours } = parts
  const { routes = ours, folder, secrets = {} } = options
  const tokens = openTokens(settings, { folder, secrets, observe })
  const traces = await openTraces(settings.traces, product.name)
  const common = {
    stopping: isStopping,
    ready: async () => {
      if (isStopping()) throw new Problem('stopping')
      await checkReady(core, readAudit)
    },
    now: core.now,
    proxies: createProxies(settings.trustedProxies),
    connectionsPerAddress: settings['limits.connectionsPerAddress'],
    reference: lazyReference(routes),
    shared,
  }
  const reading = openReading(core, settings, { now: core.now, steady, cursorKey, observe, giveUp: stop, shared })
  const reads = { ...reading, match: createMatcher(routes), requireRoom: readAudit.requireRoom }
  const auditRead: Observe = (event) => event.kind === 'answered' && readAudit.note(event)
  const observeReads = toAll(observe, watch?.history.answered ?? ignore, auditRead)
  const { heapInUse, pace, doctor } = options
  const publicParts = { ...common, ...reads, observeReads, traces, routes, heapInUse }
  const publicServer = openPublicEndpoint(core, settings, publicParts)
  if (settings.operatorListen === 'off' || !watch || !hours) return { publicServer, operatorServer: undefined }
  const { openProvider } = await import('./management/provider-settings.ts')
  const attemptKey = () => core.store.secret('oidc')
  const send = createFetch(core.outbound, settings['upstream.connectMs'])
  const provider = await openProvider(settings, { folder, secrets, now: core.now, attemptKey, send })
  const operatorServer = await openOperatorEndpoint(core, {
    ...common,
    provider,
    ...watch,
    hosts: hostsAt(settings.operatorListen, settings.operatorUrl),
    tokens,
    publicUrl,
    hours,
    observe,
    pace,
    doctor,
    reads: { ...reads, note: readAudit.noteOf },
    forms: lazyForms(routes),
  })
  return { publicServer, operatorServer }
}

export async function openService(settings: Settings, options: ServiceOptions) {
  const { now = Date.now, steady = steadyMs, folder, secrets = {}, settingsName, awaitsStore } = options
  checkCacheGroups(settings)
  const observers = await openObservers(settings, options)
  const { note, observe } = observers
  const opened = await openParts(settings, { folder, secrets, observe, now, steady, settingsName, awaitsStore })
  const { core, shared } = opened
  const { keys, connections } = core
  const readAudit = openReadAudit(settings, core, observe)
  const stopKeeping = keepStoredAudit(settings, core, observe)
  const hours = await openHours(core, observers)
  const stop = new AbortGroup()
  let stopping = false
  let publicUrl = settings.publicUrl ?? ''
  const endpoints = await openEndpoints(settings, options, {
    ...opened,
    ...observers,
    steady,
    readAudit,
    stop,
    isStopping: () => stopping,
    publicUrl: () => publicUrl,
    hours,
  })
  const { publicServer, operatorServer } = endpoints
  const servers = operatorServer ? [publicServer, operatorServer] : [publicServer]
  const shutDown = createShutdown(servers, stop, async () => {
    stopKeeping()
    await readAudit.close()
    await hours?.close()
    await shared.close()
    await core.close()
  })
  return {
    keys,
    note,
    connections: () => connections.ids(),
    /** starts to listen, and answers the addresses */
    async listen(): Promise<{ url: string; operatorUrl?: string }> {
      const url = await listenAt(publicServer, 'listen', settings.listen)
      publicUrl ||= url
      const { operatorListen: at } = settings
      const urls =
        operatorServer && at !== 'off'
          ? { url, operatorUrl: await listenAt(operatorServer, 'operatorListen', at) }
          : { url }
      observe({ kind: 'started', ...urls, connections: (await connections.ids()).length, node: process.version })
      return urls
    },
    /** Serves the connections of these settings, or goes on with the old ones if they are wrong. False: a failure that may pass. */
    reload: (read: () => Settings) => reload(read, settings, core, observe),
    /** Called again, it waits for no caller any more, and only for what is still to be written. */
    close(how?: Closing) {
      stopping = true
      return shutDown(how)
    },
  }
}
