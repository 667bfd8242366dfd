// What is drawn in it may fail: then that is said in its place, and the rest of the page goes on.
import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { asRefusal } from '../refusal.ts'
import { Failed } from './states.tsx'

export function Guard({ children }: { readonly children: ComponentChildren }) {
  const [error, again] = useErrorBoundary((thrown) => reportError(thrown))
  return error === undefined ? <>{children}</> : <Failed refusal={asRefusal(error)} again={again} />
}
