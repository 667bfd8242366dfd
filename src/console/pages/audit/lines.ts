// The lines of the audit that fit a filter: the newest, older ones behind them when asked for, and new ones before them.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AuditBeginning, AuditLine, AuditPage } from '../../answers.ts'
import { ask } from '../../api.ts'
import { momentNow } from '../../clock.ts'
import { counted } from '../../numbers.ts'
import { asRefusal, type Refusal } from '../../refusal.ts'

const pageSize = 100
/** so many new lines at once are enough: then the list begins anew with them */
const mostNew = 1_000

export interface Lines {
  readonly items: readonly AuditLine[]
  readonly state: 'loading' | 'more' | 'whole' | 'failed'
  readonly refusal: Refusal | undefined
  /** when the newest were asked for */
  readonly readAt: string | undefined
  /** where the audit was pruned: what is older is gone */
  readonly begins: AuditBeginning | undefined
}

export interface UsedLines {
  readonly lines: Signal<Lines>
  /** what came of the last look for new ones */
  readonly news: Signal<string>
  readonly older: () => void
  readonly newer: () => void
  readonly again: () => void
}

const nothing: Lines = { items: [], state: 'loading', refusal: undefined, readAt: undefined, begins: undefined }

interface Stretch {
  readonly items: readonly AuditLine[]
  readonly begins: AuditBeginning | undefined
  readonly cursor: string | undefined
}

async function askPage(path: string, signal: AbortSignal, cursor?: string): Promise<Stretch> {
  const more = new URLSearchParams({ limit: String(pageSize), ...(cursor !== undefined && { cursor }) })
  const page: AuditPage = await ask(`${path}${path.includes('?') ? '&' : '?'}${more}`, { signal })
  return { items: page.items, cursor: page.nextCursor ?? undefined, begins: page.begins ?? undefined }
}

/** from the newest down to the line that is known; `meets`: it was reached, and nothing lies between */
async function askNewer(path: string, signal: AbortSignal, known: number): Promise<Stretch & { meets: boolean }> {
  const items: AuditLine[] = []
  for (let cursor: string | undefined; ;) {
    const page = await askPage(path, signal, cursor)
    const fresh = page.items.filter(({ seq }) => seq > known)
    items.push(...fresh)
    cursor = page.cursor
    const meets = fresh.length < page.items.length || cursor === undefined
    if (meets || items.length >= mostNew) return { items, cursor, meets, begins: page.begins }
  }
}

/** the requests of one filter; a new one ends the one before it */
class Reader {
  readonly #path: string
  readonly #lines: Signal<Lines>
  readonly #news: Signal<string>
  #flight = new AbortController()
  #cursor: string | undefined = undefined
  #begins: AuditBeginning | undefined = undefined
  #hasBegun = false

  constructor(path: string, lines: Signal<Lines>, news: Signal<string>) {
    this.#path = path
    this.#lines = lines
    this.#news = news
  }

  readonly stop = () => this.#flight.abort()

  async #run(act: (signal: AbortSignal) => Promise<Lines>) {
    this.stop()
    const { signal } = (this.#flight = new AbortController())
    const before = this.#lines.peek()
    this.#lines.value = { ...before, state: 'loading', refusal: undefined }
    try {
      const lines = await act(signal)
      if (!signal.aborted) this.#lines.value = lines
    } catch (error) {
      if (signal.aborted) return
      const { items, readAt, begins } = this.#lines.peek()
      // lines of the filter before are not shown for those of this one
      const left = this.#hasBegun ? { items, readAt, begins } : nothing
      this.#lines.value = { ...left, state: 'failed', refusal: asRefusal(error) }
    }
  }

  #shown(items: readonly AuditLine[], readAt = this.#lines.peek().readAt): Lines {
    const state = this.#cursor === undefined ? 'whole' : 'more'
    return { items, state, refusal: undefined, readAt, begins: this.#begins }
  }

  readonly begin = () =>
    this.#run(async (signal) => {
      const { items, cursor, begins } = await askPage(this.#path, signal)
      this.#cursor = cursor
      this.#begins = begins
      this.#hasBegun = true
      this.#news.value = ''
      return this.#shown(items, momentNow())
    })

  readonly older = () =>
    this.#run(async (signal) => {
      const shown = this.#lines.peek().items
      const { items, cursor } = await askPage(this.#path, signal, this.#cursor)
      this.#cursor = cursor
      return this.#shown([...shown, ...items])
    })

  readonly newer = () =>
    this.#run(async (signal) => {
      const shown = this.#lines.peek().items
      const { items, cursor, meets } = await askNewer(this.#path, signal, shown[0]?.seq ?? 0)
      if (!meets) this.#cursor = cursor
      this.#news.value = meets
        ? `${items.length === 0 ? 'No new line' : counted(items.length, 'new line')}.`
        : 'There were so many new lines that the list begins anew with them.'
      return this.#shown(meets ? [...items, ...shown] : items, momentNow())
    })
}

export function useLines(path: string): UsedLines {
  const lines = useSignal<Lines>(nothing)
  const news = useSignal('')
  const reader = useRef<Reader | undefined>(undefined)
  useEffect(() => {
    const mine = (reader.current = new Reader(path, lines, news))
    void mine.begin()
    return mine.stop
  }, [path])
  return {
    ...{ lines, news },
    older: () => void reader.current?.older(),
    newer: () => void reader.current?.newer(),
    again: () => void reader.current?.begin(),
  }
}
