// Which cells of a large grid are in view: the others are not drawn.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export interface Viewport {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

interface CellSize {
  readonly height: number
  readonly width: number
  /** cells drawn beyond the edges, so that a quick scroll shows no gap */
  readonly margin: number
  /** cells drawn in any case: a grid that grows shows them before its size is measured */
  readonly least: number
}

function rangeOf(scrolled: number, room: number, size: number, { margin, least }: CellSize): [number, number] {
  const first = Math.max(0, Math.floor(scrolled / size) - margin)
  return [first, Math.max(first + least, Math.ceil((scrolled + room) / size) + margin)]
}

/** the nearest scroll position at which a cell is between the sticky head and the far edge */
function scrollTo(start: number, size: number, now: number, room: number): number {
  if (start < now) return start
  return start + size > now + room ? start + size - room : now
}

export function useViewport({ rows, columns }: { readonly rows: number; readonly columns: number }, cell: CellSize) {
  const { height, width, least } = cell
  const box = useRef<HTMLDivElement>(null)
  const view = useSignal<Viewport>({ top: 0, bottom: least, left: 0, right: least })
  const look = () => {
    if (!box.current) return
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = box.current
    const [top, bottom] = rangeOf(scrollTop, clientHeight, height, cell)
    const [left, right] = rangeOf(scrollLeft, clientWidth, width, cell)
    const before = view.peek()
    const isSame = before.top === top && before.bottom === bottom && before.left === left && before.right === right
    if (!isSame) view.value = { top, bottom, left, right }
  }
  useEffect(() => {
    look()
    const observer = new ResizeObserver(look)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [rows, columns])
  /** scrolls to a cell beside heads of this size; -1 is the head, which is always in view */
  const reveal = (row: number, column: number, head: { readonly height: number; readonly width: number }) => {
    const grid = box.current
    if (!grid) return
    if (row >= 0) grid.scrollTop = scrollTo(row * height, height, grid.scrollTop, grid.clientHeight - head.height)
    if (column >= 0) grid.scrollLeft = scrollTo(column * width, width, grid.scrollLeft, grid.clientWidth - head.width)
    look()
  }
  const { top, bottom, left, right } = view.value
  // a grid that has just become smaller is not scrolled back yet: its end is drawn, and not nothing
  const shown = {
    top: Math.min(top, Math.max(0, rows - least)),
    bottom,
    left: Math.min(left, Math.max(0, columns - least)),
    right,
  }
  return { box, view: shown, look, reveal }
}
