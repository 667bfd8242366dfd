// Rates of facade keys and lock-outs of networks, as a worker has them: counted by the keeper.
import { type LockOut, neighbourhoodOf } from '../http/lock-out.ts'
import type { Allowance, Rates } from '../keys/rate.ts'
import { fromMachine } from './clock.ts'
import type { Hearing, Put, ToKeeper, ToWorker } from './messages.ts'

export interface AskedRates extends Rates {
  readonly hearing: Hearing<ToWorker>
}

/** `standard`: for keys without a rate of their own; 0: none */
export function createAskedRates(standard: number, put: Put<ToKeeper>): AskedRates {
  const waiting = new Map<number, (allowance: Allowance | undefined) => void>()
  let last = 0
  return {
    take({ id: key, perMinute }) {
      if ((perMinute ?? standard) === 0) return Promise.resolve(undefined)
      const id = ++last
      put(['take', id, key, perMinute])
      return new Promise((ok) => waiting.set(id, ok))
    },
    hearing: {
      took(id, allowance) {
        waiting.get(id)?.(allowance ?? undefined)
        waiting.delete(id)
      },
    },
  }
}

export interface AskedLockOut extends Pick<LockOut, 'waitOf' | 'failed'> {
  readonly hearing: Hearing<ToWorker>
}

const mostKept = 50_000

export function createAskedLockOut(put: Put<ToKeeper>): AskedLockOut {
  const locked = new Map<string, number>()
  return {
    failed: (address) => put(['failed', address]),
    waitOf(address) {
      if (locked.size === 0) return 0
      const name = neighbourhoodOf(address)
      const leftMs = (locked.get(name) ?? 0) - performance.now()
      if (leftMs <= 0) locked.delete(name)
      return Math.max(0, Math.ceil(leftMs / 1_000))
    },
    hearing: {
      locked(address, until) {
        const name = neighbourhoodOf(address)
        locked.delete(name)
        locked.set(name, fromMachine(until))
        for (const eldest of locked.keys()) {
          if (locked.size <= mostKept) break
          locked.delete(eldest)
        }
      },
    },
  }
}
