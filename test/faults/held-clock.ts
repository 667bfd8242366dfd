// The steady clock, held by a test: it stands still until it is set ahead, and goes on from there when it is let go.
import type { TestContext } from 'node:test'

export interface HeldClock {
  setAhead(ms: number): void
  letGo(): void
}

export function holdClock(t: TestContext): HeldClock {
  const steady = performance.now.bind(performance)
  // whole, so that sums of milliseconds are exact
  const heldAt = Math.ceil(steady())
  let aheadMs = 0
  let since: number | undefined
  t.mock.method(performance, 'now', () => heldAt + aheadMs + (since === undefined ? 0 : steady() - since))
  const letGo = () => void (since ??= steady())
  // whoever closes may wait by it
  t.after(letGo)
  return { setAhead: (ms) => void (aheadMs = ms), letGo }
}
