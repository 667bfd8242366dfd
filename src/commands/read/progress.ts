// A sign of life for whoever waits at a terminal, on one line of standard error that is gone at the end. Behind a pipe: nothing.
import { counted } from '../../counted.ts'

export interface Progress {
  /** so far */
  count(items: number, pages: number): void
  /** the service asked for it */
  wait(seconds: number, why: string): void
  /** takes the line away; further calls draw nothing */
  end(): void
}

/** what is done by then needs no sign */
const patienceMs = 500
const tickMs = 100

const silent: Progress = { count() {}, wait() {}, end() {} }

export function startWalkProgress(isShown: boolean): Progress {
  if (!isShown) return silent
  const beganMs = performance.now()
  let words = 'Asking …'
  let drawnMs = 0
  let isDrawn = false
  let isOver = false
  const draw = () => {
    if (isOver) return
    isDrawn = true
    drawnMs = performance.now()
    process.stderr.write(`\r${words}\u001b[K`)
  }
  const first = setTimeout(draw, patienceMs).unref()
  return {
    count(items, pages) {
      words = `${counted(items, 'item')} from ${counted(pages, 'page')} so far …`
      const nowMs = performance.now()
      if (nowMs - beganMs > patienceMs && nowMs - drawnMs > tickMs) draw()
    },
    wait(seconds, why) {
      const before = words.replace(/ Waiting .*$/, '')
      words = `${before} Waiting ${seconds} s: ${why}.`
      draw()
      words = before
    },
    end() {
      clearTimeout(first)
      if (isDrawn && !isOver) process.stderr.write('\r\u001b[K')
      isOver = true
    },
  }
}
