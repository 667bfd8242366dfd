// What a product passes to the kit: its name and mark, where its API is, how one signs in, its pages. Set once, before anything is
// drawn.
import type { ComponentType } from 'preact'

export interface PageSource {
  readonly title: string
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** path of the page that leads here: this one is not in the navigation */
  readonly parent?: string
}

export interface SignedIn {
  /** as the audit log names them */
  readonly who: string
  readonly csrf: string
  readonly role?: string
  /** ids of those that the role allows; absent: all */
  readonly operations?: readonly string[]
  /** of the service */
  readonly version?: string
}

/** a refusal as the API answered it */
export interface RefusedAnswer {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface Product {
  readonly name: string
  readonly Mark: ComponentType
  /** before each path of the API on this origin, such as `/operator/v1` */
  readonly apiBase: string
  /** header fields that go with each request of a session, by its CSRF token */
  readonly proofOf: (csrf: string) => Readonly<Record<string, string>>
  /** codes of refusals that say that the session is not known any more */
  readonly lostCodes: ReadonlySet<string>
  /** throws an ApiRefusal; 401: nobody is signed in */
  readonly readSession: () => Promise<SignedIn>
  /** throws an ApiRefusal */
  readonly endSession: () => Promise<unknown>
  /** in the words of the console; undefined: the message of the API stays */
  readonly explain?: (refused: RefusedAnswer) => string | undefined
  readonly SignIn: ComponentType<{ readonly ended: boolean }>
  /** beside the name of who is signed in */
  readonly aboutWho: () => string
  /** path of the first page */
  readonly home: string
  readonly pages: Readonly<Record<string, PageSource>>
  readonly Status: ComponentType
  /** called when somebody has signed in; returns what ends it */
  readonly onSignedIn: () => () => void
}

let current: Product | undefined

export function setProduct(product: Product) {
  current = product
}

export function product(): Product {
  if (!current) throw new Error('no product is set')
  return current
}
