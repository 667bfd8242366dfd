// One request of a page, and one action of it: under way, done, or refused.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type ApiRefusal, asRefusal } from './refusal.ts'

export interface LoadState<T> {
  /** undefined until it first came; a refusal leaves it as it was */
  readonly value: T | undefined
  readonly refusal: ApiRefusal | undefined
  readonly busy: boolean
}

/** loads when the page is drawn, when one of `on` changes, and on `again` */
export function useLoad<T>(get: (signal: AbortSignal) => Promise<T>, on: readonly unknown[]) {
  const load = useSignal<LoadState<T>>({ value: undefined, refusal: undefined, busy: true })
  const turn = useSignal(0)
  useEffect(() => {
    const leaving = new AbortController()
    const show = (state: LoadState<T>) => void (leaving.signal.aborted || (load.value = state))
    show({ ...load.peek(), busy: true })
    get(leaving.signal).then(
      (value) => show({ value, refusal: undefined, busy: false }),
      (error: unknown) => show({ ...load.peek(), refusal: asRefusal(error), busy: false }),
    )
    return () => leaving.abort()
  }, [turn.value, ...on])
  return { load, again: () => void turn.value++ }
}

/** repeats while the page is visible, and at once when it becomes visible again; `everyMs` undefined: never */
export function useRepeat(again: () => void, everyMs: number | undefined) {
  const act = useRef(again)
  act.current = again
  useEffect(() => {
    if (everyMs === undefined) return undefined
    let lastMs = performance.now()
    const repeat = () => {
      if (document.hidden || performance.now() - lastMs < everyMs / 2) return
      lastMs = performance.now()
      act.current()
    }
    const timer = setInterval(repeat, everyMs)
    document.addEventListener('visibilitychange', repeat)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', repeat)
    }
  }, [everyMs])
}

/** One action at a time. `run` gives undefined where it was refused; `atField` may take the refusal to a field of the form. */
export function useAction() {
  const busy = useSignal(false)
  const refusal = useSignal<ApiRefusal | undefined>(undefined)
  const run = async <T>(act: () => Promise<T>, atField?: (refusal: ApiRefusal) => boolean): Promise<T | undefined> => {
    if (busy.peek()) return undefined
    busy.value = true
    refusal.value = undefined
    try {
      return await act()
    } catch (error) {
      const refused = asRefusal(error)
      if (!atField?.(refused)) refusal.value = refused
      return undefined
    } finally {
      busy.value = false
    }
  }
  return { busy, refusal, run }
}
