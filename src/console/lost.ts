// The text of a new key that left the page before anybody had it: with a session that ended, or a part that failed. It cannot
// be shown again, so it must at least be said.
import { signal } from '@preact/signals'

export interface LostKey {
  readonly id: string
  readonly name: string
}

export const lost = signal<LostKey | undefined>(undefined)
