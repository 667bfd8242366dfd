// What the engine needs of its host: a way to read the platform. The host owns tokens, sockets and time.
import type { Holder } from '../../../base/core/holder.ts'
import type { PageEnd } from './page-end.ts'

export interface PlatformRead {
  readonly target: string
  readonly accept: string
  /** platform parameter -> the caller's parameter that caused it */
  readonly given: ReadonlyMap<string, string>
  /** Personal data: never share the result with another process or a cache. */
  readonly withheld?: true
  /** absent: the document is parsed */
  readonly reader?: PageReader | undefined
}

/** of a document: UTF-8 read as Latin-1, since all patterns are ASCII and a two-byte string would double the time of each search */
export interface PlainText {
  /** one, or several that end between resources, since V8 promotes long strings early */
  readonly pieces: readonly string[]
  readonly isAscii: boolean
}

/** a page of which the items were flattened without objects */
export interface TextPage {
  /** the text between the brackets, in pieces */
  readonly items: readonly string[]
  /** that the document holds at most */
  readonly values: number
  readonly end: PageEnd
}

/** Undefined: the document has to be parsed. `parse` is for a part of the text. */
export type PageReader = (text: PlainText, parse: (latin1: string) => unknown) => TextPage | undefined

/** a document that its reader took as text; those who share it and have another reader parse it */
export class TextDocument {
  readonly page: TextPage
  readonly reader: PageReader
  readonly toJSON: () => unknown

  constructor(page: TextPage, reader: PageReader, toJSON: () => unknown) {
    this.page = page
    this.reader = reader
    this.toJSON = toJSON
  }
}

/** parsed JSON, with exact integers and without unused links, or a TextDocument */
export type PlatformDocument = Holder<unknown>

export type Purpose = 'locale' | 'membership' | 'owner' | 'parents' | 'ownership' | 'answer'

/** Resolves to the document of a 200; any other outcome rejects with a Problem. */
export type Get = (read: PlatformRead, purpose: Purpose) => Promise<PlatformDocument>
