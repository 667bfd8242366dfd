// Whether the service is there, in a word in the bar: what is shown anywhere may be old where it is not live.
import { link } from './live.ts'
import { wholeMoment } from './moments.ts'
import { toldAt } from './told.ts'

const words = {
  live: ['Live', 'What changes is shown as it changes.'],
  waiting: ['Reconnecting', 'The line to Vitrine dropped, and is opened again.'],
  asking: ['Asking', 'There is no line that stays open: Vitrine is asked every ten seconds.'],
  off: ['Offline', 'Vitrine does not answer. It is asked again every ten seconds.'],
} as const

export function LinkMark() {
  const [word, says] = link.value === 'waiting' && !toldAt.value ? ['Connecting', 'A moment.'] : words[link.value]
  const since = link.value !== 'live' && toldAt.value ? ` As of ${wholeMoment(toldAt.value)}.` : ''
  return (
    <span class={`link-mark ${link.value}`} role="status" title={`${says}${since}`}>
      {word}
    </span>
  )
}
