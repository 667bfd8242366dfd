// Wakes those who wait for a message of another replica, by its name. A wake-up that is added before a question is sent also
// catches messages that arrive before the answer.
import type { Signal } from '../../../base/core/abort.ts'

export class WakeUp {
  readonly name: string
  place = -1
  #isWoken = false
  #wake: (() => void) | undefined

  constructor(name: string) {
    this.name = name
  }

  wake() {
    this.#isWoken = true
    this.#wake?.()
  }

  /** until a message arrives or arrived since the last wait, the signal aborts, or the time is over */
  async wait(mostMs: number, signal: Signal) {
    if (!this.#isWoken && !signal.aborted)
      await new Promise<void>((ok) => {
        const wake = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          ok()
        }
        const timer = setTimeout(wake, mostMs)
        signal.addEventListener('abort', wake)
        this.#wake = wake
      })
    this.#isWoken = false
  }
}

/** Every read adds one, and few messages come: a Map by name would leave its old tables, with what waits, to the slow collector. */
export class WakeUps {
  readonly #waiting: WakeUp[] = []

  add(name: string): WakeUp {
    const one = new WakeUp(name)
    one.place = this.#waiting.push(one) - 1
    return one
  }

  remove(one: WakeUp) {
    const last = this.#waiting.pop()
    if (!last || last === one) return
    this.#waiting[one.place] = last
    last.place = one.place
  }

  wake(name: string) {
    for (const one of this.#waiting) if (one.name === name) one.wake()
  }
}
