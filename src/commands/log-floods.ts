// Sums up events that callers can cause by the thousand, without a key or beyond a bound: one line a second for those that
// are alike, with their number. The log of a flood must not add to it.
import { neighbourhoodOf } from '../http/lock-out.ts'
import type { Event } from '../observe.ts'

/** `count`: how many of its kind a line stands for */
export type Told = Event & { readonly count?: number }

const spareMs = 1_000
/** networks that have lines of their own in one second; all others share one, so that a wide attacker writes no more */
const mostNetworks = 100
const others = 'others'

type Answered = Extract<Event, { kind: 'answered' }>

/** refused before a key or an operator was recognised: from then on a request has the name of an operation */
const isKeyless = ({ keyId, status, operation, code }: Answered): boolean =>
  keyId === undefined && code !== undefined && status < 500 && (operation === 'unknown' || operation.startsWith('/'))

/** what an event is summed up with; undefined: it has a line of its own */
function floodOf(event: Event): string | undefined {
  if (event.kind === 'shed' || event.kind === 'redis_refused') return `${event.kind} ${event.reason}`
  if (event.kind === 'refused') return `refused ${event.code}`
  // the last of them says how it stands
  if (event.kind === 'redis_away' || event.kind === 'redis_back') return 'redis'
  return event.kind === 'crowded' ? event.kind : undefined
}

/** the first of a second; the line of a request, or of bytes that are none, stands for itself alone and says no count */
const begin = (event: Event): Told => (event.kind === 'refused' ? event : { ...event, count: 1 })

class Floods {
  /** of those that were told within the last second: what came after, and how much of it */
  readonly #waiting = new Map<string, { last: Event | undefined; count: number }>()
  readonly #tell: (event: Told) => void
  /** of the names in `#waiting`, those of a network */
  #networks = 0

  constructor(tell: (event: Told) => void) {
    this.#tell = tell
  }

  take(event: Event) {
    if (event.kind === 'answered' && isKeyless(event)) return this.#takeKeyless(event)
    const name = floodOf(event)
    if (name === undefined) return this.#tell(event)
    return this.#isHeld(name, event) ? undefined : this.#pass(name, begin(event), false)
  }

  #takeKeyless(event: Answered) {
    const name = `answered ${neighbourhoodOf(event.from)}`
    if (this.#isHeld(name, event)) return
    if (this.#networks < mostNetworks) return this.#pass(name, event, true)
    const [rest, one] = [`answered ${others}`, { ...event, from: others }]
    if (!this.#isHeld(rest, one)) this.#pass(rest, one, false)
  }

  /** true where its line is the one of a second that has begun */
  #isHeld(name: string, event: Event): boolean {
    const held = this.#waiting.get(name)
    if (!held) return false
    held.last = event
    held.count++
    holding.add(this)
    return true
  }

  #pass(name: string, event: Told, isNetwork: boolean) {
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

  /** what is held, since the process ends */
  flush() {
    for (const { last, count } of this.#waiting.values()) if (last) this.#tell({ ...last, count })
    this.#waiting.clear()
  }
}

/** those that may hold something when the process ends */
const holding = new Set<Floods>()
// before the outlet, which then writes what it has gathered
process.prependListener('exit', () => {
  for (const floods of holding) floods.flush()
})

export function sparing(tell: (event: Told) => void): (event: Event) => void {
  const floods = new Floods(tell)
  return (event) => floods.take(event)
}
