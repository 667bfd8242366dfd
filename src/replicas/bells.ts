// Who waits for a word from another replica, by the name of what it is about. A bell that is hung before the question leaves
// hears also what is said before the answer has come.
import type { Signal } from '../ending.ts'

export interface Bell {
  /** until it is rung, or was since the last time, or the signal ends it, or this time is over */
  wait(mostMs: number, signal: Signal): Promise<void>
  takeDown(): void
}

export interface Bells {
  hang(name: string): Bell
  ring(name: string): void
}

interface Hung {
  rung: boolean
  wake: (() => void) | undefined
}

export function createBells(): Bells {
  const hung = new Map<string, Set<Hung>>()

  return {
    hang(name) {
      const one: Hung = { rung: false, wake: undefined }
      const beside = hung.get(name) ?? new Set()
      hung.set(name, beside.add(one))
      return {
        async wait(mostMs, signal) {
          if (!one.rung && !signal.aborted)
            await new Promise<void>((ok) => {
              const wake = () => {
                clearTimeout(timer)
                signal.removeEventListener('abort', wake)
                ok()
              }
              const timer = setTimeout(wake, mostMs)
              signal.addEventListener('abort', wake)
              one.wake = wake
            })
          one.rung = false
        },
        takeDown() {
          beside.delete(one)
          if (beside.size === 0 && hung.get(name) === beside) hung.delete(name)
        },
      }
    },
    ring(name) {
      for (const one of hung.get(name) ?? []) {
        one.rung = true
        one.wake?.()
      }
    },
  }
}
