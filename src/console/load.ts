// What a page has asked for: on its way, here, or refused. Whatever is asked anew while the old is shown stays on the page.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { asRefusal, type Refusal } from './refusal.ts'

export interface Load<T> {
  /** undefined until it first came */
  readonly value: T | undefined
  readonly refusal: Refusal | undefined
  readonly busy: boolean
}

export interface Loading<T> {
  readonly load: Signal<Load<T>>
  readonly again: () => void
}

/** asks when the page is drawn, whenever one of `on` changes, and when told to */
export function useLoad<T>(get: (signal: AbortSignal) => Promise<T>, on: readonly unknown[]): Loading<T> {
  const load = useSignal<Load<T>>({ value: undefined, refusal: undefined, busy: true })
  const turn = useSignal(0)
  useEffect(() => {
    const leaving = new AbortController()
    const show = (came: Load<T>) => void (leaving.signal.aborted || (load.value = came))
    show({ ...load.peek(), busy: true })
    get(leaving.signal).then(
      (value) => show({ value, refusal: undefined, busy: false }),
      (error: unknown) => show({ ...load.peek(), refusal: asRefusal(error), busy: false }),
    )
    return () => leaving.abort()
  }, [turn.value, ...on])
  return { load, again: () => void turn.value++ }
}
