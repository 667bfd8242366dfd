// One command at work, from its start to a proven end. It ends by itself, or is killed: at its time limit, when its caller or its
// key goes, when it puts out too much, or with its container.
import { type EngineExec, EngineError, type ExecTemplate, type OutputChunk, type StartFailure } from '../engine/port.ts'
import type { StatusReason } from '../store/container-rows.ts'
import type { CommandStarter } from './starter.ts'

export type KillReason = 'timeout' | 'output_limit' | 'caller_gone' | 'key_ended' | 'stopping' | 'container_ended'

export type Outcome =
  | { readonly kind: 'exit'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly by: KillReason }
  | { readonly kind: 'not_started'; readonly reason: StartFailure }
  | { readonly kind: 'unknown'; readonly reason: 'engine_lost' | 'container_ended' | 'store_lost' | 'disk_limit' }

/** of a killed command's stream: what was put out before is read for so long */
const lastOutputMs = 1_500
const exitCodeMs = 6_000

export interface CommandParts {
  readonly starter: CommandStarter
  readonly template: ExecTemplate
  readonly isDetached: boolean
  /** kills every process, and stops the container if some are left; resolves when that is done */
  readonly killAll: () => Promise<void>
  /** false: another service may have ended the command */
  readonly isServing?: (() => boolean) | undefined
}

export class Command {
  readonly id: string
  readonly beganAt = performance.now()
  #exec: EngineExec | undefined
  #killedBy: KillReason | undefined
  #isDiskFull = false
  #killing: Promise<void> | undefined
  readonly #killed = Promise.withResolvers<void>()
  readonly #parts: CommandParts

  constructor(id: string, parts: CommandParts) {
    this.id = id
    this.#parts = parts
  }

  get killedBy(): KillReason | undefined {
    return this.#killedBy
  }

  get isKilled(): boolean {
    return this.#killedBy !== undefined
  }

  /** settles when the command is killed */
  get killed(): Promise<void> {
    return this.#killed.promise
  }

  async start() {
    const { starter, template, isDetached } = this.#parts
    this.#exec = await starter.start(this.id, template, isDetached)
    // the caller may have left before the command ran
    if (this.#killedBy) this.#killNow()
  }

  write(data: Uint8Array): Promise<void> {
    return this.#exec?.write(data) ?? Promise.resolve()
  }

  endInput() {
    this.#exec?.endInput()
  }

  async resize(columns: number, rows: number) {
    await this.#exec?.resize(columns, rows)
  }

  kill(reason: KillReason) {
    if (this.#killedBy) return
    this.#killedBy = reason
    this.#killed.resolve()
    if (this.#exec) this.#killNow()
  }

  endWithContainer(reason: StatusReason) {
    this.#isDiskFull = reason === 'disk_limit'
    this.kill('container_ended')
  }

  /** settles when the processes of a killed command are gone */
  get killing(): Promise<void> {
    return this.#killing ?? Promise.resolve()
  }

  #killNow() {
    if (this.#killing) return
    const { killAll } = this.#parts
    this.#killing = this.#killedBy === 'container_ended' ? Promise.resolve() : killAll()
    // a killed command whose output stays unread would hold up others of its container
    const late = setTimeout(() => this.#exec?.drain(), lastOutputMs)
    void this.#killing.finally(() => late.unref())
  }

  /** what the command puts out; ends with the command, or shortly after it was killed */
  async *output(): AsyncGenerator<OutputChunk> {
    if (!this.#exec) return
    const chunks = this.#exec.output[Symbol.asyncIterator]()
    let isOver = false
    let stop = () => {}
    const end = () => {
      isOver = true
      stop()
    }
    void this.#killed.promise.then(() => setTimeout(end, lastOutputMs).unref())
    for (;;) {
      if (isOver) return
      // no race with one promise: it would keep something of each of its rounds
      const next = await new Promise<IteratorResult<OutputChunk> | undefined>((ok, no) => {
        stop = () => ok(undefined)
        chunks.next().then(ok, no)
      })
      if (!next || next.done) return
      yield next.value
    }
  }

  /** after the output has ended; `failure` is what reading it threw */
  async outcome(failure?: unknown): Promise<Outcome> {
    const outcome = await this.#outcome(failure)
    return this.#parts.isServing?.() === false ? { kind: 'unknown', reason: 'store_lost' } : outcome
  }

  async #outcome(failure: unknown): Promise<Outcome> {
    const exec = this.#exec as EngineExec
    const by = this.#killedBy
    if (by === 'container_ended') return { kind: 'unknown', reason: this.#isDiskFull ? 'disk_limit' : by }
    if (by) return { kind: 'killed', by }
    if (failure !== undefined && !(failure instanceof EngineError)) throw failure
    if (failure?.fault.startsWith('container_')) return { kind: 'unknown', reason: 'container_ended' }
    if (failure === undefined && exec.startFailure) return { kind: 'not_started', reason: exec.startFailure }
    const exitCode = failure === undefined ? await exec.exitCode(exitCodeMs) : undefined
    if (exitCode !== undefined) return { kind: 'exit', exitCode }
    return { kind: 'unknown', reason: this.isKilled ? 'container_ended' : 'engine_lost' }
  }

  /** after the output has ended: some of it may be missing */
  get isCut(): boolean {
    return this.#exec?.isCut ?? false
  }

  /** the command goes on without its caller */
  drain() {
    this.#exec?.drain()
  }

  leave() {
    this.#exec?.leave()
  }
}
