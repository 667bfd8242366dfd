// Limits log lines that callers without a key can cause: one line a second for equal events, with their number.
import { networkOf } from '../core/network.ts'
import type { Event } from '../core/events.ts'

export type SummedEvent = Event & { readonly count?: number }

const spareMs = 1_000
/** networks with lines of their own in a second; all others share one, which bounds a distributed attack */
const mostNetworks = 100
const others = 'others'

type Answered = Extract<Event, { kind: 'answered' }>

/** refused before authentication: later a request has the name of an operation */
const isKeyless = ({ keyId, status, operation, code }: Answered): boolean =>
  keyId === undefined && code !== undefined && status < 500 && (operation === 'unknown' || operation.startsWith('/'))

function floodOf(event: Event): string | undefined {
  if (event.kind === 'shed' || event.kind === 'redis_refused') return `${event.kind} ${event.reason}`
  if (event.kind === 'refused') return `refused ${event.code}`
  // the last one tells the current state
  if (event.kind === 'redis_away' || event.kind === 'redis_back') return 'redis'
  return event.kind === 'crowded' ? event.kind : undefined
}

const begin = (event: Event): SummedEvent => (event.kind === 'refused' ? event : { ...event, count: 1 })

class Floods {
  readonly #waiting = new Map<string, { last: Event | undefined; count: number }>()
  readonly #tell: (event: SummedEvent) => void
  #networks = 0

  constructor(tell: (event: SummedEvent) => void) {
    this.#tell = tell
  }

  take(event: Event) {
    if (event.kind === 'answered' && isKeyless(event)) return this.#takeKeyless(event)
    const name = floodOf(event)
    if (name === undefined) return this.#tell(event)
    return this.#isHeld(name, event) ? undefined : this.#pass(name, begin(event), false)
  }

  #takeKeyless(event: Answered) {
    const name = `answered ${networkOf(event.from)}`
    if (this.#isHeld(name, event)) return
    if (this.#networks < mostNetworks) return this.#pass(name, event, true)
    const [rest, one] = [`answered ${others}`, { ...event, from: others }]
    if (!this.#isHeld(rest, one)) this.#pass(rest, one, false)
  }

  #isHeld(name: string, event: Event): boolean {
    const held = this.#waiting.get(name)
    if (!held) return false
    held.last = event
    held.count++
    holding.add(this)
    return true
  }

  #pass(name: string, event: SummedEvent, isNetwork: boolean) {
    this.#tell(event)
    this.#waiting.set(name, { last: undefined, count: 0 })
    if (isNetwork) this.#networks++
    setTimeout(() => {
      const { last, count = 0 } = this.#waiting.get(name) ?? {}
      this.#waiting.delete(name)
      if (isNetwork) this.#networks--
      if (last) this.#pass(name, { ...last, count }, isNetwork)
      if (this.#waiting.size === 0) holding.delete(this)
    }, spareMs).unref()
  }

  flush() {
    for (const { last, count } of this.#waiting.values()) if (last) this.#tell({ ...last, count })
    this.#waiting.clear()
  }
}

const holding = new Set<Floods>()
// before the log stream, which then writes what it has gathered
process.prependListener('exit', () => {
  for (const floods of holding) floods.flush()
})

export function sparing(tell: (event: SummedEvent) => void): (event: Event) => void {
  const floods = new Floods(tell)
  return (event) => floods.take(event)
}
