// What the engine needs of its host: a way to read the platform. The host owns tokens, sockets and time.
import type { Holder } from '../../../base/core/holder.ts'

export interface PlatformRead {
  readonly target: string
  readonly accept: string
  /** platform parameter -> the caller's parameter that caused it */
  readonly given: ReadonlyMap<string, string>
  /** Personal data: never share the result with another process or a cache. */
  readonly withheld?: true
}

/** parsed JSON, with exact integers and without unused links */
export type PlatformDocument = Holder<unknown>

export type Purpose = 'locale' | 'membership' | 'owner' | 'parents' | 'ownership' | 'answer'

/** Resolves to the document of a 200; any other outcome rejects with a Problem. */
export type Get = (read: PlatformRead, purpose: Purpose) => Promise<PlatformDocument>
