// One line on a terminal's standard error that says what is done, and is erased at the end.
import { redraws } from '../../../../base/cli/terminal.ts'

/** nothing is shown before */
const firstMs = 400
const tickMs = 100

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

export function startProgress(words: string) {
  const isShown = redraws(process.stderr)
  const begunMs = performance.now()
  let drawnMs = 0
  let bytes = 0
  let isDrawn = false
  const draw = () => {
    isDrawn = true
    drawnMs = performance.now()
    process.stderr.write(`\r${words}${bytes > 0 ? ` ${sizeText(bytes)}` : ''} …\u001b[K`)
  }
  const first = isShown ? setTimeout(draw, firstMs) : undefined
  return {
    add(more: number) {
      bytes += more
      const nowMs = performance.now()
      if (isShown && nowMs - begunMs > firstMs && nowMs - drawnMs > tickMs) draw()
    },
    say(next: string) {
      words = next
      if (isDrawn) draw()
    },
    end() {
      clearTimeout(first)
      if (isDrawn) process.stderr.write('\r\u001b[K')
      isDrawn = false
    },
  }
}

export type Progress = ReturnType<typeof startProgress>
