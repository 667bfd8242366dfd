// Shows progress on one line of a terminal's standard error, and erases it at the end.
import { counted } from '../../../../base/core/plural.ts'

export type ReadProgress = ReturnType<typeof startReadProgress>

/** nothing is shown before */
const firstDrawMs = 500
const tickMs = 100

export function startReadProgress(isShown: boolean) {
  const beganMs = performance.now()
  let words = 'Reading …'
  let drawnMs = 0
  let isDrawn = false
  let isOver = !isShown
  const draw = () => {
    if (isOver) return
    isDrawn = true
    drawnMs = performance.now()
    process.stderr.write(`\r${words}\u001b[K`)
  }
  const first = setTimeout(draw, firstDrawMs).unref()
  return {
    /** totals */
    count(items: number, pages: number) {
      words = `${counted(items, 'item')} from ${counted(pages, 'page')} so far …`
      const nowMs = performance.now()
      if (nowMs - beganMs > firstDrawMs && nowMs - drawnMs > tickMs) draw()
    },
    wait(seconds: number, why: string) {
      const before = words.replace(/ Waiting .*$/, '')
      words = `${before} Waiting ${seconds} s: ${why}.`
      draw()
      words = before
    },
    /** erases the line; later calls draw nothing */
    end() {
      clearTimeout(first)
      if (isDrawn && !isOver) process.stderr.write('\r\u001b[K')
      isOver = true
    },
  }
}
