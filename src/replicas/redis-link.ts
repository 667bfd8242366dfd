// The link to a Redis: whether it is heard and takes writes, who is told of that, and the rule that nobody waits for an answer
// longer than a blink. While it is away, one knock at a time finds out whether it is back (redis-knock.ts).
import type { Observe } from '../observe.ts'
import type { Address } from './redis-address.ts'
import { codeOf } from './redis-client.ts'
import { createKnocking, type KnockingOptions } from './redis-knock.ts'
import { patienceMs, within } from './redis-patience.ts'

/** how long a start waits to be heard, before it goes on alone */
const openingMs = 1_000

export interface RedisState {
  /** for people: where it is, without a password */
  readonly place: string
  readonly up: boolean
  /** milliseconds of the steady clock: since when it is as it is */
  readonly since: number
  /** while it is away: the code of the error that says why */
  readonly reason?: string
}

export interface LinkOptions extends Pick<Address, 'place' | 'words'>, KnockingOptions {
  readonly observe: Observe
}

export interface Link {
  state(): RedisState
  /** what comes of it in time, or undefined; where the link is down it is not asked at all */
  ask(asked: () => Promise<unknown>): Promise<unknown>
  /** connects, and waits a while to be heard */
  open(): Promise<void>
  close(): void
}

function createStanding({ place, words, observe, steady }: LinkOptions) {
  let [up, since, reason, code] = [false, steady(), 'it does not answer', 'no_answer']
  let isOpen = false
  const heard = Promise.withResolvers<void>()
  const tellAway = () => observe({ kind: 'redis_away', place, reason })
  const because = (fresh: string, says: string) => void ([code, reason] = [fresh, says])
  return {
    because,
    state: (): RedisState => ({ place, up, since, ...(!up && { reason: code }) }),
    note: (error: Error) => because(codeOf(error), words(error)),
    become(isUp: boolean) {
      if (isUp) heard.resolve()
      if (up === isUp) return
      const lastedMs = steady() - since
      ;[up, since] = [isUp, steady()]
      if (!isOpen) return
      if (isUp) observe({ kind: 'redis_back', place, awayMs: Math.round(lastedMs) })
      else tellAway()
    },
    /** how a start went is told once, at its end */
    async begin() {
      await within(heard.promise, openingMs)
      isOpen = true
      if (!up) tellAway()
    },
  }
}

export function createLink(options: LinkOptions): Link {
  const { client, observe, place, words } = options
  const standing = createStanding(options)
  const knocking = createKnocking(options, standing)

  function silent() {
    standing.because('no_answer', `it has not answered for ${patienceMs} ms`)
    knocking.lose()
  }

  function failed(error: Error) {
    if (error.name !== 'ReplyError') {
      standing.note(error)
      return knocking.lose()
    }
    observe({ kind: 'redis_refused', place, reason: words(error) })
    knocking.refused(error)
  }

  client.on('error', standing.note)
  client.on('close', () => knocking.lose())
  client.on('ready', () => knocking.connected())

  return {
    state: standing.state,
    async ask(asked) {
      if (!standing.state().up) return undefined
      const answer = await within(asked().catch(failed), patienceMs, silent)
      if (answer !== undefined) knocking.heard()
      return answer
    },
    async open() {
      knocking.begin()
      client.connect().catch(standing.note)
      await standing.begin()
    },
    close: () => knocking.close(),
  }
}
