// Ends a build whose container holds more than the account may still keep. No engine bounds it on most file systems.
import { setTimeout as pause } from 'node:timers/promises'
import { type Engine, EngineError } from '../engine/port.ts'
import { buildContainerLimits } from './build-container.ts'

const mebibyte = 1024 * 1024
const everyMs = 1_000

export const tooLarge = 'The steps wrote more than a build of this account may hold now.'

export interface SizedBuild {
  readonly engine: Pick<Engine, 'size'>
  readonly id: string
  /** that the account may still keep */
  readonly mostBytes: () => Promise<number>
}

export const mostWritten = async ({ mostBytes }: Pick<SizedBuild, 'mostBytes'>): Promise<number> =>
  Math.min(await mostBytes(), buildContainerLimits.diskMiB * mebibyte)

export const isTooLarge = async (build: SizedBuild): Promise<boolean> =>
  (await build.engine.size(build.id)) > (await mostWritten(build))

/** Calls back once: if the build is too large, or if the engine could not determine its size twice in a row. */
export async function watchSize(build: SizedBuild, signal: AbortSignal, end: () => void): Promise<void> {
  for (let failures = 0; failures < 2;) {
    try {
      await pause(everyMs, undefined, { signal, ref: false })
      if (await isTooLarge(build)) break
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      // a container that is not made yet, and an engine or a store that is away, say nothing of its size
      if (error instanceof EngineError && (error.fault === 'failed' || error.fault === 'timeout')) failures += 1
    }
  }
  if (!signal.aborted) end()
}
