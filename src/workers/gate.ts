// Who sends bad keys, whichever worker they come to: counted once, and told to all of them when it is too much.
import { createLockOut } from '../http/lock-out.ts'
import { fromMachine, toMachine } from './clock.ts'
import type { Put, ToWorker } from './messages.ts'
import type { Listener } from './telling.ts'

export function createGate(most: number, replicas: () => number, listeners: ReadonlySet<Listener>) {
  const lockOut = createLockOut({ now: () => performance.now(), mostFailures: most, replicas })
  const locked = new Map<string, number>()
  const isOver = (until: number) => fromMachine(until) <= performance.now()
  return {
    failed(address: string) {
      if (most === 0) return
      const before = lockOut.waitOf(address)
      lockOut.failed(address)
      const waitSec = lockOut.waitOf(address)
      if (waitSec === 0 || before > 0) return
      for (const [one, until] of locked) if (isOver(until)) locked.delete(one)
      const until = toMachine(performance.now() + waitSec * 1_000) ?? 0
      locked.set(address, until)
      for (const { put } of listeners) put(['locked', address, until])
    },
    welcome(put: Put<ToWorker>) {
      for (const [address, until] of locked) if (!isOver(until)) put(['locked', address, until])
    },
  }
}
