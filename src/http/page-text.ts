// The text of an open page: its bytes, each coding of them and their tags are made once, so a request costs only its head.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { etagOf } from './conditional.ts'
import { type Coding, codingFor, codings } from './content-coding.ts'

export interface Representation {
  readonly coding: Coding | undefined
  readonly bytes: Buffer
  readonly etag: string
}

/** What answers at a path, beside the text itself. */
export interface Page {
  readonly text: PageText
  /** header fields, names and values in turn */
  readonly fields: readonly string[]
  /** for Cache-Control; absent: kept by the caller, who asks each time whether it still holds */
  readonly keep?: string
  /** absent: 200 */
  readonly status?: number
}

/** a shorter text is not worth coding */
const leastCoded = 1_024

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const coders: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, quality),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

const represent = (bytes: Buffer, coding?: Coding): Representation => ({ coding, bytes, etag: etagOf(bytes) })

export class PageText {
  readonly type: string
  readonly #plain: Representation
  readonly #kept: readonly Coding[]
  readonly #coded = new Map<Coding, Representation | Promise<Representation>>()

  /** `given`: codings that exist already; absent: they are made when they are first asked for */
  constructor(type: string, text: string | Buffer, given?: ReadonlyMap<Coding, Buffer>) {
    const bytes = Buffer.from(text)
    this.type = type
    this.#plain = represent(bytes)
    this.#kept = given ? codings.filter((coding) => given.has(coding)) : bytes.length < leastCoded ? [] : codings
    for (const [coding, coded] of given ?? []) this.#coded.set(coding, represent(coded, coding))
  }

  /** the one that this Accept-Encoding prefers */
  as(accepted: string | undefined): Representation | Promise<Representation> {
    const coding = codingFor(accepted, this.#kept)
    return coding === undefined ? this.#plain : (this.#coded.get(coding) ?? this.#make(coding))
  }

  #make(coding: Coding): Promise<Representation> {
    const making = coders[coding](this.#plain.bytes).then((bytes) => represent(bytes, coding))
    this.#coded.set(coding, making)
    making.then(
      (made) => this.#coded.set(coding, made),
      () => this.#coded.delete(coding),
    )
    return making
  }
}
