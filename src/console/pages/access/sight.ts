// Which rows and columns of the matrix are in sight: a million cells are too many to draw.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** as in matrix.css */
export const rowHeight = 32
const columnWidth = 48
/** beyond the edges, so that a quick scroll shows no gap */
const beyond = 4
/** drawn in any case: a matrix that grows shows its cells at once, before anybody has looked how large it is */
const least = { rows: 12, columns: 12 }

export interface Sight {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

interface Extent {
  readonly rows: number
  readonly columns: number
}

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most))

/** the least that has to be scrolled so that a stretch is between the head and the far edge */
function scrollTo(at: number, size: number, now: number, room: number): number {
  if (at < now) return at
  return at + size > now + room ? at + size - room : now
}

/** the edges of what is in sight; the same object as before where nothing has changed */
function sightOf(box: HTMLElement, { rows, columns }: Extent, before: Sight): Sight {
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = box
  const top = between(0, Math.floor(scrollTop / rowHeight) - beyond, rows)
  const left = between(0, Math.floor(scrollLeft / columnWidth) - beyond, columns)
  const bottom = Math.max(top + least.rows, Math.ceil((scrollTop + clientHeight) / rowHeight) + beyond)
  const right = Math.max(left + least.columns, Math.ceil((scrollLeft + clientWidth) / columnWidth) + beyond)
  const now = { top, bottom, left, right }
  const isSame = (Object.keys(now) as (keyof Sight)[]).every((edge) => now[edge] === before[edge])
  return isSame ? before : now
}

/** what has just become smaller is not scrolled back yet: its end is drawn, and not nothing */
const withinExtent = (sight: Sight, { rows, columns }: Extent): Sight => ({
  ...sight,
  top: Math.min(sight.top, Math.max(0, rows - least.rows)),
  left: Math.min(sight.left, Math.max(0, columns - least.columns)),
})

export function useSight({ rows, columns }: Extent) {
  const box = useRef<HTMLDivElement>(null)
  const sight = useSignal<Sight>({ top: 0, bottom: least.rows, left: 0, right: least.columns })
  const look = () => {
    if (box.current) sight.value = sightOf(box.current, { rows, columns }, sight.peek())
  }
  useEffect(() => {
    look()
    const watch = new ResizeObserver(look)
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [rows, columns])
  /** -1 is the head, which is always in sight */
  const reveal = (row: number, column: number) => {
    const one = box.current
    const corner = one?.querySelector<HTMLElement>('.access-corner')
    if (!one || !corner) return
    const [height, width] = [one.clientHeight - corner.offsetHeight, one.clientWidth - corner.offsetWidth]
    if (row >= 0) one.scrollTop = scrollTo(row * rowHeight, rowHeight, one.scrollTop, height)
    if (column >= 0) one.scrollLeft = scrollTo(column * columnWidth, columnWidth, one.scrollLeft, width)
    look()
  }
  return { box, sight: withinExtent(sight.value, { rows, columns }), look, reveal }
}
