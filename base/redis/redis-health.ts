// Finds out by writes whether a Redis is usable: often while it is down, now and then while it is up, and at once after a
// refusal. A connection that refuses is closed, since the address may lead to another server by now.
import { withDeadline } from '../core/abort.ts'
import { type RedisClient, redisErrorCode } from './redis-client.ts'

export const answerMs = 50

const [downCheckMs, upCheckMs] = [100, 1_000]
const silenceMs = 2_000
/** the shortest and longest time between two connections closed because of a refusal */
const [shortestStayMs, longestStayMs] = [100, 1_000]
/** a server that soon refuses again is trusted later each time: it may be full, with room for a moment */
const relapseMs = 10_000
const [shortestDoubtMs, longestDoubtMs] = [250, 10_000]

/** errors that mean no writes at all; others may concern one command */
const refusals = new Set(['READONLY', 'OOM', 'MISCONF', 'NOREPLICAS', 'LOADING', 'MASTERDOWN', 'NOAUTH', 'WRONGPASS'])

export interface HealthCheckOptions {
  readonly client: RedisClient
  readonly prove: () => Promise<boolean>
  readonly renewed: () => void
  readonly steady: () => number
}

interface Reported {
  state(): { readonly up: boolean }
  become(isUp: boolean): void
  note(error: Error): void
}

/** closes connections that refuse, but not too often: the address may lead to such a server for hours */
function createLeaving(client: RedisClient, steady: () => number) {
  let [stayMs, stayUntil] = [0, Number.NEGATIVE_INFINITY]
  return {
    leave() {
      if (steady() < stayUntil) return
      client.disconnect(true)
      stayMs = Math.min(longestStayMs, Math.max(shortestStayMs, 2 * stayMs))
      stayUntil = steady() + stayMs
    },
    settle: () => void (stayMs = 0),
  }
}

function createTrust(steady: () => number) {
  let [doubtMs, doubtedUntil, trustedAt] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return {
    refused(wasUp: boolean) {
      const isRelapse = steady() - trustedAt < relapseMs
      if (wasUp) doubtMs = isRelapse ? Math.min(longestDoubtMs, Math.max(shortestDoubtMs, 2 * doubtMs)) : 0
      doubtedUntil = steady() + doubtMs
    },
    isDoubted: () => steady() < doubtedUntil,
    trust: () => void (trustedAt = steady()),
  }
}

function createConclusions({ client, steady, renewed }: HealthCheckOptions, reported: Reported) {
  const [leaving, trust] = [createLeaving(client, steady), createTrust(steady)]
  let [heardAt, refusedAt, isNew] = [steady(), Number.NEGATIVE_INFINITY, false]
  return {
    heard: () => void (heardAt = steady()),
    connected: () => void ([heardAt, isNew] = [steady(), true]),
    /** a write from before a refusal proves nothing for the time after it */
    written(askedAt: number) {
      heardAt = steady()
      if (reported.state().up || askedAt <= refusedAt || trust.isDoubted()) return
      trust.trust()
      leaving.settle()
      reported.become(true)
      if (isNew) renewed()
      isNew = false
    },
    refused(error: Error) {
      refusedAt = heardAt = steady()
      trust.refused(reported.state().up)
      reported.note(error)
      reported.become(false)
      leaving.leave()
    },
    /** without callers, nothing else finds a connection on which nothing comes back */
    silent() {
      if (steady() - heardAt <= silenceMs) return
      heardAt = steady()
      reported.note(Object.assign(new Error(`it has not answered for ${silenceMs} ms`), { code: 'no_answer' }))
      reported.become(false)
      client.disconnect(true)
    },
  }
}

function createCheck({ client, steady, prove }: HealthCheckOptions, conclusions: ReturnType<typeof createConclusions>) {
  let isUnderWay = false
  return async () => {
    if (isUnderWay || !client.isReady) return
    isUnderWay = true
    const askedAt = steady()
    const proof = prove().catch((error: Error) => error)
    const answer = await withDeadline(proof, answerMs, () => {})
    isUnderWay = false
    if (answer === true) conclusions.written(askedAt)
    else if (answer instanceof Error && answer.name === 'ReplyError') conclusions.refused(answer)
    else conclusions.silent()
  }
}

export function createHealthChecks(options: HealthCheckOptions, reported: Reported) {
  const conclusions = createConclusions(options, reported)
  const check = createCheck(options, conclusions)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const checkNow = () => void check().finally(() => isClosed || plan())

  function plan() {
    clearTimeout(timer)
    timer = setTimeout(checkNow, reported.state().up ? upCheckMs : downCheckMs).unref()
  }

  function goDown(why?: Error) {
    if (isClosed) return
    if (why) conclusions.refused(why)
    else reported.become(false)
    plan()
  }

  return {
    goDown: () => goDown(),
    begin: plan,
    refused: (error: Error) => (refusals.has(redisErrorCode(error)) ? goDown(error) : checkNow()),
    connected() {
      conclusions.connected()
      checkNow()
    },
    heard: conclusions.heard,
    close() {
      isClosed = true
      clearTimeout(timer)
      options.client.disconnect()
    },
  }
}
