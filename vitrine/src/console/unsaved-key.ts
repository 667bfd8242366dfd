// A new key that left the page before it was copied: with a session that ended, or a page that failed.
import { signal } from '@preact/signals'

export const unsavedKey = signal<{ readonly id: string; readonly name: string } | undefined>(undefined)
