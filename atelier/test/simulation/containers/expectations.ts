// What callers were told, and asked for: of each Idempotency-Key, and of each container that was acknowledged.
import type { Outcome } from './service.ts'

/** all requests with one key of an account */
export interface Wish {
  readonly name: string
  /** different bodies that were sent */
  readonly bodies: Set<string>
  /** requests that are at work */
  waiting: number
  /** the first 201 that a caller had */
  told: { readonly id: string; readonly body: string } | undefined
  /** a 201 that was no repeat */
  isMade: boolean
}

export interface Known {
  readonly id: string
  readonly account: string
  isDeletionAsked: boolean
  /** a caller was told */
  deletedAt: string | undefined
  /** the latest moment of its activity that callers know of, by the clock of the service */
  activeAt: number
  /** uses that are under way */
  uses: number
  /** as rows said last */
  status: string
}

export class Expectations {
  readonly #wishes = new Map<string, Wish>()
  readonly known = new Map<string, Known>()

  wish(name: string): Wish {
    const found = this.#wishes.get(name)
    if (found) return found
    const wish: Wish = { name, bodies: new Set(), waiting: 0, told: undefined, isMade: false }
    this.#wishes.set(name, wish)
    return wish
  }

  /** containers of which callers know, and that they did not delete */
  get kept(): readonly Known[] {
    return [...this.known.values()].filter(({ isDeletionAsked }) => !isDeletionAsked)
  }

  acknowledge(account: string, { body }: Outcome) {
    const id = String(body['id'])
    if (this.known.has(id)) return
    this.known.set(id, {
      id,
      account,
      isDeletionAsked: false,
      deletedAt: undefined,
      activeAt: Date.parse(String(body['createdAt'])),
      uses: 0,
      status: 'running',
    })
  }
}
