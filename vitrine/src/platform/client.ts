// The only code that calls the platform, and only with GET. Each connection has a client of its own, so that trouble with one account
// stays there: equal reads share one call, each call waits for its turn, and what may well succeed is retried.
import { steadyMs } from '../../../base/core/abort.ts'
import { LRUCache } from 'lru-cache'
import type { PlatformDocument, PlatformRead } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import { Problem } from '../problems.ts'
import { isLate } from './abort.ts'
import { createNeutral, KeyRefusals } from './auth/key-refusals.ts'
import { createTokens, type Credential, Signer, type Tokens } from './auth/signer.ts'
import type { Resolve } from './call/address-lookup.ts'
import { createAnswerMemory } from './call/answer-memory.ts'
import { type AttemptParts, Attempts } from './call/attempt.ts'
import { createPools, type PoolsOptions, type Reach } from './call/pools.ts'
import type { ReadContext, Upstream, UpstreamState } from './port.ts'
import { Breakers, type BreakerNews } from './retry/breaker.ts'
import { Retry } from './retry/retry.ts'
import { LocalScheduler, type Scheduler } from './schedule/scheduler.ts'
import { SingleFlight } from './single-flight.ts'

export interface PlatformOptions extends Reach, Pick<PoolsOptions, 'outbound'> {
  readonly baseUrl: string
  readonly answerBytes?: number | undefined
  readonly now: () => number
  readonly steady?: (() => number) | undefined
  readonly resolve?: Resolve | undefined
  readonly leases?: (() => ReadSharing | undefined) | undefined
  readonly schedulerOf?: (() => MakeScheduler | undefined) | undefined
  readonly observe: Observe
}

/** makes the read here, or returns the result of an equal one in another process */
export type JoinRead = (
  name: string,
  context: ReadContext,
  make: (context: ReadContext) => Promise<PlatformDocument>,
) => Promise<PlatformDocument>

export interface ReadSharing {
  /** `identity`: of one connection with one credential; `shared` is called for each read that another process answered */
  of(identity: string, shared: () => void): JoinRead
  breakerNewsOf(identity: string): BreakerNews
}

export type Platform = ReturnType<typeof createPlatform>

export type MakeScheduler = (key: string) => Scheduler

interface AccountParts extends Omit<AttemptParts, 'breakers' | 'refusals' | 'signer'> {
  readonly credential: Credential
  readonly tokens: Tokens
  readonly join: JoinRead | undefined
  readonly others: BreakerNews | undefined
}

/** what equal reads have in common: `given` too, since a refusal names the caller's parameter */
function nameOf({ target, accept, given }: PlatformRead): string {
  let name = `${accept} ${target}`
  // no name of a parameter holds a space
  for (const [theirs, ours] of given) name += ` ${theirs} ${ours}`
  return name
}

const isPlatformError = (error: unknown, { signal }: ReadContext): error is Problem =>
  error instanceof Problem && error.row.type === 'upstream_error' && (!signal.aborted || isLate(signal))

/** what decides over a call, each told of its outcome */
function createParts(parts: AccountParts): AttemptParts & { retry: Retry } {
  const { connection, scheduler, others, steady, observe } = parts
  const isPaused = () => scheduler.state().pausedSec > 0
  const doubt = createNeutral({ make: (read, context) => attempts.make(read, context, 1), steady, isPaused })
  const changed = (state: UpstreamState['breaker']) => observe({ kind: 'breaker', connection, state })
  const breakers = new Breakers({ steady, changed, others, doubt })
  const paused = (pauseSec: number) => observe({ kind: 'key_rejected', connection, pauseSec })
  const skewed = (offsetSec: number) => observe({ kind: 'clock_offset', connection, offsetSec })
  const signer = new Signer({ ...parts, paused, skewed })
  const refusals = new KeyRefusals({ signer, steady, paused, doubt })
  const own = { ...parts, breakers, refusals, signer }
  const attempts = new Attempts(own)
  return { ...own, retry: new Retry(attempts, steady) }
}

