// The state of a Redis, and a limit on every answer: no caller waits longer for it than answerMs. Its health is checked in
// redis-health.ts.
import { withDeadline } from '../core/abort.ts'
import type { Observe } from '../core/events.ts'
import type { RedisAddress } from './redis-address.ts'
import { redisErrorCode } from './redis-client.ts'
import { createHealthChecks, type HealthCheckOptions, answerMs } from './redis-health.ts'

const openingMs = 1_000

export interface LinkOptions extends Pick<RedisAddress, 'place' | 'words'>, HealthCheckOptions {
  readonly observe: Observe
}

function createState({ place, words, observe, steady }: LinkOptions) {
  let [up, since, reason, code] = [false, steady(), 'it does not answer', 'no_answer']
  let isOpen = false
  const backListeners: (() => void)[] = []
  const heard = Promise.withResolvers<void>()
  const reportDown = () => observe({ kind: 'redis_away', place, reason })
  const because = (fresh: string, says: string) => void ([code, reason] = [fresh, says])
  return {
    because,
    whenBack: (act: () => void) => void backListeners.push(act),
    state: () => ({ place, up, since, ...(!up && { reason: code }) }),
    note: (error: Error) => because(redisErrorCode(error), words(error)),
    become(isUp: boolean) {
      if (isUp) heard.resolve()
      if (up === isUp) return
      const lastedMs = steady() - since
      ;[up, since] = [isUp, steady()]
      if (!isOpen) return
      if (!isUp) return reportDown()
      observe({ kind: 'redis_back', place, awayMs: Math.round(lastedMs) })
      for (const act of backListeners) act()
    },
    async begin() {
      await withDeadline(heard.promise, openingMs, () => {})
      isOpen = true
      if (!up) reportDown()
    },
  }
}

export function createRedisLink(options: LinkOptions) {
  const { client, observe, place, words } = options
  const state = createState(options)
  const health = createHealthChecks(options, state)

  function noAnswer() {
    state.because('no_answer', `it has not answered for ${answerMs} ms`)
    health.goDown()
  }

  function failed(error: Error) {
    if (error.name !== 'ReplyError') {
      state.note(error)
      return health.goDown()
    }
    observe({ kind: 'redis_refused', place, reason: words(error) })
    health.refused(error)
  }

  client.on('error', state.note)
  client.on('close', () => health.goDown())
  client.on('ready', () => health.connected())

  return {
    state: state.state,
    whenBack: state.whenBack,
    /** the answer, or undefined where none came in time; sends nothing while the link is down */
    async ask(asked: () => Promise<unknown>): Promise<unknown> {
      if (!state.state().up) return undefined
      const answer = await withDeadline(asked().catch(failed), answerMs, noAnswer)
      if (answer !== undefined) health.heard()
      return answer
    },
    async open() {
      health.begin()
      client.connect().catch(state.note)
      await state.begin()
    },
    close: () => health.close(),
  }
}
