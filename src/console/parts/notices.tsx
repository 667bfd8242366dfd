// What has just been done, said at the foot of the page for a while, and to whoever listens instead of looking.
import { signal } from '@preact/signals'

interface Notice {
  readonly id: number
  readonly text: string
}

const shownMs = 6_000
const notices = signal<readonly Notice[]>([])
let count = 0

export function tell(text: string) {
  const id = ++count
  notices.value = [...notices.value.slice(-2), { id, text }]
  setTimeout(() => (notices.value = notices.value.filter((one) => one.id !== id)), shownMs)
}

export function Notices() {
  return (
    <div class="notices" role="status">
      {notices.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
