// A part of the console that is loaded when it is first drawn.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { product } from '../product.ts'
import { ApiRefusal } from '../refusal.ts'
import { Failed, Waiting } from './states.tsx'

const missing = () =>
  new ApiRefusal({
    status: 0,
    code: 'page_missing',
    message: `This part of the console could not be loaded. ${product().name} may have been updated: reload the page.`,
  })

type Get<P> = () => Promise<{ readonly default: ComponentType<P> }>

export function lazy<P extends object>(get: Get<P>, what: string, rows = 3): ComponentType<P> {
  const part = signal<ComponentType<P> | undefined>(undefined)
  const failed = signal(false)
  const fetchPart = () => {
    failed.value = false
    get().then(
      (source) => (part.value = source.default),
      () => (failed.value = true),
    )
  }
  return function Lazy(props: P) {
    useEffect(() => {
      if (!part.peek()) fetchPart()
    }, [])
    if (failed.value) return <Failed refusal={missing()} again={fetchPart} />
    const Part = part.value
    return Part ? <Part {...props} /> : <Waiting rows={rows} what={what} />
  }
}
