// Messages at the foot of the page: what was done, for some seconds, and warnings, until they are dismissed.
import { signal } from '@preact/signals'
import { Button } from './controls.tsx'

const shownMs = 6_000
const notices = signal<readonly { readonly id: number; readonly text: string; readonly isWarning: boolean }[]>([])
let count = 0

const dismiss = (id: number) => void (notices.value = notices.value.filter((one) => one.id !== id))

function show(text: string, isWarning: boolean): number {
  const id = ++count
  const warnings = notices.value.filter((one) => one.isWarning)
  const passing = notices.value.filter((one) => !one.isWarning)
  notices.value = [...warnings, ...passing.slice(-2), { id, text, isWarning }]
  return id
}

export function notify(text: string) {
  const id = show(text, false)
  setTimeout(() => dismiss(id), shownMs)
}

export const warn = (text: string): void => void show(text, true)

export function Notices() {
  return (
    <div class="notices" role="status">
      {notices.value.map(({ id, text, isWarning }) => (
        <div key={id} class={isWarning ? 'warning' : ''}>
          <p>{text}</p>
          {isWarning && (
            <Button kind="quiet" onClick={() => dismiss(id)}>
              Dismiss
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}
