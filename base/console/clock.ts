// The time of the service: with a wrong clock in the browser, recent events would look an hour old, or still to come.
import { signal } from '@preact/signals'

/** how long an event may have been on its way */
const toleratedMs = 45_000
const jitterMs = 5_000

const offsetMs = signal(0)

export function setServiceTime(iso: string | undefined) {
  const measured = iso === undefined ? 0 : Date.parse(iso) - Date.now()
  const wanted = Math.abs(measured) > toleratedMs ? measured : 0
  if (wanted === 0 || Math.abs(wanted - offsetMs.peek()) > jitterMs) offsetMs.value = wanted
}

export const nowMs = (): number => Date.now() + offsetMs.value
/** does not subscribe to corrections of the clock */
export const isoNow = (): string => new Date(Date.now() + offsetMs.peek()).toISOString()
