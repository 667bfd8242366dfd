// Bytes that wait in memory for callers, counted for each account and in all. An account that holds no more than its share is
// never refused, so that one caller cannot fill the memory of all.
import { Problem } from '../problems.ts'

export interface HeldBytesLimits {
  readonly ofAccount: number
  readonly ofAll: number
}

export interface Holding {
  /** false: there is no room or it was freed, and nothing is counted */
  readonly add: (bytes: number) => boolean
  readonly free: () => void
}

export interface HeldBytes {
  hold(account: string): Holding
  /** throws if the bytes exceed the limit of the account, or if the account may hold no more because all memory is held */
  check(account: string, bytes: number): void
  readonly bytes: number
}

const retryAfterSec = 5

export function createHeldBytes({ ofAccount, ofAll }: HeldBytesLimits): HeldBytes {
  const ofAccounts = new Map<string, number>()
  let total = 0

  const heldBy = (account: string): number => ofAccounts.get(account) ?? 0

  /** beyond `ofAll` an account may hold its share, as long as all together hold no more than twice as much */
  function fits(account: string, bytes: number): boolean {
    const held = heldBy(account) + bytes
    const holders = ofAccounts.size + (ofAccounts.has(account) ? 0 : 1)
    return total + bytes <= ofAll || (held <= ofAll / holders && total + bytes <= 2 * ofAll)
  }

  function change(account: string, bytes: number) {
    total += bytes
    const held = heldBy(account) + bytes
    if (held === 0) ofAccounts.delete(account)
    else ofAccounts.set(account, held)
  }

  return {
    hold(account) {
      let mine = 0
      let isOver = false
      return {
        add(bytes) {
          if (isOver || heldBy(account) + bytes > ofAccount || !fits(account, bytes)) return false
          mine += bytes
          change(account, bytes)
          return true
        },
        free() {
          isOver = true
          change(account, -mine)
          mine = 0
        },
      }
    },
    check(account, bytes) {
      if (heldBy(account) + bytes > ofAccount || !fits(account, 1)) throw new Problem('no_capacity', { retryAfterSec })
    },
    get bytes() {
      return total
    },
  }
}
