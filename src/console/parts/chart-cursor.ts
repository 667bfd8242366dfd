// The minute that is pointed at, by the pointer or by keys.
import type { Signal } from '@preact/signals'
import type { Room } from './chart-marks.ts'

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  PageUp: (at) => at + 10,
  PageDown: (at) => at - 10,
  Home: () => 0,
  End: (_, last) => last,
}

/** what the element around the marks listens to */
export function cursorOver(last: number, room: Room, at: Signal<number | undefined>) {
  const limit = (to: number) => Math.max(0, Math.min(last, to))
  return {
    onPointerMove(event: PointerEvent) {
      const { left } = (event.currentTarget as HTMLElement).getBoundingClientRect()
      at.value = limit(Math.floor(((event.clientX - left - room.left) / room.width) * (last + 1)))
    },
    onPointerLeave: () => void (at.value = undefined),
    onBlur: () => void (at.value = undefined),
    onFocus: () => void (at.value ??= last),
    onKeyDown(event: KeyboardEvent) {
      const step = steps[event.key]
      if (event.key === 'Escape') at.value = undefined
      if (!step) return
      event.preventDefault()
      at.value = limit(step(at.value ?? last, last))
    },
  }
}
