// What a product passes to the kit: its name and mark, where its API is, its pages. Set once, before anything is drawn.
import type { ComponentChildren, ComponentType } from 'preact'

export interface PageSource {
  readonly title: string
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

export interface Product {
  readonly name: string
  readonly Mark: ComponentType
  /** path of the operator's API on this origin, such as `/operator/v1` */
  readonly apiBase: string
  readonly csrfHeader: string
  readonly tokenHint: ComponentChildren
  /** by path; `/` is there in any case */
  readonly pages: Readonly<Record<string, PageSource>>
  readonly Status: ComponentType
  readonly SignInNotice: ComponentType
  /** called when an operator has signed in; returns what ends it */
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
