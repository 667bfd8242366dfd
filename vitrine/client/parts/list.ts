// A list that is read page by page when it is awaited or iterated, and never cut without an error.
import { TooManyItemsError, UnexpectedAnswerError, VitrineError, withoutAnswer } from './errors.ts'
import type { Answered, Page } from './types.ts'

/** start and size of pages */
export interface PageWish {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/** Reads one page. Members that are left out are those of the list's own parameters. */
export type AskPage<T> = (wish: PageWish) => Promise<Answered<Page<T>>>

interface Lister<T> {
  readonly ask: AskPage<T>
  /** the address of the service */
  readonly base: string
  /** the cursor of the caller */
  readonly cursor: string | undefined
  /** the largest page size; undefined if the caller chose one */
  readonly largest: number | undefined
}

/**
 * A list. `await` gives its first page, which is read once. `for await` gives every item; each iteration reads again.
 * Returned by an async function it becomes its first page, like everything that can be awaited.
 */
export class List<T> implements PromiseLike<Answered<Page<T>>>, AsyncIterable<T> {
  readonly #lister: Lister<T>
  #first: Promise<Answered<Page<T>>> | undefined

  constructor(lister: Lister<T>) {
    this.#lister = lister
  }

  /** the first page; it is the whole list only if `nextCursor` is null */
  // oxlint-disable-next-line unicorn/no-thenable -- to be awaited is what it is for
  then<A = Answered<Page<T>>, B = never>(
    onPage?: ((page: Answered<Page<T>>) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#lister.ask({})
    return this.#first.then(onPage, onFailure)
  }

  /** every item of every page; an error has `walked`, which says how far paging got */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** every page, from `cursor` on. A page may be empty and not the last one */
  pages({ cursor }: { readonly cursor?: string | undefined } = {}): AsyncGenerator<Answered<Page<T>>, void, undefined> {
    return this.#walk(cursor === undefined ? {} : { cursor })
  }

  /** every item at once; TooManyItemsError if there are more than `max`, which may be Infinity */
  async toArray({ max }: { readonly max: number }): Promise<T[]> {
    if (!(max >= 0) || (max !== Infinity && !Number.isInteger(max)))
      throw new TypeError('`max` is a whole number, how many items you are ready to hold, or Infinity.')
    const { largest, base } = this.#lister
    const all: T[] = []
    // one item more than `max` shows that there are more; large pages cost least quota
    for await (const { items } of this.#walk(largest === undefined ? {} : { limit: Math.min(largest, max + 1) })) {
      if (all.length + items.length > max) throw new TooManyItemsError(max, base)
      for (const item of items) all.push(item)
    }
    return all
  }

  async *#walk(wish: PageWish): AsyncGenerator<Answered<Page<T>>, void, undefined> {
    const { ask, base, cursor: start } = this.#lister
    // null, the cursor of a last page, is sent and refused: without it the list would start again
    let cursor = wish.cursor === undefined ? start : wish.cursor
    let mark: string | null = null
    for (let items = 0, pages = 1; ; pages++) {
      const page = await ask({ ...wish, ...(cursor !== undefined && { cursor }) }).catch((error: unknown) => {
        throw error instanceof VitrineError
          ? Object.assign(error, { walked: { items, cursor: cursor ?? null } })
          : error
      })
      yield page
      items += page.items.length
      const { nextCursor, requestId } = page
      if (nextCursor === null) return
      if (nextCursor === cursor || nextCursor === mark)
        throw circling(base, requestId, { items, cursor: cursor ?? null })
      // one cursor, kept for twice as many pages each time, finds a circle of any length
      if ((pages & (pages - 1)) === 0) mark = nextCursor
      cursor = nextCursor
    }
  }
}

function circling(base: string, requestId: string, walked: NonNullable<VitrineError['walked']>): UnexpectedAnswerError {
  const failure = { ...withoutAnswer(base, 'cursor_repeated', 'unexpected_answer'), status: 200, requestId }
  const error = new UnexpectedAnswerError('The next page was already read: paging would never end.', failure)
  return Object.assign(error, { walked })
}
