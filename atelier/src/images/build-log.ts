// The log of one build: numbered lines in the store, characters kept whole, an end when it is full.
import { StringDecoder } from 'node:string_decoder'
import type { LogLine } from '../store/image-log-rows.ts'

export interface BuildLog {
  /** a line of the service itself */
  say(step: number, text: string): Promise<void>
  output(step: number, stream: 'stdout' | 'stderr', data: Buffer): Promise<void>
  /** what the last command left of a character */
  endOutput(step: number): Promise<void>
}

export interface BuildLogParts {
  readonly add: (line: LogLine) => Promise<unknown>
  readonly mostBytes: number
  readonly now: () => number
}

/** bytes that a row takes in the store besides its text */
const rowBytes = 64
const mostLineCharacters = 65_536 / 4

export function createBuildLog({ add, mostBytes, now }: BuildLogParts): BuildLog {
  let decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  let seq = 0
  let bytes = 0
  let isFull = false

  async function write(step: number, stream: LogLine['stream'], text: string) {
    // PostgreSQL holds no NUL in a text
    const whole = text.replaceAll('\0', '\uFFFD')
    for (let at = 0; at < whole.length && !isFull;) {
      const next = at + mostLineCharacters
      // a pair of surrogates is not cut
      const end = /[\uD800-\uDBFF]/.test(whole[next - 1] ?? '') ? next - 1 : next
      const data = whole.slice(at, end)
      at = end
      bytes += Buffer.byteLength(data) + rowBytes
      isFull = bytes > mostBytes
      const line = { seq: ++seq, at: now(), step }
      await add(isFull ? { ...line, stream: 'truncated', data: '' } : { ...line, stream, data })
    }
  }

  return {
    say: (step, text) => write(step, 'service', `${text}\n`),
    output: (step, stream, data) => write(step, stream, decoders[stream].write(data)),
    async endOutput(step) {
      const { stdout, stderr } = decoders
      decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
      await write(step, 'stdout', stdout.end())
      await write(step, 'stderr', stderr.end())
    },
  }
}
