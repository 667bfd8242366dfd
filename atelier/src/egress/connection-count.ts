// How many connections to the outside there are: of an account, and of all.

export interface ConnectionCount {
  /** undefined: there is none; else what gives it back */
  take(account: string): (() => void) | undefined
  readonly taken: number
}

export function createConnectionCount(ofAccount: number, ofAll: number): ConnectionCount {
  const counts = new Map<string, number>()
  let all = 0
  return {
    take(account) {
      const mine = counts.get(account) ?? 0
      if (mine >= ofAccount || all >= ofAll) return undefined
      counts.set(account, mine + 1)
      all += 1
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        all -= 1
        const left = (counts.get(account) ?? 0) - 1
        if (left > 0) counts.set(account, left)
        else counts.delete(account)
      }
    },
    get taken() {
      return all
    },
  }
}
