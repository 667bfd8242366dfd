// A list that is read page by page when it is awaited or iterated, and never cut without an error.
import { AtelierError, withoutAnswer } from './errors.ts'
import type { Answered, ListPage } from './types.ts'

type AskPage<T> = (cursor: string | undefined) => Promise<Answered<ListPage<T>>>

/**
 * A list. `await` gives its first page, which is read once. `for await` gives every item; each iteration reads again.
 * Returned by an async function it becomes its first page, like everything that can be awaited.
 */
export class List<T> implements PromiseLike<Answered<ListPage<T>>>, AsyncIterable<T> {
  readonly #ask: AskPage<T>
  #first: Promise<Answered<ListPage<T>>> | undefined

  constructor(ask: AskPage<T>) {
    this.#ask = ask
  }

  /** the first page; it is the whole list only if `nextCursor` is null */
  // oxlint-disable-next-line unicorn/no-thenable -- to be awaited is what it is for
  then<A = Answered<ListPage<T>>, B = never>(
    onPage?: ((page: Answered<ListPage<T>>) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#ask(undefined)
    return this.#first.then(onPage, onFailure)
  }

  /** every item of every page */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** every page */
  async *pages(): AsyncGenerator<Answered<ListPage<T>>, void, undefined> {
    let cursor: string | undefined
    for (;;) {
      const page = await this.#ask(cursor)
      yield page
      const { nextCursor, requestId } = page
      if (nextCursor === null) return
      if (nextCursor === cursor)
        throw new AtelierError(
          'The next page was already read: paging would never end.',
          withoutAnswer('unexpected_answer', { status: 200, requestId }),
        )
      cursor = nextCursor
    }
  }
}
