// Whether what is shown is live.
import { exactTime } from '../../../base/console/format.ts'
import { liveState, readAt } from './live.ts'

const words = {
  connecting: ['Connecting', 'Connecting to Atelier.'],
  live: ['Live', 'Updated every 3 seconds.'],
  paused: ['Paused', 'Nobody was at this page for 15 minutes. Press a key or click to go on.'],
  offline: ['Offline', 'Atelier does not answer as expected. Retrying every 10 seconds.'],
} as const

export function LiveIndicator() {
  const [word, meaning] = words[liveState.value]
  const since = liveState.value !== 'live' && readAt.value ? ` Last updated ${exactTime(readAt.value)}.` : ''
  return (
    <span class={`live-indicator ${liveState.value}`} role="status" title={`${meaning}${since}`}>
      {word}
    </span>
  )
}
