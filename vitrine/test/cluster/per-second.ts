// A table of the answers in each second.
import type { Told } from './request.ts'

const nameOf = ({ status, json }: Told): string =>
  status === 0 ? 'none' : status < 300 ? String(status) : `${status} ${json?.error?.code ?? '?'}`

export interface Seconds {
  note(who: string, told: Told): void
  mark(words: string): void
  /** over everything sent between two marks */
  between(who: string, from: string, to: string): ReadonlyMap<string, number>
  table(): string
}

export function createSeconds(): Seconds {
  const begunAt = performance.now()
  const noted: { who: string; name: string; at: number }[] = []
  const marks: { words: string; at: number }[] = []
  const now = () => performance.now() - begunAt
  const atOf = (words: string) => marks.find((mark) => mark.words === words)?.at ?? Number.NaN
  const tally = (some: readonly { name: string }[]) => {
    const counts = new Map<string, number>()
    for (const { name } of some) counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts
  }
  const shown = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, count]) => `${count} x ${name}`).join(', ') || '-'
  return {
    note: (who, told) => void noted.push({ who, name: nameOf(told), at: told.sentAt - begunAt }),
    mark: (words) => void marks.push({ words, at: now() }),
    between: (who, from, to) =>
      tally(noted.filter((one) => one.who === who && one.at >= atOf(from) && one.at < atOf(to))),
    table() {
      const whos = [...new Set(noted.map(({ who }) => who))]
      const last = Math.floor(now() / 1_000)
      return Array.from({ length: last + 1 }, (_, second) => {
        const isThen = ({ at }: { at: number }) => Math.floor(at / 1_000) === second
        const said = marks.filter(isThen).map(({ words }) => `[${words}] `)
        const counts = whos.map(
          (who) => `${who}: ${shown(tally(noted.filter((one) => one.who === who && isThen(one))))}`,
        )
        return `${String(second).padStart(3)} s  ${said.join('')}${counts.join(' | ')}`
      }).join('\n')
    },
  }
}
