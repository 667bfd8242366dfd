// The JSON result of a command: its outputs up to a limit each, and how it ended.
import { constants } from 'node:os'
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

/** keeps the first bytes, and reads the rest */
export class Collected {
  readonly #most: number
  readonly #parts: Buffer[] = []
  #length = 0
  isTruncated = false

  constructor(most: number) {
    this.#most = most
  }

  add(data: Buffer) {
    const part = data.subarray(0, this.#most - this.#length)
    if (part.length < data.length) this.isTruncated = true
    if (part.length === 0) return
    // a slice would keep the whole piece that came from the socket
    this.#parts.push(Buffer.from(part))
    this.#length += part.length
  }

  text(encoding: OutputEncoding): string {
    return Buffer.concat(this.#parts).toString(encoding)
  }
}

export async function collect(output: AsyncIterable<OutputChunk>, most: number) {
  const collected = { stdout: new Collected(most), stderr: new Collected(most) }
  let failure: unknown
  try {
    for await (const { stream, data } of output) collected[stream].add(data)
  } catch (error) {
    failure = error
  }
  return { ...collected, failure }
}
