// How long an answer of Redis is waited for.

/** what takes longer is not waited for */
export const patienceMs = 50

/** Settles with `undefined` after so long; where this process itself stood still, what has come meanwhile is still heard. */
export function within(promise: Promise<unknown>, mostMs: number, late = () => {}): Promise<unknown> {
  return new Promise((ok) => {
    const timer = setTimeout(() => {
      setImmediate(() => {
        if (settled) return
        settled = true
        late()
        ok(undefined)
      })
    }, mostMs)
    let settled = false
    const settle = (value: unknown) => {
      clearTimeout(timer)
      settled = true
      ok(value)
    }
    promise.then(settle, () => settle(undefined))
  })
}
