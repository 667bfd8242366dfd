// Reads multipart/form-data of two named parts in a fixed order: the first whole, the second as it comes.
import { Readable } from 'node:stream'
import { invalid, Problem, refuse } from '../problems.ts'

const mostHeadBytes = 8 * 1024
const headEnd = Buffer.from('\r\n\r\n')

const wrong = (reason: string) => invalid('', `the multipart body ${reason}`)

export function boundaryOf(contentType: string | undefined): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined || !/^[\w'()+,./:=? -]*[\w'()+,./:=?-]$/.test(boundary))
    throw wrong('has no usable boundary')
  return boundary
}

/** the longest time until the second part begins */
const firstPartMs = 120_000

async function within<T>(ms: number, asked: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = setTimeout(() => reject(new Problem('request_timeout')), ms)
  return Promise.race([asked, promise]).finally(() => clearTimeout(late))
}

/** the bytes that have come, and more of them as they are asked for */
class Window {
  #held: Buffer = Buffer.alloc(0)
  /** room behind what is held: to copy all of it for each small chunk would take minutes */
  #spare: Buffer = Buffer.alloc(0)
  #isOver = false
  readonly #source: AsyncIterator<Buffer>

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  get held(): Buffer {
    return this.#held
  }

  /** false: nothing more comes */
  async more(): Promise<boolean> {
    const next = this.#isOver ? { done: true as const, value: undefined } : await this.#source.next()
    if (next.done) {
      this.#isOver = true
      return false
    }
    this.#add(next.value)
    return true
  }

  #add(part: Buffer) {
    const length = this.#held.length
    if (part.length > this.#spare.length) {
      const store = Buffer.allocUnsafe(2 * (length + part.length))
      this.#held.copy(store)
      this.#held = store.subarray(0, length)
      this.#spare = store.subarray(length)
    }
    part.copy(this.#spare)
    const { buffer, byteOffset } = this.#held
    this.#held = Buffer.from(buffer, byteOffset, length + part.length)
    this.#spare = this.#spare.subarray(part.length)
  }

  take(bytes: number): Buffer {
    const taken = this.#held.subarray(0, bytes)
    this.#held = this.#held.subarray(bytes)
    return taken
  }

  async need(bytes: number) {
    while (this.#held.length < bytes) if (!(await this.more())) throw wrong('ends too early')
  }

  /** everything before `mark`, which is passed over */
  async until(mark: Buffer, most: number, tooMuch: () => Error): Promise<Buffer> {
    for (let searched = 0; ;) {
      const at = this.#held.indexOf(mark, searched)
      if (at > most || (at < 0 && this.#held.length > most + mark.length)) throw tooMuch()
      if (at >= 0) {
        const found = this.take(at)
        this.take(mark.length)
        return found
      }
      searched = Math.max(0, this.#held.length - mark.length)
      if (!(await this.more())) throw wrong('ends too early')
    }
  }
}

interface PartHead {
  readonly name: string
  readonly type: string
}

async function readHead(window: Window): Promise<PartHead> {
  await window.need(2)
  const opening = window.take(2).toString('latin1')
  if (opening === '--') throw wrong('has too few parts')
  if (opening !== '\r\n') throw wrong('is malformed at a boundary')
  const head = (await window.until(headEnd, mostHeadBytes, () => wrong('has a part with too long a head'))).toString()
  const [, name = ''] = /^content-disposition:\s*form-data;(?:[^\r\n]*;)?\s*name="([^"\r\n]*)"/im.exec(head) ?? []
  const [, type = 'text/plain'] = /^content-type:\s*([^;\s]+)/im.exec(head) ?? []
  return { name, type: type.toLowerCase() }
}

async function requirePart(window: Window, name: string, type: string) {
  const head = await readHead(window)
  if (head.name !== name) throw wrong(`has no part "${name}" at this place`)
  if (head.type !== type) throw wrong(`has a part "${name}" that is not ${type}`)
}

async function checkEnd(window: Window) {
  await window.need(2)
  if (window.take(2).toString('latin1') !== '--') throw wrong('has too many parts')
  do {
    if (/[^\s]/.test(window.held.toString('latin1'))) throw wrong('goes on after its end')
    window.take(window.held.length)
  } while (await window.more())
}

async function* readLast(window: Window, mark: Buffer): AsyncGenerator<Buffer> {
  for (;;) {
    const at = window.held.indexOf(mark)
    if (at >= 0) {
      if (at > 0) yield window.take(at)
      window.take(mark.length)
      return await checkEnd(window)
    }
    // the mark may come in pieces
    const safe = window.held.length - mark.length
    if (safe > 0) yield window.take(safe)
    if (!(await window.more())) throw wrong('ends too early')
  }
}

export interface TwoParts {
  readonly first: Buffer
  /** fails with a problem where the body is not as it should be */
  readonly second: Readable
}

export interface PartNames {
  readonly first: { readonly name: string; readonly type: string; readonly mostBytes: number }
  readonly second: { readonly name: string; readonly type: string }
}

async function readFirst(window: Window, mark: Buffer, { first, second }: PartNames): Promise<Buffer> {
  await window.need(mark.length - 2)
  // no preamble
  if (!window.take(mark.length - 2).equals(mark.subarray(2))) throw wrong('does not begin with its boundary')
  await requirePart(window, first.name, first.type)
  const limit = first.mostBytes
  const whole = await window.until(mark, limit, () => refuse('too_large', { limit }))
  await requirePart(window, second.name, second.type)
  return whole
}

export async function readTwoParts(
  source: AsyncIterable<Buffer>,
  boundary: string,
  names: PartNames,
): Promise<TwoParts> {
  const mark = Buffer.from(`\r\n--${boundary}`)
  const window = new Window(source)
  const first = await within(firstPartMs, readFirst(window, mark, names))
  return { first, second: Readable.from(readLast(window, mark), { objectMode: false }) }
}