class AccountClient implements Upstream {
  readonly #parts: ReturnType<typeof createParts>
  readonly #join: JoinRead | undefined
  readonly #flights: SingleFlight
  #lastAnswerAt: number | null = null
  #lastFailure: UpstreamState['lastFailure'] = null

  constructor(parts: AccountParts) {
    const { connection, join, steady, observe } = parts
    this.#parts = createParts(parts)
    this.#join = join
    this.#flights = new SingleFlight(steady, () => observe({ kind: 'shared', connection }))
  }

  get(read: PlatformRead, context: ReadContext): Promise<PlatformDocument> {
    if (context.trial || context.fresh) return this.#call(read, context)
    const join = read.withheld ? undefined : this.#join
    const name = nameOf(read)
    const make = (all: ReadContext) => this.#call(read, all)
    return this.#flights.join(name, context, join ? (all) => join(name, all, make) : make)
  }

  hour() {
    return this.#parts.scheduler.hour()
  }

  state(): UpstreamState {
    const { breakers, scheduler, refusals } = this.#parts
    return {
      ...breakers.state(),
      ...scheduler.state(),
      keyRejected: refusals.isRejected(),
      lastAnswerAt: this.#lastAnswerAt,
      lastFailure: this.#lastFailure,
    }
  }

  async #call(read: PlatformRead, context: ReadContext): Promise<PlatformDocument> {
    const { retry, now } = this.#parts
    try {
      const document = await retry.read(read, context)
      this.#lastAnswerAt = now()
      return document
    } catch (error) {
      if (isPlatformError(error, context)) this.#lastFailure = { at: now(), code: error.code }
      throw error
    }
  }
}

const unused: UpstreamState = {
  breaker: 'closed',
  retryAfterSec: null,
  pausedSec: 0,
  running: 0,
  waiting: 0,
  keyRejected: false,
  lastAnswerAt: null,
  lastFailure: null,
}

const mostKeys = 20_000

function createSchedulers(make: MakeScheduler) {
  const schedulers = new LRUCache<string, Scheduler>({ max: mostKeys })
  const keyOf = ({ issuerId = '', keyId }: Credential): string => `${issuerId} ${keyId}`
  return {
    of(credential: Credential): Scheduler {
      const key = keyOf(credential)
      const found = schedulers.get(key) ?? make(key)
      schedulers.set(key, found)
      return found
    },
    stateOf: (credential: Credential) => schedulers.peek(keyOf(credential))?.state(),
  }
}

export function createPlatform(options: PlatformOptions) {
  const { baseUrl, now, observe, concurrency, totalMs, steady = steadyMs } = options
  const origin = new URL(baseUrl).origin
  const tokens = createTokens(now)
  const pools = createPools({ ...options, origin, steady })
  const memory = createAnswerMemory({ most: options.answerBytes ?? Infinity, observe })
  const shed = () => observe({ kind: 'shed', reason: 'queue' })
  const schedulers = createSchedulers(
    (key) => options.schedulerOf?.()?.(key) ?? new LocalScheduler({ most: concurrency, steady, shed }),
  )

  function open(credential: Credential, connection: string, identity: string | undefined): Upstream {
    const leases = identity === undefined ? undefined : options.leases?.()
    // the settings may name another platform tomorrow, whose answers differ
    const shared = `${origin} ${identity}`
    const join = leases?.of(shared, () => observe({ kind: 'shared', connection }))
    const others = leases?.breakerNewsOf(shared)
    const scheduler = schedulers.of(credential)
    const common = { pools, tokens, memory, now, steady, totalMs, observe }
    return new AccountClient({ ...common, credential, connection, scheduler, join, others })
  }

  return {
    origin,
    answerBytes: memory.bytes,
    /** `identity`: the same in every process that reads this connection with this credential */
    bind: (credential: Credential, connection: string, identity?: string): Upstream => {
      // opened by its first read: a client takes 10 KB, and most of thousands of connections are not read
      let client: Upstream | undefined
      return {
        get: (read, context) => (client ??= open(credential, connection, identity)).get(read, context),
        hour: () => client?.hour(),
        state: () => client?.state() ?? { ...unused, ...schedulers.stateOf(credential) },
      }
    },
    close: () => pools.close(),
  }
}
