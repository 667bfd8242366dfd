// What stands where there is nothing to see: on its way, not there, refused, or the service is away.
import type { ComponentChildren } from 'preact'
import type { Refusal } from '../refusal.ts'
import { Button } from './button.tsx'
import { Foreign } from './foreign.tsx'

/** as tall as what will come, so that nothing jumps */
export function Waiting({ rows = 3, what }: { readonly rows?: number; readonly what: string }) {
  return (
    <div class="waiting" role="status">
      <span class="unseen">Loading {what}…</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} class="bone" aria-hidden="true" />
      ))}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children}
    </div>
  )
}

interface FailedProps {
  readonly refusal: Refusal
  readonly again?: (() => void) | undefined
  /** what was to be done */
  readonly what?: string
}

export function Failed({ refusal, again, what }: FailedProps) {
  const { message, docUrl, requestId, retryAfterSec, code } = refusal
  return (
    <div class="failed" role="alert">
      {what && <p class="title">{what}</p>}
      <p>
        <Foreign text={message} />
        {retryAfterSec !== undefined && ` Try again in ${retryAfterSec} s.`}
      </p>
      <p class="soft">
        {docUrl && /^\/\w[\w./#-]*$/.test(docUrl) ? (
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
