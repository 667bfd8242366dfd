// How much of a list is here, in words: a part never looks like the whole.
import { counted } from '../../numbers.ts'
import { filtersOf } from './draft.ts'
import { cursorOf, type Form } from './forms.ts'
import { itemsIn, nextCursorIn } from './reading.ts'
import type { Run } from './run.ts'

const countOf = ({ pages }: Run): number => pages.reduce((all, page) => all + (itemsIn(page)?.length ?? 0), 0)

/** it began at a cursor that somebody typed: there is something before it */
function beganLater(form: Form, { draft }: Run): boolean {
  const cursor = cursorOf(form)
  return cursor !== undefined && (draft.query[cursor.name] ?? '').trim() !== ''
}

const goesOn = ({ pages }: Run): boolean => {
  const last = pages.at(-1)
  return last !== undefined && nextCursorIn(last) !== undefined
}

const rows = (count: number): string => counted(count, 'row')

export function countWords(form: Form, run: Run): string {
  if (!form.isList) return ''
  const [count, pages] = [countOf(run), run.pages.length]
  const inPages = pages > 1 ? `, in ${pages} pages` : ''
  const later = beganLater(form, run)
  if (goesOn(run)) return `Page ${pages}${later ? ' from the cursor on' : ''}: ${rows(count)} of more.`
  if (later) return `${rows(count)} from the cursor to the end${inPages}; not what stands before it.`
  return count === 0 ? '' : `All ${rows(count)}${inPages}.`
}

interface EmptyWords {
  readonly title: string
  readonly filters: readonly string[]
}

/** of a list without a row: which question that is the answer to */
export function emptyWords(form: Form, run: Run): EmptyWords {
  const filters = filtersOf(form, run.draft)
  if (goesOn(run)) return { title: 'This page is empty, and the list goes on: read the next page.', filters }
  if (beganLater(form, run)) return { title: 'Nothing comes behind this cursor.', filters }
  return { title: filters.length > 0 ? 'This list is empty for:' : 'This list is empty.', filters }
}
