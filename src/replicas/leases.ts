// Equal reads that are under way in several replicas are one platform call. Whoever takes the lease calls; who comes meanwhile
// waits, and is handed what came of it. Nobody waits for a silent one, nor, where the Redis is away, for anybody.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Finale } from '../ending.ts'
import type { Errand } from '../engine/port.ts'
import type { Leases as Port } from '../platform/client.ts'
import { endOf } from '../platform/time.ts'
import { createBells } from './bells.ts'
import { createEnvelopes } from './envelopes.ts'
import { createHearsay } from './hearsay.ts'
import { createLead } from './lead.ts'
import { aliveMs, beatMs, createLeaseWords, type Heard, type LeaseWords } from './lease-words.ts'
import { isPlatforms, packDocument, packProblem } from './outcome.ts'
import type { Redis } from './redis.ts'

/** a word that was missed is looked for so often */
const lookMs = 300
/** an end that was not heard is told again so soon */
const againMs = 100
/** one call after another that came to nothing: then everybody calls for himself */
const mostRounds = 4

export interface LeasesOptions {
  readonly redis: Redis
  /** what the replicas of this installation have in common, and nobody else has */
  readonly secret: Uint8Array
  readonly steady: () => number
}

export interface Leases extends Port {
  /** ends what goes on for others alone */
  close(): void
}

interface Parts extends Pick<LeasesOptions, 'steady'> {
  readonly words: LeaseWords
  readonly stop: Finale
}

/** one read that is under way here, and its name everywhere */
interface Asking {
  readonly lease: string
  readonly errand: Errand
  readonly make: (errand: Errand) => Promise<unknown>
}

/**
 * Who was not heard would be waited for as long as he is believed to be there. Those who wait by now may have asked behind his
 * answer: they are not told it.
 */
async function leaveLater(words: LeaseWords, lease: string, token: string) {
  for (let leftMs = aliveMs; leftMs > 0; leftMs -= againMs) {
    await pause(againMs, undefined, { ref: false })
    const isAwaited = await words.leave(lease, token)
    if (isAwaited) words.tell(lease, token, undefined)
    if (isAwaited !== undefined) return
  }
}

async function lead({ words, steady, stop }: Parts, { lease, errand: own, make }: Asking, token: string) {
  const beat = setInterval(() => words.beat(token), beatMs).unref()
  const one = createLead(own, { steady, stop, isAwaited: () => words.isAwaited(token) })
  const { errand } = one
  const callsBefore = errand.cost.calls
  let told: (() => Buffer) | undefined
  try {
    // while it was asked whose the lease is, everybody here has left
    if (own.signal.aborted) throw endOf(own.signal)
    const document = await make(errand)
    told = () => packDocument(document)
    return document
  } catch (error) {
    if (isPlatforms(error, errand, callsBefore)) told = () => packProblem(error)
    throw error
  } finally {
    one.end()
    clearInterval(beat)
    // before it is answered: who asks behind the answer is told nothing older
    const isAwaited = await words.leave(lease, token)
    if (isAwaited === undefined) void leaveLater(words, lease, token)
    else if (isAwaited) words.tell(lease, token, told?.())
  }
}

/** a wait for others: until a word of them may have come, or this time is over */
type Wait = (mostMs: number) => Promise<void>

interface Patience {
  readonly wait: Wait
  /** milliseconds that are left for waiting */
  leftMs(): number
}

/** half of the time, for one after another of those who call: whoever waits for longer could not call any more himself */
function patienceOf(errand: Errand, steady: () => number, wait: Wait): Patience {
  const begunAt = steady()
  return { wait, leftMs: () => (errand.endsAt - begunAt) / 2 - (steady() - begunAt) }
}

async function hear(words: LeaseWords, { lease, errand }: Asking, by: string, patience: Patience): Promise<Heard> {
  for (;;) {
    const leftMs = patience.leftMs()
    if (leftMs <= 0) return 'alone'
    await patience.wait(Math.min(lookMs, leftMs))
    if (errand.signal.aborted) throw endOf(errand.signal)
    const heard = await words.look(lease, by)
    if (heard !== 'under way') return heard
  }
}

async function join(parts: Parts, asking: Asking, shared: () => void, wait: Wait): Promise<unknown> {
  const { lease, errand, make } = asking
  const patience = patienceOf(errand, parts.steady, wait)
  for (let round = 0; round < mostRounds; round++) {
    const token = randomBytes(16).toString('base64url')
    const by = await parts.words.enter(lease, token)
    if (by === null) return lead(parts, asking, token)
    if (by === undefined) break
    const heard = await hear(parts.words, asking, by, patience)
    if (heard === 'alone') break
    if (heard === 'silent' || heard === 'under way') continue
    errand.cost.shared++
    shared()
    if ('problem' in heard) throw heard.problem
    return heard.document
  }
  return make(errand)
}

export function createLeases({ redis, secret, steady }: LeasesOptions): Leases {
  const envelopes = createEnvelopes(secret, 'vitrine equal reads 1')
  const words = createLeaseWords(redis, envelopes)
  const bells = createBells()
  const parts = { words, steady, stop: new Finale() }
  words.listen((lease) => bells.ring(lease))
  const hearsay = createHearsay(redis, steady)

  return {
    of: (identity, shared) => (name, errand, make) => {
      if (!redis.isUp()) return make(errand)
      const lease = envelopes.nameOf(identity, name)
      const bell = bells.hang(lease)
      const wait: Wait = (mostMs) => bell.wait(mostMs, errand.signal)
      return join(parts, { lease, errand, make }, shared, wait).finally(() => bell.takeDown())
    },
    hearsayOf: (identity) => hearsay.of(envelopes.nameOf('hearsay', identity)),
    close: () => parts.stop.abort(new DOMException('the service stops', 'AbortError')),
  }
}
