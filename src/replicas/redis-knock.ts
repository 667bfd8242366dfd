// Finds out whether a Redis takes writes: often while it is away, now and then while it is there, and at once when it refuses
// something. A connection to one that refuses is left, since its address may lead to another server by now.
import { type Client, codeOf } from './redis-client.ts'
import { patienceMs, within } from './redis-patience.ts'

/** while it is away nobody asks but a knock, so often; and so often is it tried while it is there */
const [knockMs, checkMs] = [100, 1_000]
/** a connection on which nothing is heard for so long is made anew */
const deafMs = 2_000
/** so long at least, and at most, between two connections that are left because of a refusal */
const [shortestStayMs, longestStayMs] = [100, 1_000]
/** one that refuses again so soon is believed later each time: it may be full, and have room for a moment */
const relapseMs = 10_000
const [shortestDoubtMs, longestDoubtMs] = [250, 10_000]

/** codes by which a server says that it takes no writes, whatever is asked; others may be about one command */
const refusals = new Set(['READONLY', 'OOM', 'MISCONF', 'NOREPLICAS', 'LOADING', 'MASTERDOWN', 'NOAUTH', 'WRONGPASS'])

export interface KnockingOptions {
  readonly client: Client
  /** whether it takes writes; rejects with its refusal */
  readonly prove: () => Promise<boolean>
  /** a connection that was made anew takes writes */
  readonly renewed: () => void
  readonly steady: () => number
}

interface Standing {
  state(): { readonly up: boolean }
  become(isUp: boolean): void
  note(error: Error): void
}

/** leaves connections that refuse, at bounded intervals: its address may lead to such a server for hours */
function createLeaving(client: Client, steady: () => number) {
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

/** whether a server that takes writes now is believed */
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

/** what is concluded from what the server says, or does not say */
function createVerdicts({ client, steady, renewed }: KnockingOptions, standing: Standing) {
  const [leaving, trust] = [createLeaving(client, steady), createTrust(steady)]
  let [heardAt, refusedAt, isNew] = [steady(), Number.NEGATIVE_INFINITY, false]
  return {
    heard: () => void (heardAt = steady()),
    connected: () => void ([heardAt, isNew] = [steady(), true]),
    /** what was written before a refusal says nothing of the time after it */
    written(askedAt: number) {
      if (standing.state().up || askedAt <= refusedAt || trust.isDoubted()) return
      trust.trust()
      leaving.settle()
      standing.become(true)
      if (isNew) renewed()
      isNew = false
    },
    refused(error: Error) {
      refusedAt = heardAt = steady()
      trust.refused(standing.state().up)
      standing.note(error)
      standing.become(false)
      leaving.leave()
    },
    silent() {
      if (standing.state().up || steady() - heardAt <= deafMs) return
      heardAt = steady()
      client.disconnect(true)
    },
  }
}

/** one at a time */
function createKnock({ client, steady, prove }: KnockingOptions, verdicts: ReturnType<typeof createVerdicts>) {
  let isUnderWay = false
  return async () => {
    if (isUnderWay || client.status !== 'ready') return
    isUnderWay = true
    const askedAt = steady()
    const proof = prove().catch((error: Error) => error)
    const answer = await within(proof, patienceMs)
    isUnderWay = false
    if (answer === true) verdicts.written(askedAt)
    else if (answer instanceof Error && answer.name === 'ReplyError') verdicts.refused(answer)
    else verdicts.silent()
  }
}

export function createKnocking(options: KnockingOptions, standing: Standing) {
  const verdicts = createVerdicts(options, standing)
  const knock = createKnock(options, verdicts)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const knockNow = () => void knock().finally(() => isClosed || plan())

  function plan() {
    clearTimeout(timer)
    timer = setTimeout(knockNow, standing.state().up ? checkMs : knockMs).unref()
  }

  /** the next knock is soon */
  function lose(why?: Error) {
    if (isClosed) return
    if (why) verdicts.refused(why)
    else standing.become(false)
    plan()
  }

  return {
    lose: () => lose(),
    begin: plan,
    refused: (error: Error) => (refusals.has(codeOf(error)) ? lose(error) : knockNow()),
    connected() {
      verdicts.connected()
      knockNow()
    },
    heard: verdicts.heard,
    close() {
      isClosed = true
      clearTimeout(timer)
      options.client.disconnect()
    },
  }
}
