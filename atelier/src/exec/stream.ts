// A command's output as lines of JSON, sent as it comes. A slow reader slows the command: nothing piles up here.
import type { ServerResponse } from 'node:http'
import type { OutputChunk } from '../engine/port.ts'
import { OutputLines, type StreamCounts } from './output-lines.ts'
import type { OutputEncoding } from './result.ts'

const silenceMs = 15_000
/** how long a reader of kept output may stand still */
export const readerStallMs = 60_000

/** for readers who are watched: their progress is seen in pieces of this size */
const pieceBytes = 16 * 1024

export class LineWriter {
  readonly #res: ServerResponse
  readonly #stallMs: number
  #silence: NodeJS.Timeout
  #stall: NodeJS.Timeout | undefined
  #isPatient = true
  #isDeaf = false
  #goOn = () => {}

  /** `stallMs`: the connection of a reader who takes nothing for so long is closed */
  constructor(res: ServerResponse, stallMs = Infinity) {
    this.#res = res
    this.#stallMs = stallMs
    // a write may meet a socket that closes
    res.on('error', () => {})
    res.once('close', () => this.hurry())
    this.#silence = setInterval(() => this.#ping(), silenceMs)
  }

  #ping() {
    if (!this.#res.writableNeedDrain) this.#send([{ type: 'ping', at: new Date().toISOString() }])
  }

  #send(lines: readonly object[], taken?: () => void): boolean {
    this.#silence.refresh()
    if (this.#isDeaf || this.#res.writableEnded || this.#res.destroyed) return true
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    let at = 0
    if (this.#stallMs < Infinity)
      for (; at + pieceBytes < bytes.length; at += pieceBytes)
        this.#res.write(bytes.subarray(at, at + pieceBytes), () => this.#stall?.refresh())
    return this.#res.write(bytes.subarray(at), taken)
  }

  /** Resolves when more may be written. Node's `drain` would not do: it may stay away after text that is not ASCII. */
  async send(...lines: readonly object[]) {
    // output after a kill is sent only while the reader takes it; nothing is sent after a gap
    if (!this.#isPatient && this.#res.writableNeedDrain) this.#isDeaf = true
    let taken = () => {}
    const canGoOn = new Promise<void>((ok) => (taken = ok))
    if (this.#send(lines, taken) || !this.#isPatient) return
    this.#goOn = taken
    if (this.#stallMs < Infinity) this.#stall = setTimeout(() => this.#res.destroy(), this.#stallMs)
    await canGoOn
    clearTimeout(this.#stall)
  }

  hurry() {
    this.#isPatient = false
    this.#goOn()
  }

  end(line: object) {
    clearInterval(this.#silence)
    this.#isDeaf = false
    this.#send([line])
    this.#res.end()
  }

  close() {
    clearInterval(this.#silence)
    this.#res.destroy()
  }
}

export interface OutputStreamOptions {
  readonly encoding: OutputEncoding
  readonly mostBytes: number
  /** called once, when more was put out than `mostBytes` */
  readonly tooMuch: () => void
  /** settles when the command was killed: a reader who stands still is not waited for */
  readonly killed: Promise<unknown>
}

/** sends all output, and answers how much it was, and what reading it threw */
export async function sendOutput(
  lines: LineWriter,
  output: AsyncIterable<OutputChunk>,
  { encoding, mostBytes, tooMuch, killed }: OutputStreamOptions,
): Promise<StreamCounts & { readonly failure: unknown }> {
  const cut = new OutputLines(encoding)
  let failure: unknown
  void killed.then(() => lines.hurry())
  try {
    for await (const chunk of output) {
      if (cut.count(chunk) > mostBytes) {
        tooMuch()
        break
      }
      for (const line of cut.of(chunk)) await lines.send(line)
    }
  } catch (error) {
    failure = error
  }
  for (const line of cut.rest()) await lines.send(line)
  return { ...cut.counts, failure }
}
