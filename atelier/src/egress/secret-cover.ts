// Covers the values of secrets with stars if a host sends them back. Only a whole value changes anything: which bytes wait, how
// they are cut and when they are sent depends on lengths alone, so an echo does not tell a program that it guessed a part.
import { Transform, type TransformCallback } from 'node:stream'
import { ValueFinder } from './value-finder.ts'

const star = '*'.charCodeAt(0)

/** covers one finder's values in bytes that come in pieces; positions count from the start of the stream */
class Marker {
  readonly #finder: ValueFinder
  #state = 0
  #read = 0
  /** the last covered range: what lies in it is not written again, so overlapping values cost each byte once */
  #from = 0
  #until = 0

  constructor(finder: ValueFinder) {
    this.#finder = finder
  }

  /** `bytes` ends with the new piece, behind those that wait */
  mark(bytes: Buffer, piece: Uint8Array) {
    const start = this.#read + piece.length - bytes.length
    this.#state = this.#finder.scan(piece, this.#state, (end, length) => this.#found(bytes, start, end, length))
    this.#read += piece.length
  }

  #found(bytes: Buffer, start: number, endInPiece: number, length: number) {
    const end = this.#read + endInPiece
    const from = Math.max(start, end - length)
    const isBehind = from >= this.#from
    bytes.fill(star, (isBehind ? Math.max(from, this.#until) : from) - start, end - start)
    if (!isBehind || from > this.#until) this.#from = from
    this.#until = end
  }
}

export class SecretCover {
  readonly #finders: readonly ValueFinder[]
  readonly #longest: number

  /** `longest`: the length of the longest value that this host may send back; `coded`: other forms of values in one request */
  constructor(finder: ValueFinder, longest: number, coded: readonly string[] = []) {
    this.#finders = coded.length > 0 ? [finder, new ValueFinder(coded)] : [finder]
    this.#longest = Math.max(longest, ...coded.map(({ length }) => length))
  }

  text(text: string): string {
    const given = Buffer.from(text, 'latin1')
    const bytes = Buffer.from(given)
    for (const finder of this.#finders) new Marker(finder).mark(bytes, given)
    return bytes.toString('latin1')
  }

  /** always holds back as many bytes as may begin a value: one less than the longest has */
  stream(): Transform {
    const markers = this.#finders.map((finder) => new Marker(finder))
    const most = Math.max(0, this.#longest - 1)
    let held: Buffer = Buffer.alloc(0)
    return new Transform({
      transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
        const bytes = Buffer.concat([held, piece])
        for (const marker of markers) marker.mark(bytes, piece)
        const end = Math.max(0, bytes.length - most)
        held = bytes.subarray(end)
        done(null, end > 0 ? bytes.subarray(0, end) : undefined)
      },
      flush(done: TransformCallback) {
        done(null, held.length > 0 ? held : undefined)
      },
    })
  }
}
