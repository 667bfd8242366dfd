// The link to a Redis: whether it is heard, who is told of that, and the rule that nobody waits for an answer longer than a
// blink. While it is away, one knock at a time finds out whether it is back.
import type { Observe } from '../observe.ts'
import type { Address } from './redis-address.ts'
import type { Client } from './redis-client.ts'

/** how long an answer may take before it is not waited for */
const patienceMs = 50
/** while it is away nobody asks but a knock, so often */
const knockMs = 100
/** a connection on which nothing is heard for so long is made anew */
const deafMs = 2_000
/** how long a start waits to be heard, before it goes on alone */
const openingMs = 1_000

export interface RedisState {
  /** for people: where it is, without a password */
  readonly place: string
  readonly up: boolean
  /** milliseconds of the steady clock: since when it is as it is */
  readonly since: number
}

export interface LinkOptions extends Pick<Address, 'place' | 'words'> {
  readonly client: Client
  readonly observe: Observe
  readonly steady: () => number
}

export interface Link {
  state(): RedisState
  /** what comes of it in time, or undefined; where the link is down it is not asked at all */
  ask(asked: () => Promise<unknown>): Promise<unknown>
  /** connects, and waits a while to be heard */
  open(): Promise<void>
  close(): void
}

/** Settles with `undefined` after so long; where this process itself stood still, what has come meanwhile is still heard. */
function within(promise: Promise<unknown>, mostMs: number, late = () => {}): Promise<unknown> {
  return new Promise((ok) => {
    const timer = setTimeout(() => {
      setImmediate(() => {
        if (settled) return
        settled = true
        late()
        ok(undefined)
      })
    }, mostMs)
    let settled = false
    const settle = (value: unknown) => {
      clearTimeout(timer)
      settled = true
      ok(value)
    }
    promise.then(settle, () => settle(undefined))
  })
}

function createStanding({ place, observe, steady }: LinkOptions) {
  let [up, since, reason] = [false, steady(), 'it does not answer']
  let isOpen = false
  const heard = Promise.withResolvers<void>()
  const tellAway = () => observe({ kind: 'redis_away', place, reason })
  return {
    state: (): RedisState => ({ place, up, since }),
    because: (words: string) => void (reason = words),
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

type Standing = ReturnType<typeof createStanding>

function createKnocking({ client, steady }: LinkOptions, standing: Standing) {
  let timer: NodeJS.Timeout | undefined
  let [heardAt, isKnocking, isClosed] = [steady(), false, false]

  async function knock() {
    if (isKnocking || client.status !== 'ready') return
    isKnocking = true
    const ping = client.ping().catch(() => undefined)
    const answer = await within(ping, patienceMs)
    isKnocking = false
    // anything else is the answer to another question
    if (answer === 'PONG') {
      clearInterval(timer)
      timer = undefined
      standing.become(true)
    } else if (steady() - heardAt > deafMs) {
      heardAt = steady()
      client.disconnect(true)
    }
  }

  return {
    lose() {
      if (isClosed) return
      standing.become(false)
      timer ??= setInterval(() => void knock(), knockMs).unref()
    },
    connected() {
      heardAt = steady()
      void knock()
    },
    heard: () => void (heardAt = steady()),
    close() {
      isClosed = true
      clearInterval(timer)
      client.disconnect()
    },
  }
}

export function createLink(options: LinkOptions): Link {
  const { client, observe, place, words } = options
  const standing = createStanding(options)
  const knocking = createKnocking(options, standing)
  const note = (error: Error) => standing.because(words(error))

  function silent() {
    standing.because(`it has not answered for ${patienceMs} ms`)
    knocking.lose()
  }

  /** a command that was understood and refused is a defect, and told: no silence */
  function failed(error: Error) {
    note(error)
    if (error.name === 'ReplyError') observe({ kind: 'redis_refused', place, reason: words(error) })
    else knocking.lose()
  }

  client.on('error', note)
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
      knocking.lose()
      client.connect().catch(note)
      await standing.begin()
    },
    close: () => knocking.close(),
  }
}
