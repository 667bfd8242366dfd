// What happened as lines for a reader: the times, the nodes, and at the end the promise that broke.
import type { Told } from './simulation.ts'

export const mostLines = 40

function timeOf(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60]
  const seconds = ((ms / 1_000) % 60).toFixed(3)
  return `${hours}:${String(minutes).padStart(2, '0')}:${seconds.padStart(6, '0')}`
}

/** equal lines in a row become one with their count; of a story that is too long, the middle is left out */
export function timelineOf(story: readonly Told[], promise: string): string[] {
  const lines: { readonly at: number; readonly text: string; count: number }[] = []
  for (const { at, node, text } of story) {
    const last = lines.at(-1)
    const line = `${node.padEnd(9)} ${text}`
    if (last?.text === line) last.count++
    else lines.push({ at, text: line, count: 1 })
  }
  const shown = lines.map(({ at, text, count }) => `${timeOf(at)}  ${text}${count > 1 ? ` (${count} times)` : ''}`)
  const room = mostLines - 1
  const [head, tail] = [10, room - 11]
  const left = shown.length - head - tail
  const fitting =
    shown.length <= room ? shown : [...shown.slice(0, head), `… ${left} lines left out …`, ...shown.slice(-tail)]
  return [...fitting, `BROKEN: ${promise}`]
}
