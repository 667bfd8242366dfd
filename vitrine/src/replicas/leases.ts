// Equal reads in several replicas make one platform call. The replica that takes the lease makes it; the others wait for the
// outcome, and call by themselves where the leader fell silent or Redis is down.
import { setTimeout as pause } from 'node:timers/promises'
import { AbortGroup } from '../../../base/core/abort.ts'
import { Holder } from '../../../base/core/holder.ts'
import { createRandomPool, type RandomSource } from '../../../base/core/digest-and-random.ts'
import type { PlatformDocument } from '../engine/port.ts'
import type { ReadContext } from '../platform/port.ts'
import type { JoinRead } from '../platform/client.ts'
import { problemOfAbort } from '../problems.ts'
import { WakeUps } from './wake-ups.ts'
import { createSealedMessages } from '../../../base/redis/sealed-messages.ts'
import { createBreakerNews } from './breaker-news.ts'
import { LeaderRequest } from './leader-request.ts'
import { ReadingTurns } from './reading-turns.ts'
import { aliveMs, beatMs, createLeaseMessages, type LeaseState, type LeaseMessages } from './lease-messages.ts'
import { isPlatformProblem, packDocument, packProblem } from './call-outcome.ts'
import type { Redis } from '../../../base/redis/redis.ts'

/** how often a waiting replica polls, in case it missed the message */
const lookMs = 300
/** how soon an unanswered end of a lease is sent again */
const againMs = 100
/** leaders without an outcome, one after the other, before a replica calls by itself */
const mostRounds = 4

export interface LeasesOptions {
  readonly redis: Redis
  readonly secret: Uint8Array
  readonly steady: () => number
}

export type Leases = ReturnType<typeof createLeases>

interface Parts extends Pick<LeasesOptions, 'steady'> {
  readonly turns: ReadingTurns
  readonly messages: LeaseMessages
  readonly stop: AbortGroup
  readonly random: RandomSource
}

interface Asking {
  readonly lease: string
  readonly context: ReadContext
  readonly make: (context: ReadContext) => Promise<PlatformDocument>
}

/** Ends a lease that Redis did not confirm. Replicas waiting by now may have asked after the answer: they get no outcome. */
async function endLeaseLater(messages: LeaseMessages, lease: string, token: string) {
  for (let leftMs = aliveMs; leftMs > 0; leftMs -= againMs) {
    await pause(againMs, undefined, { ref: false })
    const isAwaited = await messages.leave(lease, token)
    if (isAwaited) messages.publish(lease, token, undefined)
    if (isAwaited !== undefined) return
  }
}

async function lead({ messages, steady, stop, turns }: Parts, { lease, context: own, make }: Asking, token: string) {
  const beat = setInterval(() => messages.renew(token), beatMs).unref()
  let left: Promise<boolean | undefined> | undefined
  // before the answer: a read that starts after it must not join this call
  const leave = () => (left ??= messages.leave(lease, token))
  const isStillAwaited = () => messages.isAwaited(token)
  const onArrival = async (bytes: number) => {
    await leave()
    await turns.wait(bytes)
  }
  const context = new LeaderRequest(own, { steady, stop, isAwaited: isStillAwaited, onArrival })
  const callsBefore = context.cost.calls
  let outcome: (() => Buffer) | undefined
  try {
    // all local callers may have left while Redis was asked
    if (own.signal.aborted) throw problemOfAbort(own.signal)
    const document = await make(context)
    outcome = () => packDocument(document.peek())
    return document
  } catch (error) {
    if (isPlatformProblem(error, context, callsBefore)) outcome = () => packProblem(error)
    throw error
  } finally {
    context.end()
    clearInterval(beat)
    const isAwaited = await leave()
    if (isAwaited === undefined) void endLeaseLater(messages, lease, token)
    else if (isAwaited) messages.publish(lease, token, outcome?.())
  }
}

type Wait = (mostMs: number) => Promise<void>

type Patience = ReturnType<typeof patienceOf>

/** at most half of the deadline: after that, an own call would not fit in */
function patienceOf(context: ReadContext, steady: () => number, wait: Wait) {
  const begunAt = steady()
  return { wait, leftMs: () => (context.endsAt - begunAt) / 2 - (steady() - begunAt) }
}

async function waitForLeader(
  messages: LeaseMessages,
  { lease, context }: Asking,
  by: string,
  patience: Patience,
): Promise<LeaseState> {
  for (;;) {
    const leftMs = patience.leftMs()
    if (leftMs <= 0) return 'alone'
    await patience.wait(Math.min(lookMs, leftMs))
    if (context.signal.aborted) throw problemOfAbort(context.signal)
    const state = await messages.read(lease, by)
    if (state !== 'under way') return state
  }
}

async function join(parts: Parts, asking: Asking, shared: () => void, wait: Wait): Promise<PlatformDocument> {
  const { lease, context, make } = asking
  const patience = patienceOf(context, parts.steady, wait)
  for (let round = 0; round < mostRounds; round++) {
    const token = parts.random(16).toString('base64url')
    const by = await parts.messages.enter(lease, token)
    if (by === null) return lead(parts, asking, token)
    if (by === undefined) break
    const state = await waitForLeader(parts.messages, asking, by, patience)
    if (state === 'alone') break
    if (state === 'silent' || state === 'under way') continue
    context.cost.shared++
    shared()
    if ('problem' in state) throw state.problem
    return new Holder(state.document)
  }
  return make(context)
}

export function createLeases({ redis, secret, steady }: LeasesOptions) {
  const sealed = createSealedMessages(secret, 'vitrine equal reads 1')
  const messages = createLeaseMessages(redis, sealed)
  const wakeUps = new WakeUps()
  const parts = { messages, steady, stop: new AbortGroup(), turns: new ReadingTurns(), random: createRandomPool() }
  messages.listen((lease) => wakeUps.wake(lease))
  const news = createBreakerNews(redis, steady)

  return {
    of:
      (identity: string, shared: () => void): JoinRead =>
      (name, context, make) => {
        if (!redis.isUp()) return make(context)
        const lease = sealed.nameOf(identity, name)
        const wakeUp = wakeUps.add(lease)
        const wait: Wait = (mostMs) => wakeUp.wait(mostMs, context.signal)
        return join(parts, { lease, context, make }, shared, wait).finally(() => wakeUps.remove(wakeUp))
      },
    breakerNewsOf: (identity: string) => news.of(sealed.nameOf('hearsay', identity)),
    /** aborts the calls that go on for other replicas */
    close: () => parts.stop.abort(new DOMException('the service stops', 'AbortError')),
  }
}
