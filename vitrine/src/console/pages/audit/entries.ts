// The entries that match a filter: the newest first, older and newer ones on request.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AuditBeginning, AuditLine, AuditPage } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { isoNow } from '../../../../../base/console/clock.ts'
import { counted } from '../../../../../base/console/format.ts'
import { type ApiRefusal, asRefusal } from '../../../../../base/console/refusal.ts'

const pageSize = 100
/** with so many new entries the list starts again with them */
const mostNew = 1_000

export interface AuditEntries {
  readonly items: readonly AuditLine[]
  readonly state: 'loading' | 'more' | 'whole' | 'failed'
  readonly refusal: ApiRefusal | undefined
  /** when the newest were loaded; undefined: nothing of this filter was */
  readonly readAt: string | undefined
  /** where the log was pruned: older entries are gone */
  readonly begins: AuditBeginning | undefined
}

const nothing: AuditEntries = { items: [], state: 'loading', refusal: undefined, readAt: undefined, begins: undefined }

interface Stretch extends Pick<AuditEntries, 'items' | 'begins'> {
  readonly cursor: string | undefined
}

async function askPage(path: string, signal: AbortSignal, cursor?: string): Promise<Stretch> {
  const more = new URLSearchParams({ limit: String(pageSize), ...(cursor !== undefined && { cursor }) })
  const page: AuditPage = await ask(`${path}${path.includes('?') ? '&' : '?'}${more}`, { signal })
  return { items: page.items, cursor: page.nextCursor ?? undefined, begins: page.begins ?? undefined }
}

/** from the newest down to the known entry; `meets`: it was reached, and nothing lies between */
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

export type UsedEntries = ReturnType<typeof useEntries>

export function useEntries(path: string) {
  const entries = useSignal(nothing)
  /** what the last look for new entries found */
  const news = useSignal('')
  const cursor = useRef<string | undefined>(undefined)
  /** the path whose first page was loaded */
  const begun = useRef('')
  const flight = useRef(new AbortController())
  /** a new request ends the one before it */
  const run = async (act: (signal: AbortSignal, before: AuditEntries) => Promise<Partial<AuditEntries>>) => {
    flight.current.abort()
    const { signal } = (flight.current = new AbortController())
    const before = entries.peek()
    entries.value = { ...before, state: 'loading', refusal: undefined }
    try {
      const found = await act(signal, before)
      if (signal.aborted) return
      const state = cursor.current === undefined ? 'whole' : 'more'
      entries.value = { ...before, ...found, state, refusal: undefined }
    } catch (error) {
      // entries of the filter before are not shown for those of this one
      const left = begun.current === path ? before : nothing
      if (!signal.aborted) entries.value = { ...left, state: 'failed', refusal: asRefusal(error) }
    }
  }
  const begin = () =>
    run(async (signal) => {
      const { items, begins, cursor: next } = await askPage(path, signal)
      cursor.current = next
      begun.current = path
      news.value = ''
      return { items, begins, readAt: isoNow() }
    })
  const older = () =>
    run(async (signal, { items: shown }) => {
      const { items, cursor: next } = await askPage(path, signal, cursor.current)
      cursor.current = next
      return { items: [...shown, ...items] }
    })
  const newer = () =>
    run(async (signal, { items: shown }) => {
      const { items, cursor: next, meets } = await askNewer(path, signal, shown[0]?.seq ?? 0)
      if (!meets) cursor.current = next
      news.value = meets
        ? `${items.length === 0 ? 'No new entries' : counted(items.length, 'new entry', 'new entries')}.`
        : 'There were too many new entries to add, so the list was reloaded.'
      return { items: meets ? [...items, ...shown] : items, readAt: isoNow() }
    })
  useEffect(() => {
    cursor.current = undefined
    void begin()
    return () => flight.current.abort()
  }, [path])
  return { entries, news, begin, older, newer }
}
