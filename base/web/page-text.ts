// The text of an open page. Bytes, codings and tags are made once, so that a request costs only its head.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { etagOf } from './conditional.ts'
import { type Coding, codingFor, codings } from './content-coding.ts'

export interface Representation {
  readonly coding: Coding | undefined
  readonly bytes: Buffer
  readonly etag: string
}

export interface OpenPage {
  readonly text: PageText
  readonly fields: readonly string[]
  /** Cache-Control; absent: no-cache */
  readonly keep?: string
  readonly status?: number
}

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

  constructor(type: string, text: string | Buffer, given?: ReadonlyMap<Coding, Buffer>) {
    const bytes = Buffer.from(text)
    this.type = type
    this.#plain = represent(bytes)
    this.#kept = given ? codings.filter((coding) => given.has(coding)) : bytes.length < leastCoded ? [] : codings
    for (const [coding, coded] of given ?? []) this.#coded.set(coding, represent(coded, coding))
  }

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
