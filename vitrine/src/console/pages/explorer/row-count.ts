// How much of a list is here, in words: a part never looks like the whole.
import { counted } from '../../../../../base/console/format.ts'
import { cursorOf, type Form } from './operation-form.ts'
import { itemsIn, nextCursorIn } from './read-answer.ts'
import { filtersOf } from './request-draft.ts'
import type { Run } from './workbench-state.ts'

/** at a typed cursor: there may be rows before it */
function startsAtCursor(form: Form, { draft }: Run): boolean {
  const cursor = cursorOf(form)
  return cursor !== undefined && (draft.query[cursor.name] ?? '').trim() !== ''
}

export function hasMore({ pages }: Run): boolean {
  const last = pages.at(-1)
  return last !== undefined && nextCursorIn(last) !== undefined
}

/** from its first row to its last */
export const isWhole = (form: Form, run: Run): boolean => !hasMore(run) && !startsAtCursor(form, run)

export function countText(form: Form, run: Run): string {
  if (!form.isList) return ''
  const pages = run.pages.length
  const count = run.pages.reduce((all, page) => all + (itemsIn(page)?.length ?? 0), 0)
  const rows = counted(count, 'row')
  const inPages = pages > 1 ? `, in ${pages} pages` : ''
  const isLater = startsAtCursor(form, run)
  if (hasMore(run)) return `Page ${pages}${isLater ? ' from the cursor' : ''}: ${rows}. More available.`
  if (isLater) return `${rows} from the cursor to the end${inPages}. Rows before the cursor are not included.`
  return count === 0 ? '' : `All ${rows}${inPages}.`
}

/** of a list without rows */
export function emptyText(form: Form, run: Run): { readonly title: string; readonly filters: readonly string[] } {
  const filters = filtersOf(form, run.draft)
  if (hasMore(run)) return { title: 'This page is empty. More pages are available.', filters }
  if (startsAtCursor(form, run)) return { title: 'No rows after this cursor.', filters }
  return { title: filters.length > 0 ? 'The list is empty for:' : 'The list is empty.', filters }
}
