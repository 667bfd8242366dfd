// From settings to a service that listens. What can fail without the engine fails before the port is bound; the engine may be
// away, and is waited for.
import { resolve } from 'node:path'
import { AbortGroup } from '../../base/core/abort.ts'
import { createProxies, type Proxies } from '../../base/web/address.ts'
import { type HttpServer, listenAt, listenFor } from '../../base/web/server.ts'
import { createShutdown } from '../../base/web/shutdown.ts'
import { createAuthenticate } from './api/authenticate.ts'
import { createIdempotency } from './api/idempotency.ts'
import { createRate } from './api/rates.ts'
import { createApiServer } from './api/server.ts'
import { type Sweep, startSweep } from './containers/sweep.ts'
import { type Core, type CoreOptions, openCore } from './core.ts'
import { joinRooms } from './join-rooms.ts'
import type { Metrics } from './metrics/metrics.ts'
import { readState } from './metrics/service-state.ts'
import { createOperatorServer, openTokens } from './operator/operator-server.ts'
import { openConsole, pageFor } from './routes/console-pages.ts'
import { routes } from './routes/index.ts'
import type { Service } from './routes/service.ts'
import { hasUnknownProxy, type Settings } from './settings.ts'
import type { Store } from './store/store.ts'
import { hostKeyOf } from './ssh/ssh.ts'

const hourMs = 60 * 60_000

function serverOf(service: Service, proxies: Proxies, stopping: AbortSignal) {
  const { settings, store, keys, keyHolders, sessions, cookieName, unsent, observe, now, isStopping } = service
  const { 'rate.perSecond': perSecond, 'rate.burst': burst } = settings
  const pages = openConsole()
  return createApiServer({
    routes,
    pageAt: (path, req) => pageFor(pages, path, req),
    service,
    authenticate: createAuthenticate({
      keys,
      sessions,
      cookieName,
      origin: new URL(settings.publicUrl).origin,
      failuresPerMinute: settings['rate.failuresPerMinute'],
      now,
    }),
    idempotency: createIdempotency(store.idempotency, now, service.digestKey),
    keyHolders,
    unsent,
    rate: createRate({ perSecond, burst }),
    creationRate: createRate({ perSecond: settings['rate.createsPerSecond'], burst: settings['rate.createBurst'] }),
    proxies,
    observe,
    isStopping,
    stopping,
  })
}

const sweepOf = ({ engine, store, containers, egress, commands, builder, images, now, observe }: Service): Sweep =>
  startSweep({
    engine,
    rows: store.containers,
    containers,
    isBuilding: (id) => builder.isAtWork(id),
    images,
    async endCommands(record) {
      await Promise.allSettled([egress.reopen(record), commands.endEarlier(record)])
    },
    now,
    observe,
  })

/** forgets rows that are no longer shown; answers what ends it */
function startForgetting({ store, sessions, keys, now }: Service): () => void {
  const forget = () => {
    const day = now() - 24 * hourMs
    const all = [
      store.containers.forget(day),
      store.images.forget(day, now() - 7 * 24 * hourMs),
      store.idempotency.forget(day),
      store.sshSessions.forget(now()),
      store.containerSecrets.forget(),
      sessions.forget(),
      keys.forget(),
    ]
    void Promise.allSettled(all)
  }
  const timer = setInterval(forget, hourMs)
  timer.unref()
  return () => clearInterval(timer)
}

const probeLimitMs = 5_000

/** if the engine is away or slow, the first creation waits for it instead */
async function refuseUnconfined({ store, engine }: Core) {
  const ready = { account: '', scopes: ['base'], statuses: ['ready'], name: undefined } as const
  const {
    items: [base],
  } = await store.images.page(ready, undefined, 1)
  if (!base?.engineId) return
  const late = new Promise<undefined>((ok) => setTimeout(ok, probeLimitMs, undefined).unref())
  const problem = await Promise.race([engine.confinement(base.engineId).catch(() => undefined), late])
  if (problem !== undefined) throw new Error(`${problem} \`atelier doctor\` names the fix.`)
}

export interface ServiceOptions extends CoreOptions {
  /** what its events are noted in; absent: there is no operator endpoint */
  readonly metrics?: Metrics | undefined
  readonly operatorToken?: string | undefined
  /** called if another service has taken the store: the process must end at once */
  readonly storeTaken?: () => void
}

function openOperatorEndpoint({ operatorListen, operatorTokenFile }: Settings, options: ServiceOptions) {
  const { metrics, folder, observe, operatorToken: fixed, now = Date.now } = options
  if (operatorListen === 'off' || !metrics) return undefined
  const file = operatorTokenFile && resolve(folder, operatorTokenFile)
  const tokens = openTokens(operatorListen, { fixed, file, observe })
  const startedAt = now()
  return (service: Service, proxies: Proxies): HttpServer =>
    createOperatorServer({
      ...service,
      operatorListen,
      proxies,
      tokens,
      metrics: async () => metrics.text(await readState(service, startedAt)),
    })
}

async function claimStore({ claim, place }: Store['db'], { observe, storeTaken }: ServiceOptions) {
  await claim?.({
    waits: (waitsMs) => observe({ kind: 'store_in_use', place, waitsMs }),
    lost() {
      observe({ kind: 'store_taken', place })
      storeTaken?.()
    },
  })
}

export async function serviceOver(core: Core, settings: Settings, options: ServiceOptions) {
  const { store } = core
  const { folder, observe } = options
  const openOperator = openOperatorEndpoint(settings, options)
  let stopping = false
  const stop = new AbortController()
  const hostKey = hostKeyOf(settings, folder)
  await claimStore(store.db, options)
  const service = await joinRooms(core, settings, { hostKey, folder, observe, isStopping: () => stopping })
  const proxies = createProxies(settings.trustedProxies)
  const server = serverOf(service, proxies, stop.signal)
  const operator = openOperator?.(service, proxies)
  const sweep = sweepOf(service)
  const stopForgetting = startForgetting(service)
  const { ssh, terminals, builder, containers, egress, keyHolders } = service
  let shellsClosed: Promise<unknown> | undefined
  const shutDown = createShutdown(operator ? [server, operator] : [server], new AbortGroup(), async () => {
    await builder.close()
    sweep.close()
    egress.closeAll()
    stopForgetting()
    keyHolders.close()
    await shellsClosed
    await containers.writeActivity()
    await core.close()
  })
  return {
    async listen() {
      await refuseUnconfined(core)
      const { listen, operatorListen, 'ssh.listen': sshListen } = settings
      const sshAt = ssh && (await listenFor('ssh.listen', sshListen, () => ssh.gateway.listen(sshListen)))
      if (operator && operatorListen !== 'off') await listenAt(operator, 'operatorListen', operatorListen)
      const url = await listenAt(server, 'listen', listen)
      if (hasUnknownProxy(settings)) observe({ kind: 'proxies_unknown', publicUrl: settings.publicUrl })
      observe({ kind: 'started', url, ...(sshAt !== undefined && { ssh: sshAt }), node: process.version })
      return url
    },
    close() {
      stopping = true
      stop.abort()
      shellsClosed = Promise.all([ssh?.gateway.close(), terminals.close()])
      return shutDown()
    },
  }
}

export const openService = async (settings: Settings, options: ServiceOptions) =>
  serviceOver(await openCore(settings, options), settings, options)
