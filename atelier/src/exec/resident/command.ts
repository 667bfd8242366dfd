// One command that a resident has started, as any other command of the engine's port: its output within the credit that it was
// given, its input within the credit that it gives, its end.
import { constants } from 'node:os'
import { EngineError, type EngineExec, type OutputChunk, type StartFailure } from '../../engine/port.ts'
import { frame, largestPayload, number16, number32, request, ResidentFault, streamNumber } from './frames.ts'

/** of each stream: more than this never waits here */
export const outputCredit = 512 * 1024
const grantedAt = outputCredit / 2
const mostCredit = 1024 * 1024
/** a command that puts out byte by byte would take more memory for the pieces than for what they hold */
const mostPieces = 512
const joinedBytes = 64 * 1024

const stages = { workingDir: 1, program: 2 } as const
const { ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EACCES, EPERM, ENOEXEC, EISDIR, ETXTBSY } = constants.errno
const absent = new Set([ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG])
const notExecutable = new Set([EACCES, EPERM, ENOEXEC, EISDIR, ETXTBSY])

function failureOf(stage: number, errno: number): StartFailure {
  if (stage === stages.workingDir) return 'bad_working_dir'
  if (stage !== stages.program) return 'other'
  if (absent.has(errno)) return 'not_found'
  return notExecutable.has(errno) ? 'not_executable' : 'other'
}

/** as a shell says it */
const exitCodeOf = (waitStatus: number): number =>
  (waitStatus & 0x7f) === 0 ? (waitStatus >> 8) & 0xff : 128 + (waitStatus & 0x7f)

export interface ResidentLine {
  send(frame: Buffer): void
}

type Stream = OutputChunk['stream']

export class ResidentCommand implements EngineExec {
  startFailure: StartFailure | undefined
  readonly isCut = false
  readonly output: AsyncIterable<OutputChunk>
  readonly #line: ResidentLine
  readonly #number: number
  readonly #credit = { stdout: outputCredit, stderr: outputCredit }
  readonly #taken = { stdout: 0, stderr: 0 }
  #waiting: OutputChunk[] = []
  #isDraining = false
  #isLeft = false
  #wake = Promise.withResolvers<void>()
  #inputCredit = 0
  #mayWrite = Promise.withResolvers<void>()
  #written: Promise<void> = Promise.resolve()
  readonly #ended = Promise.withResolvers<void>()
  #end: { readonly exitCode?: number; readonly error?: EngineError } | undefined

  constructor(line: ResidentLine, number: number) {
    this.#line = line
    this.#number = number
    this.output = this.#read()
  }

  /** one after the other, each when the command's credit lets it */
  write(data: Uint8Array): Promise<void> {
    return (this.#written = this.#written.then(() => this.#writeInTurn(data)))
  }

  endInput() {
    void this.#written.then(() => this.#send(request.inputEnd))
  }

  async resize(columns: number, rows: number) {
    this.#send(request.resize, number16(columns), number16(rows))
  }

  async exitCode(patienceMs = 5000) {
    if (!this.#end) {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, patienceMs)
      await Promise.race([this.#ended.promise, late.promise])
      clearTimeout(timer)
    }
    return this.#end?.exitCode
  }

  drain() {
    this.#isDraining = true
    for (const chunk of this.#waiting.splice(0)) this.#grant(chunk)
  }

  /** the command goes on */
  leave() {
    this.drain()
    this.#isLeft = true
    this.#wake.resolve()
  }

  took(stream: Stream, data: Buffer) {
    this.#credit[stream] -= data.length
    if (this.#credit[stream] < 0) throw new ResidentFault('more output than it may send')
    const chunk = { stream, data }
    if (this.#isDraining) return this.#grant(chunk)
    this.#waiting.push(chunk)
    if (this.#waiting.length > mostPieces) this.#join()
    this.#wake.resolve()
  }

  tookInputCredit(bytes: number) {
    if (bytes === 0) throw new ResidentFault('credit for nothing')
    this.#inputCredit += bytes
    if (this.#inputCredit > mostCredit) throw new ResidentFault('more credit than there is')
    this.#mayWrite.resolve()
  }

  failed(stage: number, errno: number) {
    this.startFailure = failureOf(stage, errno)
    this.#finish({})
  }

  exited(waitStatus: number) {
    this.#finish({ exitCode: exitCodeOf(waitStatus) })
  }

  /** nothing is known of its end */
  lost(error: EngineError) {
    this.#finish({ error })
  }

  #send(type: number, ...payload: readonly Uint8Array[]) {
    if (!this.#end) this.#line.send(frame(type, this.#number, ...payload))
  }

  async #writeInTurn(data: Uint8Array) {
    for (let at = 0; at < data.length && !this.#end;) {
      if (this.#inputCredit === 0) {
        this.#mayWrite = Promise.withResolvers()
        await this.#mayWrite.promise
        continue
      }
      const part = data.subarray(at, at + Math.min(this.#inputCredit, largestPayload))
      this.#inputCredit -= part.length
      at += part.length
      this.#send(request.input, part)
    }
  }

  #finish(end: { readonly exitCode?: number; readonly error?: EngineError }) {
    this.#end ??= end
    this.#wake.resolve()
    this.#mayWrite.resolve()
    this.#ended.resolve()
  }

  async *#read(): AsyncGenerator<OutputChunk> {
    for (;;) {
      for (let chunk = this.#next(); chunk; chunk = this.#next()) {
        this.#grant(chunk)
        yield chunk
      }
      if (this.#end || this.#isLeft) break
      this.#wake = Promise.withResolvers()
      await this.#wake.promise
    }
    if (this.#end?.error) throw this.#end.error
  }

  /** Pieces of one stream that wait one after the other, as one: engines pass on as little as 8 KiB at a time. */
  #next(): OutputChunk | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    let [count, bytes] = [1, first.data.length]
    for (; this.#waiting[count]?.stream === first.stream && bytes < joinedBytes; count++)
      bytes += this.#waiting[count]?.data.length ?? 0
    const pieces = this.#waiting.splice(0, count)
    return count === 1
      ? first
      : {
          stream: first.stream,
          data: Buffer.concat(
            pieces.map(({ data }) => data),
            bytes,
          ),
        }
  }

  /** what was read may come again */
  #grant({ stream, data }: OutputChunk) {
    const bytes = (this.#taken[stream] += data.length)
    if (bytes < grantedAt) return
    this.#taken[stream] = 0
    this.#credit[stream] += bytes
    this.#send(request.credit, Buffer.from([streamNumber[stream]]), number32(bytes))
  }

  /** the streams have no common order */
  #join() {
    const joined = (['stdout', 'stderr'] as const).map((stream) => ({
      stream,
      data: Buffer.concat(this.#waiting.flatMap((chunk) => (chunk.stream === stream ? [chunk.data] : []))),
    }))
    this.#waiting = joined.filter(({ data }) => data.length > 0)
  }
}
