// The JSON result of a command: its outputs up to a limit each, and how it ended.
import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import type { Holding } from '../api/held-bytes.ts'
import { GrowingBuffer } from '../api/request-body.ts'
import type { OutputChunk } from '../engine/port.ts'
import { Problem, refuse } from '../problems.ts'
import type { Command, Outcome } from './command.ts'

export type OutputEncoding = 'utf8' | 'base64'

const names = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name.slice('SIG'.length)]))

const killedCode = 128 + constants.signals.SIGKILL

/** an exit code of 128 + n is all that is left of a signal */
const signalOf = (exitCode: number): string | null =>
  exitCode > 128 && exitCode < 160 ? (names.get(exitCode - 128) ?? null) : null

export interface End {
  readonly exitCode: number
  readonly signal: string | null
  readonly timedOut: boolean
  readonly oomKilled: true | null
  readonly durationMs: number
}

/** the end of a command as callers see it; throws what was no end */
export function endOf(outcome: Outcome, command: Command, isOutOfMemory: boolean): End {
  const durationMs = Math.round(performance.now() - command.beganAt)
  if (outcome.kind === 'not_started') throw refuse('exec_start_failed', { reason: outcome.reason })
  if (outcome.kind === 'unknown') throw refuse('exec_outcome_unknown', { reason: outcome.reason })
  if (outcome.kind === 'exit') {
    const { exitCode } = outcome
    const oomKilled = exitCode === killedCode && isOutOfMemory ? true : null
    return { exitCode, signal: signalOf(exitCode), timedOut: false, oomKilled, durationMs }
  }
  if (outcome.by === 'timeout')
    return { exitCode: killedCode, signal: 'KILL', timedOut: true, oomKilled: null, durationMs }
  if (outcome.by === 'output_limit') throw new Problem('output_limit')
  if (outcome.by === 'key_ended') throw new Problem('unauthorized')
  throw new Problem('shutting_down')
}

/** keeps the first bytes, as long as there is room for them, and reads the rest */
export class Collected {
  #most: number
  readonly #content: GrowingBuffer
  isTruncated = false

  constructor(most: number, holding: Holding) {
    this.#most = most
    this.#content = new GrowingBuffer(holding.add, most)
  }

  get bytes(): Buffer {
    return this.#content.bytes
  }

  add(data: Buffer) {
    const { length } = this.bytes
    const part = data.subarray(0, this.#most - length)
    const isKept = part.length === 0 || this.#content.add(part)
    if (isKept && part.length === data.length) return
    this.isTruncated = true
    // nothing is kept after a gap
    if (!isKept) this.#most = length
  }
}

export async function collect(output: AsyncIterable<OutputChunk>, most: number, holding: Holding) {
  const collected = { stdout: new Collected(most, holding), stderr: new Collected(most, holding) }
  let failure: unknown
  try {
    for await (const { stream, data } of output) collected[stream].add(data)
  } catch (error) {
    failure = error
  }
  return { ...collected, failure }
}

export interface WholeResult extends End {
  readonly execId: string
  readonly stdout: Collected
  readonly stderr: Collected
  readonly isCut: boolean
  readonly outputEncoding: OutputEncoding
}

/** a multiple of three, so that base64 has no padding within */
const pieceBytes = 48 * 1024

function* textOf({ bytes }: Collected, encoding: OutputEncoding): Generator<string> {
  const decoder = new StringDecoder(encoding)
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield JSON.stringify(decoder.write(bytes.subarray(at, at + pieceBytes))).slice(1, -1)
  yield JSON.stringify(decoder.end()).slice(1, -1)
}

/** The JSON in pieces, made as they are asked for: escaped, an output is up to six times as long. */
export function* piecesOf({ stdout, stderr, isCut, outputEncoding, ...rest }: WholeResult): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"stdout":"`
  yield* textOf(stdout, outputEncoding)
  yield '","stderr":"'
  yield* textOf(stderr, outputEncoding)
  const stdoutTruncated = stdout.isTruncated || isCut
  const stderrTruncated = stderr.isTruncated || isCut
  yield `",${JSON.stringify({ stdoutTruncated, stderrTruncated, outputEncoding }).slice(1)}`
}
