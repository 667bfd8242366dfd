// Where not all replicas could be told what was taken away, whoever did it has to know, and until when.
import { minuteOf } from './moments.ts'
import { warn } from './parts/notices.tsx'

/** `deed`: what was done, such as `acme was removed`; whether there was something to tell */
export function tellUntold(deed: string, { untoldUntil }: { readonly untoldUntil: string | null }): boolean {
  if (untoldUntil === null) return false
  warn(
    `${deed}, but not every replica could be told. One that reaches neither the store nor Redis may go on as before until ${minuteOf(Date.parse(untoldUntil))}.`,
  )
  return true
}
