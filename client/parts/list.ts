// A list that is asked for when it is awaited or walked, page by page, and never cut in silence.
import { TooManyItemsError, UnexpectedAnswerError, VitrineError, withoutAnswer } from './errors.ts'
import type { Answered, Page } from './types.ts'

/** where to begin, and how large the pages are */
export interface PageWish {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/** asks for one page; what is left out of the wish is as the list was asked for */
export type AskPage<T> = (wish: PageWish) => Promise<Answered<Page<T>>>

interface Lister<T> {
  readonly ask: AskPage<T>
  /** where the service is */
  readonly base: string
  /** where the caller began */
  readonly cursor: string | undefined
  /** the largest page that may be asked for; undefined where the caller chose a size */
  readonly largest: number | undefined
}

/**
 * A list. `await` gives its first page, and asks once however often it is awaited. `for await` gives every item; each walk
 * asks anew. Returned by an async function it becomes its first page, as all that can be awaited does.
 */
export class List<T> implements PromiseLike<Answered<Page<T>>>, AsyncIterable<T> {
  readonly #lister: Lister<T>
  #first: Promise<Answered<Page<T>>> | undefined

  constructor(lister: Lister<T>) {
    this.#lister = lister
  }

  /** the first page; see `nextCursor` for whether it is all */
  // oxlint-disable-next-line unicorn/no-thenable -- to be awaited is what it is for
  then<A = Answered<Page<T>>, B = never>(
    onPage?: ((page: Answered<Page<T>>) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#lister.ask({})
    return this.#first.then(onPage, onFailure)
  }

  /** every item of every page; a failure says how far the walk had come */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** every page, from `cursor` on where it is given. A page may be empty and still have a successor */
  pages({ cursor }: { readonly cursor?: string | undefined } = {}): AsyncGenerator<Answered<Page<T>>, void, undefined> {
    return this.#walk(cursor === undefined ? {} : { cursor })
  }

  /** every item at once; where there are more than `max`, TooManyItemsError. `max` may be Infinity */
  async toArray({ max }: { readonly max: number }): Promise<T[]> {
    if (!(max >= 0) || (max !== Infinity && !Number.isInteger(max)))
      throw new TypeError('`max` is a whole number, how many items you are ready to hold, or Infinity.')
    const { largest, base } = this.#lister
    const all: T[] = []
    // one more than is wanted tells that there are more; large pages cost the platform's quota least
    for await (const { items } of this.#walk(largest === undefined ? {} : { limit: Math.min(largest, max + 1) })) {
      if (all.length + items.length > max) throw new TooManyItemsError(max, base)
      for (const item of items) all.push(item)
    }
    return all
  }

  async *#walk(wish: PageWish): AsyncGenerator<Answered<Page<T>>, void, undefined> {
    const { ask, base, cursor: start } = this.#lister
    // null is asked for as it is, and refused: it is what the last page has, and would begin the list again
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
      // kept ever longer, one cursor is met again by a circle of any length
      if ((pages & (pages - 1)) === 0) mark = nextCursor
      cursor = nextCursor
    }
  }
}

function circling(base: string, requestId: string, walked: NonNullable<VitrineError['walked']>): UnexpectedAnswerError {
  const failure = { ...withoutAnswer(base, 'cursor_repeated', 'unexpected_answer'), status: 200, requestId }
  const error = new UnexpectedAnswerError('The next page was read before: the walk would never end.', failure)
  return Object.assign(error, { walked })
}
