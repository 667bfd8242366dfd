// Puts the operator endpoint together. Where it is off, nothing of it is loaded: it is 14 MB, and 50 ms of a start.
import { timingSafeEqual } from 'node:crypto'
import { createOperatorTokens, type OperatorTokens } from '../../../base/auth/operator-token.ts'
import { isLoopback } from '../../../base/core/setting-values.ts'
import type { HttpServer, ServerOptions } from '../../../base/web/server.ts'
import type { Route } from '../catalogue/define.ts'
import { type Core } from '../core/core.ts'
import { type Secrets, within } from '../core/located.ts'
import { once } from '../derive/derived-texts.ts'
import type { Observe } from '../events.ts'
import type { History } from '../history/history.ts'
import type { HourKeeper } from '../history/hour-keeper.ts'
import type { Metrics } from '../metrics.ts'
import type { OperatorServerParts } from '../operator/operator-server.ts'
import type { ProviderSignIn } from '../management/operation.ts'
import type { Doctor } from '../management/examination.ts'
import type { ExplorerParts } from '../management/explorer.ts'
import { product } from '../product.ts'
import type { Shared } from '../replicas/shared.ts'
import type { Settings } from '../settings.ts'
import { version } from '../version.ts'

interface TokenOptions {
  readonly folder: string
  readonly secrets: Secrets
  readonly observe: Observe
}

/** Refuses an address that the network reaches where no token is set. */
export function openTokens({ operatorListen, operatorTokenFile }: Settings, options: TokenOptions) {
  const { folder, secrets, observe } = options
  const tokens = createOperatorTokens({
    product,
    ...(secrets.operatorToken !== undefined && { fixed: secrets.operatorToken }),
    ...(operatorTokenFile !== undefined && { file: within(folder, operatorTokenFile) }),
    observe,
  })
  if (operatorListen !== 'off' && !isLoopback(operatorListen) && !tokens.isConfigured)
    throw new Error(
      `operatorListen: the operator endpoint would be open to the network at ${operatorListen.host} without a token. Set VITRINE_OPERATOR_TOKEN or operatorTokenFile, or listen on loopback, or set it to off.`,
    )
  return tokens
}

/** Metrics and history, which only the operator endpoint shows. `clock`: never set back. */
export async function openWatch({ operatorListen }: Settings, routes: readonly Route[], clock: () => number) {
  if (operatorListen === 'off') return undefined
  const [{ createMetrics }, { createHistory }, { metricLabels }] = await Promise.all([
    import('../metrics.ts'),
    import('../history/history.ts'),
    import('./metric-labels.ts'),
  ])
  const labels = metricLabels(routes)
  return { metrics: createMetrics(labels), history: createHistory({ ...labels, clock }) }
}

async function describe(): Promise<string> {
  const { describeOperator } = await import('../management/description.ts')
  return JSON.stringify(describeOperator())
}

/** of a service that was opened without one, as tests do */
const noDoctor: Doctor = {
  ids: () => [],
  examine: () => Promise.reject(new Error('this service was started without its doctor')),
}

/** sessions of the provider hold while it is configured, with the secret that it has now */
function withProvider(tokens: OperatorTokens, provider: ProviderSignIn | undefined): OperatorTokens {
  if (!provider) return tokens
  const { credential } = provider
  return {
    ...tokens,
    isValid: (digest) => tokens.isValid(digest) || timingSafeEqual(credential().digest, digest),
    validTokens: () => [...tokens.validTokens(), credential()],
  }
}

interface OperatorParts
  extends
    ServerOptions,
    Pick<OperatorServerParts, 'stopping' | 'ready' | 'reference' | 'now' | 'observe' | 'forms' | 'pace'> {
  readonly tokens: OperatorTokens
  readonly shared: Shared
  readonly metrics: Metrics
  readonly history: History
  readonly doctor: Doctor | undefined
  readonly reads: Omit<ExplorerParts, 'connections'>
  readonly provider: ProviderSignIn | undefined
  readonly publicUrl: () => string
  readonly hours: HourKeeper
}

/** `since` is computed once: setting the clock does not change it */
function showShared({ redis, presence }: Shared, now: () => number, steady: () => number) {
  const begun = now() - steady()
  return {
    replicas: presence.count,
    countedBy: presence.countedBy,
    redis: () => {
      const state = redis?.state()
      return state ? { ...state, since: Math.round(begun + state.since) } : null
    },
  }
}

async function shareOver({ redis }: Shared, store: Core['store']): Promise<OperatorServerParts['share']> {
  if (!redis) return undefined
  const { shareSessions } = await import('../replicas/shared-sessions.ts')
  return shareSessions(redis, store)
}

export async function openOperatorEndpoint(core: Core, parts: OperatorParts): Promise<HttpServer> {
  const { doctor = noDoctor, reads, metrics, history, shared, ...rest } = parts
  const { createOperatorServer } = await import('../operator/operator-server.ts')
  const { createExaminations } = await import('../management/examination.ts')
  const { createExplorer } = await import('../management/explorer.ts')
  const { keys, connectionAdmin, rotation, store, connections } = core
  const [begunMs, startedAt] = [performance.now(), rest.now()]
  const metricsText = async (): Promise<string> => {
    const isReady = await rest.ready().then(
      () => true,
      () => false,
    )
    const [now, soonMs] = [rest.now(), 7 * 86_400_000]
    const keysEnding = await store.keys.ending(now, now + soonMs).catch(() => undefined)
    return metrics.text(connections.opened(), {
      keysEnding,
      version,
      startedAt,
      isReady,
      replicas: shared.presence.count(),
      isRedisUp: shared.redis?.isUp(),
      isStoreUp: shared.outage?.isStoreUp(),
      answerBytes: core.platform.answerBytes(),
    })
  }
  return createOperatorServer({
    ...rest,
    tokens: withProvider(rest.tokens, rest.provider),
    share: await shareOver(shared, store),
    keys,
    connectionAdmin,
    rotation,
    audit: store.audit,
    connections,
    history,
    unpublishedUntil: () => shared.outage?.unpublishedUntil(),
    explorer: createExplorer({ ...reads, connections }),
    examinations: createExaminations(doctor, rest.now),
    metrics: metricsText,
    service: {
      version,
      publicUrl: rest.publicUrl,
      startedAt,
      uptimeMs: () => performance.now() - begunMs,
      ...showShared(shared, rest.now, reads.steady),
    },
    description: once(describe),
  })
}
