// Who fails again and again is not heard for a while. Neighbours count as one: an address costs little.
import { isIPv4 } from 'node:net'

interface Failures {
  count: number
  /** of the window, or of the lock-out */
  endsAt: number
  lockedOut: boolean
  told: boolean
}

export interface LockOut {
  /** whole seconds until this address is heard again; 0: now */
  waitOf(address: string): number
  failed(address: string): void
  /** who brings no token guesses nothing and is not locked out; only the first ones of a minute are worth a line each */
  isAmongFirst(address: string): boolean
  /** true once for each lock-out */
  tell(address: string): boolean
}

export interface LockOutOptions {
  readonly now: () => number
  readonly mostFailures?: number
  /** among how many who count apart these are divided: an attacker may come to each */
  readonly replicas?: () => number
  readonly windowMs?: number
  /** neighbourhoods that are remembered */
  readonly mostKept?: number
}

/** the eight numbers of an IPv6 address */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::', 2) ?? []
  const numbers = (part: string | undefined) =>
    (part ?? '')
      .split(':')
      .filter(Boolean)
      .map((one) => parseInt(one, 16))
  const [before, after] = [numbers(head), numbers(tail)]
  return [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0), ...after]
}

/** the /24 of an IPv4 address, the /56 of an IPv6 one */
export function neighbourhoodOf(address: string): string {
  const v4 = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(v4)) return v4.slice(0, v4.lastIndexOf('.'))
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(address)
  return [a, b, c, d >> 8].map((part) => part.toString(16)).join(':')
}

export function createLockOut(options: LockOutOptions): LockOut {
  const { now, mostFailures = 10, replicas = () => 1, windowMs = 60_000, mostKept = 50_000 } = options
  const kept = new Map<string, Failures>()
  /** from then on nobody who is kept has still to wait: it spares nearly every caller a look */
  let quietFrom = Number.NEGATIVE_INFINITY
  const last = (endsAt: number): number => {
    quietFrom = Math.max(quietFrom, endsAt)
    return endsAt
  }

  function current(name: string): Failures | undefined {
    const found = kept.get(name)
    const left = found ? found.endsAt - now() : 0
    // more than a window is left where the clock was set back
    return left > 0 && left <= windowMs ? found : undefined
  }

  function count(name: string): Failures {
    const found = current(name) ?? { count: 0, endsAt: last(now() + windowMs), lockedOut: false, told: false }
    found.count++
    // to the end of the row: who failed longest ago is forgotten first
    kept.delete(name)
    kept.set(name, found)
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return found
  }

  return {
    waitOf(address) {
      if (now() >= quietFrom) return 0
      const found = current(neighbourhoodOf(address))
      return found?.lockedOut ? Math.ceil((found.endsAt - now()) / 1_000) : 0
    },

    failed(address) {
      const found = count(neighbourhoodOf(address))
      if (found.lockedOut || found.count < Math.max(1, Math.floor(mostFailures / replicas()))) return
      found.lockedOut = true
      found.endsAt = last(now() + windowMs)
    },

    isAmongFirst: (address) => count(`without ${neighbourhoodOf(address)}`).count <= mostFailures,

    tell(address) {
      const found = current(neighbourhoodOf(address))
      if (!found || found.told) return false
      return (found.told = true)
    },
  }
}
