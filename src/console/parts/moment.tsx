// A moment, told as how long ago or ahead it is; the whole of it stands in the title.
import { computed, signal } from '@preact/signals'
import { nowMs } from '../clock.ts'
import { distance, wholeMoment } from '../moments.ts'

const turn = signal(0)
const now = computed(() => {
  void turn.value
  return nowMs()
})
setInterval(() => {
  if (!document.hidden) turn.value++
}, 5_000)

/** `never`: what null means here */
export function Moment({ iso, never = 'never' }: { readonly iso: string | null | undefined; readonly never?: string }) {
  if (!iso) return <span class="soft">{never}</span>
  return (
    // where it stands in something that is read out when it changes, it is not read out anew with every tick
    <time dateTime={iso} title={`${wholeMoment(iso)} (${iso})`} aria-live="off">
      {distance(new Date(iso).getTime() - now.value)}
    </time>
  )
}
