// A monotonic clock that a test stops and advances, and that runs again once it is released.
import type { TestContext } from 'node:test'

export interface HeldClock {
  setAhead(ms: number): void
  letGo(): void
}

export function holdClock(t: TestContext): HeldClock {
  const steady = performance.now.bind(performance)
  // an integer, so that sums of milliseconds are exact
  const heldAt = Math.ceil(steady())
  let aheadMs = 0
  let since: number | undefined
  t.mock.method(performance, 'now', () => heldAt + aheadMs + (since === undefined ? 0 : steady() - since))
  const letGo = () => void (since ??= steady())
  // closing may wait for the clock
  t.after(letGo)
  return { setAhead: (ms) => void (aheadMs = ms), letGo }
}
