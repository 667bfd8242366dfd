// A part of the console that is fetched when it is first drawn.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { Refusal } from '../refusal.ts'
import { Failed, Waiting } from './states.tsx'

const lost = new Refusal({
  status: 0,
  code: 'page_missing',
  message: 'This part of the console could not be fetched. Vitrine may have been updated: load the page again.',
})

type Get<P> = () => Promise<{ readonly default: ComponentType<P> }>

interface LaterOptions {
  readonly what: string
  /** of what stands there meanwhile */
  readonly rows?: number
}

export function later<P extends object>(get: Get<P>, { what, rows = 3 }: LaterOptions): ComponentType<P> {
  const part = signal<ComponentType<P> | undefined>(undefined)
  const failed = signal(false)
  const fetchPart = () => {
    failed.value = false
    get().then(
      (source) => (part.value = source.default),
      () => (failed.value = true),
    )
  }
  return function Later(props: P) {
    useEffect(() => {
      if (!part.peek()) fetchPart()
    }, [])
    if (failed.value) return <Failed refusal={lost} again={fetchPart} />
    const Part = part.value
    return Part ? <Part {...props} /> : <Waiting rows={rows} what={what} />
  }
}
