// The names of a service that base needs.

export interface Product {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly envPrefix: string
  readonly keyPrefix: string
}
