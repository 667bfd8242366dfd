// Checks signing keys at the platform. The result of each connection is kept while the operator is signed in.
import { signal } from '@preact/signals'
import type { CheckedConnection } from '../../answers.ts'
import { ask, at } from '../../../../../base/console/api.ts'
import { type ApiRefusal, asRefusal } from '../../../../../base/console/refusal.ts'
import { sessionState } from '../../../../../base/console/session.ts'

interface KeyCheck {
  readonly busy: boolean
  readonly result?: CheckedConnection | undefined
  readonly refusal?: ApiRefusal | undefined
}

const all = signal<ReadonlyMap<string, KeyCheck>>(new Map())
const put = (id: string, check: KeyCheck) => void (all.value = new Map(all.peek()).set(id, check))

sessionState.subscribe(({ state }) => {
  if (state === 'out') all.value = new Map()
})

export const checkOf = (id: string): KeyCheck => all.value.get(id) ?? { busy: false }

/** the connection has another key, or is gone */
export const forgetCheck = (id: string) => put(id, { busy: false })

export async function check(id: string) {
  put(id, { busy: true, result: checkOf(id).result })
  try {
    put(id, { busy: false, result: await ask<CheckedConnection>(at('/connections', id, '/check'), { method: 'POST' }) })
  } catch (error) {
    put(id, { busy: false, refusal: asRefusal(error) })
  }
}
