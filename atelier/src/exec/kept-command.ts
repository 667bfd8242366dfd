// The output of one command that goes on without its caller: the newest lines, and how it ended.
import type { AnyProblem } from '../../../base/core/problem.ts'
import type { OutputLine } from './output-lines.ts'

/** what the objects of a line, and of a command, take besides the text */
const lineBytes = 128
export const commandBytes = 1_024

/** V8 keeps a text in one byte for each character, or in two if one of them needs it */
const costOf = ({ data }: OutputLine): number => lineBytes + (/[^\0-\xff]/.test(data) ? 2 * data.length : data.length)

export type KeptEnd = { readonly exit: object } | { readonly problem: AnyProblem }

export interface KeptPlace {
  readonly id: string
  readonly account: string
  readonly container: string
}

export class KeptCommand {
  readonly place: KeptPlace
  readonly startedAt = new Date().toISOString()
  readonly #lines = new Map<number, OutputLine>()
  readonly #watchers = new Set<() => void>()
  #first = 1
  #next = 1
  #bytes = 0
  #end: KeptEnd | undefined

  constructor(place: KeptPlace) {
    this.place = place
  }

  get bytes(): number {
    return this.#bytes
  }

  get first(): number {
    return this.#first
  }

  get end(): KeptEnd | undefined {
    return this.#end
  }

  line(seq: number): OutputLine | undefined {
    return this.#lines.get(seq)
  }

  add(line: OutputLine): number {
    const cost = costOf(line)
    this.#lines.set(line.seq, line)
    this.#next = line.seq + 1
    this.#bytes += cost
    return cost
  }

  /** answers how many bytes became free; 0: there was none */
  dropOldest(): number {
    const line = this.#lines.get(this.#first)
    if (!line) return 0
    this.#lines.delete(this.#first)
    this.#first++
    const cost = costOf(line)
    this.#bytes -= cost
    return cost
  }

  /** the container is gone, or it was kept for long enough: only followers that are there still see the end */
  clear() {
    this.#lines.clear()
    this.#first = this.#next
    this.#bytes = 0
  }

  finish(end: KeptEnd) {
    this.#end = end
    this.tell()
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  tell() {
    for (const changed of this.#watchers) changed()
  }
}
