// Waits until a condition holds.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { stalledMs } from './stall-time.ts'

/** the time that passes for this process: without the time for which it was stalled */
const activeMs = () => performance.now() - stalledMs()

export async function until(done: () => boolean | Promise<boolean>, mostMs = 15_000) {
  for (const endsAt = activeMs() + mostMs; !(await done()); await sleep(5))
    if (activeMs() > endsAt) throw new Error(`the condition did not hold within ${mostMs} ms`)
}

/** waits until a page was drawn or the focus moved, and compares */
export async function untilEqual<T>(read: () => Promise<T>, expected: T, message?: string) {
  let last = await read()
  const endsAt = activeMs() + 10_000
  while (!isDeepStrictEqual(last, expected) && activeMs() < endsAt) {
    await sleep(10)
    last = await read()
  }
  // assert refuses an undefined message, which would hide the difference
  if (message === undefined) assert.deepEqual(last, expected)
  else assert.deepEqual(last, expected, message)
}
