// Cuts what a command puts out into numbered lines of a stream, and counts it.
import { StringDecoder } from 'node:string_decoder'
import type { OutputChunk } from '../engine/port.ts'
import type { OutputEncoding } from './result.ts'

const mostOfLine = 64 * 1024

export interface OutputLine {
  readonly type: OutputChunk['stream']
  readonly seq: number
  readonly data: string
}

export interface StreamCounts {
  readonly stdoutBytes: number
  readonly stderrBytes: number
}

/** parts whose text has at most 64 KiB; whole characters where it is text */
function partsOf(data: Buffer, encoding: OutputEncoding): Buffer[] {
  const most = encoding === 'base64' ? (mostOfLine / 4) * 3 : mostOfLine / 3
  const parts: Buffer[] = []
  for (let at = 0; at < data.length; at += most) parts.push(data.subarray(at, at + most))
  return parts
}

export class OutputLines {
  readonly #encoding: OutputEncoding
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  readonly #bytes = { stdout: 0, stderr: 0 }
  #seq = 0

  constructor(encoding: OutputEncoding) {
    this.#encoding = encoding
  }

  get counts(): StreamCounts {
    return { stdoutBytes: this.#bytes.stdout, stderrBytes: this.#bytes.stderr }
  }

  /** answers how many bytes there were so far, this chunk among them */
  count({ stream, data }: OutputChunk): number {
    this.#bytes[stream] += data.length
    return this.#bytes.stdout + this.#bytes.stderr
  }

  *of({ stream, data }: OutputChunk): Generator<OutputLine> {
    for (const part of partsOf(data, this.#encoding))
      yield* this.#line(
        stream,
        this.#encoding === 'base64' ? part.toString('base64') : this.#decoders[stream].write(part),
      )
  }

  *rest(): Generator<OutputLine> {
    for (const stream of ['stdout', 'stderr'] as const) yield* this.#line(stream, this.#decoders[stream].end())
  }

  *#line(type: OutputChunk['stream'], data: string): Generator<OutputLine> {
    if (data !== '') yield { type, seq: ++this.#seq, data }
  }
}
