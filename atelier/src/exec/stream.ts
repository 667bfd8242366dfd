// A command's output as lines of JSON, sent as it comes. A slow reader slows the command: nothing piles up here.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { OutputChunk } from '../engine/port.ts'
import { type OutputLine, OutputLines, type StreamCounts } from './output-lines.ts'
import type { OutputEncoding } from './result.ts'

const silenceMs = 15_000

export class LineWriter {
  readonly #res: ServerResponse
  #silence: NodeJS.Timeout

  constructor(res: ServerResponse) {
    this.#res = res
    // a write may meet a socket that closes
    res.on('error', () => {})
    this.#silence = setInterval(() => this.#ping(), silenceMs)
  }

  #ping() {
    if (!this.#res.writableNeedDrain) this.#send({ type: 'ping', at: new Date().toISOString() })
  }

  #send(line: object): boolean {
    this.#silence.refresh()
    return this.#res.writableEnded || this.#res.destroyed || this.#res.write(`${JSON.stringify(line)}\n`)
  }

  /** resolves when more may be written, or the caller is gone */
  async send(line: object) {
    if (this.#send(line)) return
    await Promise.race([once(this.#res, 'drain'), once(this.#res, 'close')]).catch(() => {})
  }

  end(line: object) {
    clearInterval(this.#silence)
    this.#send(line)
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
  const send = (line: OutputLine) => Promise.race([lines.send(line), killed])
  try {
    for await (const chunk of output) {
      if (cut.count(chunk) > mostBytes) {
        tooMuch()
        break
      }
      for (const line of cut.of(chunk)) await send(line)
    }
  } catch (error) {
    failure = error
  }
  for (const line of cut.rest()) await send(line)
  return { ...cut.counts, failure }
}
