// Wakes those who wait for a message of another replica, by its name. A wake-up that is added before a question is sent also
// catches messages that arrive before the answer.
import type { Signal } from '../../../base/core/abort.ts'

interface Waiter {
  woken: boolean
  wake: (() => void) | undefined
}

export function createWakeUps() {
  const waiting = new Map<string, Set<Waiter>>()

  return {
    add(name: string) {
      const one: Waiter = { woken: false, wake: undefined }
      const beside = waiting.get(name) ?? new Set()
      waiting.set(name, beside.add(one))
      return {
        /** until a message arrives or arrived since the last wait, the signal aborts, or the time is over */
        async wait(mostMs: number, signal: Signal) {
          if (!one.woken && !signal.aborted)
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
          one.woken = false
        },
        remove() {
          beside.delete(one)
          if (beside.size === 0 && waiting.get(name) === beside) waiting.delete(name)
        },
      }
    },
    wake(name: string) {
      for (const one of waiting.get(name) ?? []) {
        one.woken = true
        one.wake?.()
      }
    },
  }
}
