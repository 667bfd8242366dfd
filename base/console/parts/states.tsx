// What is shown where there is nothing to show: loading, empty, failed.
import type { ComponentChildren } from 'preact'
import type { LoadState } from '../load.ts'
import type { ApiRefusal } from '../refusal.ts'
import { Button } from './controls.tsx'
import { UntrustedText } from './display.tsx'

/** as tall as what will come, so that nothing jumps */
export function Waiting({ rows = 3, what }: { readonly rows?: number; readonly what: string }) {
  return (
    <div class="waiting" role="status">
      <span class="unseen">Loading {what}…</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} class="placeholder-row" aria-hidden="true" />
      ))}
    </div>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children}
    </div>
  )
}

interface FailedProps {
  readonly refusal: ApiRefusal
  readonly again?: (() => void) | undefined
  readonly what?: string
}

export function Failed({ refusal, again, what }: FailedProps) {
  const { message, docUrl, requestId, retryAfterSec, code } = refusal
  const isLocal = docUrl && /^\/\w[\w./#-]*$/.test(docUrl)
  return (
    <div class="failed" role="alert">
      {what && <p class="title">{what}</p>}
      <p>
        <UntrustedText text={message} />
        {retryAfterSec !== undefined && ` Try again in ${retryAfterSec} s.`}
      </p>
      <p class="soft">
        {isLocal ? (
          <a href={docUrl} target="_blank" rel="noreferrer">
            {code}
          </a>
        ) : (
          code
        )}
        {requestId && <span class="mono"> · {requestId}</span>}
      </p>
      {again && <Button onClick={again}>Try again</Button>}
    </div>
  )
}

interface LoadedProps<T> {
  readonly state: LoadState<T>
  readonly again: () => void
  readonly what: string
  readonly rows?: number
  readonly children: (value: T) => ComponentChildren
}

/** what was loaded, once it is there; what was loaded before stays while it is refused later */
export function Loaded<T>({ state: { value, refusal }, again, what, rows = 3, children }: LoadedProps<T>) {
  if (value !== undefined) return <>{children(value)}</>
  return refusal ? <Failed refusal={refusal} again={again} /> : <Waiting rows={rows} what={what} />
}
