// Waits for what comes about by itself.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

export async function until(done: () => boolean | Promise<boolean>, mostMs = 15_000) {
  for (const endsAt = performance.now() + mostMs; !(await done()); await sleep(5))
    if (performance.now() > endsAt) throw new Error('it does not come about')
}

/** a page is drawn, and the focus moved, a moment after the act */
export async function comesTo<T>(read: () => Promise<T>, wanted: T, about?: string) {
  let last = await read()
  const endsAt = performance.now() + 10_000
  while (!isDeepStrictEqual(last, wanted) && performance.now() < endsAt) {
    await sleep(10)
    last = await read()
  }
  // an undefined message is refused by assert, and would hide what differs
  if (about === undefined) assert.deepEqual(last, wanted)
  else assert.deepEqual(last, wanted, about)
}
