// Trying signing keys at the platform: what came of it is kept while the console is open, for each connection.
import { signal } from '@preact/signals'
import type { CheckedConnection } from '../../answers.ts'
import { ask, at } from '../../api.ts'
import { asRefusal, type Refusal } from '../../refusal.ts'
import { standing } from '../../session.ts'

interface Checking {
  readonly busy: boolean
  readonly result?: CheckedConnection | undefined
  readonly refusal?: Refusal | undefined
}

const none: Checking = { busy: false }
const all = signal<ReadonlyMap<string, Checking>>(new Map())
const put = (id: string, now: Checking) => void (all.value = new Map(all.peek()).set(id, now))

// what one has seen is not for the next
standing.subscribe(({ state }) => {
  if (state === 'out') all.value = new Map()
})

export const checkingOf = (id: string): Checking => all.value.get(id) ?? none

/** it has another key, or is gone */
export function forgetCheck(id: string) {
  const rest = new Map(all.peek())
  rest.delete(id)
  all.value = rest
}

export async function check(id: string) {
  const before = checkingOf(id)
  put(id, { ...before, busy: true, refusal: undefined })
  try {
    put(id, { busy: false, result: await ask<CheckedConnection>(at('/connections', id, '/check'), { method: 'POST' }) })
  } catch (error) {
    put(id, { busy: false, refusal: asRefusal(error) })
  }
}
