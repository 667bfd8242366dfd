// Speaks to the script that serves a channel in its container: one request at a time. The container may have put anything in
// its place, so what it answers is bounded and checked.
import type { Command } from '../../exec/command.ts'
import { faultOf } from './faults.ts'

export interface FilePlace {
  readonly folder: string
  /** `.`: the folder itself */
  readonly name: string
}

type Values = readonly (string | number)[]

/** the script has gone, or does not keep to what it should say */
export class ScriptGone extends Error {}

export const mostAnswerBytes = 8 * 1_048_576
const end = Buffer.of(0)

const linesOf = (text: string): number => text.split('\n').length

export class ScriptCaller {
  readonly #command: Command
  readonly #stallMs: number
  readonly #output: AsyncGenerator<{ stream: string; data: Buffer }>
  #rest: Buffer = Buffer.alloc(0)
  #hasEnded = false

  constructor(command: Command, stallMs: number) {
    this.#command = command
    this.#stallMs = stallMs
    this.#output = command.output() as AsyncGenerator<{ stream: string; data: Buffer }>
  }

  /** undefined: it serves; else the program that the image lacks */
  async begin(): Promise<string | undefined> {
    const answer = (await this.#inTime(() => this.#answer())).toString()
    if (answer === 'ok') return undefined
    const [, program] = /^no ([a-z]+)$/.exec(answer) ?? []
    if (program === undefined) throw new ScriptGone('no beginning')
    return program
  }

  /** what is asked for; `more` are further names, whose lines the script learns from the values */
  ask(word: string, place: FilePlace, values: Values = [], data?: Buffer): Promise<Buffer> {
    return this.#inTime(() => this.#ask(word, place, values, [], data))
  }

  askAbout(word: string, place: FilePlace, value: string, names: readonly string[]): Promise<Buffer> {
    return this.#inTime(() => this.#ask(word, place, [value, '-', ...names.map(linesOf)], names))
  }

  /** so many bytes of a file follow what the script answers */
  readData(place: FilePlace, values: Values): Promise<Buffer> {
    return this.#inTime(async () => {
      const length = Number((await this.#ask('read_data', place, values, [])).toString())
      if (!Number.isInteger(length) || length < 0 || length > mostAnswerBytes) throw new ScriptGone('no length')
      return this.#take(length)
    })
  }

  /** reads to the end of the output: the script ends with its input, or is killed */
  finish(): Promise<void> {
    return this.#inTime(async () => {
      this.#command.endInput()
      for await (const chunk of this.#output) void chunk
    })
  }

  /** it is of no use any more; one that has ended keeps its outcome */
  kill() {
    if (!this.#hasEnded) this.#command.kill('caller_gone')
  }

  async #ask(word: string, { folder, name }: FilePlace, values: Values, names: readonly string[], data?: Buffer) {
    const head = [word, linesOf(folder), linesOf(name), ...values].join(' ')
    await this.#command.write(Buffer.from(`${[head, folder, name, ...names].join('\n')}\n`))
    if (data) await this.#command.write(data)
    const answer = await this.#answer()
    if (answer.subarray(0, 3).equals(Buffer.from('ok '))) return answer.subarray(3)
    throw faultOf(answer.toString().slice('no '.length))
  }

  /** a script that does not answer is killed */
  async #inTime<T>(work: () => Promise<T>): Promise<T> {
    const late = setTimeout(() => this.#command.kill('timeout'), this.#stallMs)
    try {
      return await work()
    } finally {
      clearTimeout(late)
    }
  }

  async #answer(): Promise<Buffer> {
    const parts: Buffer[] = []
    let length = 0
    for (;;) {
      const at = this.#rest.indexOf(end)
      const part = at === -1 ? this.#rest : this.#rest.subarray(0, at)
      length += part.length
      if (length > mostAnswerBytes) throw new ScriptGone('an answer without an end')
      parts.push(part)
      if (at !== -1) {
        this.#rest = this.#rest.subarray(at + 1)
        return Buffer.concat(parts)
      }
      await this.#more()
    }
  }

  async #take(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let missing = length
    for (;;) {
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      parts.push(part)
      missing -= part.length
      if (missing === 0) return Buffer.concat(parts)
      await this.#more()
    }
  }

  async #more() {
    for (;;) {
      const next = await this.#output.next()
      this.#hasEnded = next.done === true
      if (next.done) throw new ScriptGone('its output has ended')
      if (next.value.stream !== 'stdout') continue
      this.#rest = next.value.data
      return
    }
  }
}
