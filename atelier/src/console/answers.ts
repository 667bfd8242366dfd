// The answers of the API that the console uses.
import type {
  Container as AnyContainer,
  Image as AnyImage,
  Folder as AnyFolder,
  Subscription as AnySubscription,
} from '../../client/atelier.ts'

export type Container = AnyContainer
export type Image = AnyImage
export type Folder = AnyFolder
export type FolderEntry = Folder['entries'][number]
export type Subscription = AnySubscription

export interface Key {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly createdBy: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/** `key` is null in the answer to a repeated request */
export interface CreatedKey extends Key {
  readonly key: string | null
}

export interface AccountSession {
  readonly user: { readonly id: string; readonly email: string }
  readonly csrfToken: string
  readonly expiresAt: string
}
