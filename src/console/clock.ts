// What time it is where the service is: a browser whose clock is wrong would else call what has just happened an hour old, or
// still to come.
import { signal } from '@preact/signals'
import { toldAt } from './told.ts'

/** what is told may have been on its way for so long */
const toleratedMs = 45_000
const jitterMs = 5_000

/** how much the clock of the service is ahead */
const ahead = signal(0)

toldAt.subscribe((iso) => {
  const now = iso === undefined ? 0 : Date.parse(iso) - Date.now()
  const wanted = Math.abs(now) > toleratedMs ? now : 0
  // what is told takes a little longer or shorter each time
  if (wanted === 0 || Math.abs(wanted - ahead.peek()) > jitterMs) ahead.value = wanted
})

export const nowMs = (): number => Date.now() + ahead.value
/** without drawing anew when the clock is found to be wrong */
export const momentNow = (): string => new Date(Date.now() + ahead.peek()).toISOString()
