// What became of a container that does not answer as a running one.
import { type Engine, EngineError } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import { refuse } from '../problems.ts'
import type { ContainerRows, StatusReason } from '../store/container-rows.ts'
import type { LiveWork } from './live.ts'
import type { UnderWay } from './under-way.ts'

export interface RefreshParts {
  readonly engine: Engine
  readonly rows: ContainerRows
  readonly work: LiveWork
  readonly underWay: UnderWay
  readonly observe: Observe
}

export function createRefresh({ engine, rows, work, underWay, observe }: RefreshParts) {
  /** a container that is no longer running: the first reason stays */
  async function end(id: string, status: 'exited' | 'failed', reason: StatusReason, exitCode: number | null) {
    const changed = await rows.ended(id, status, reason, exitCode)
    work.endAll(id, reason)
    if (changed > 0) observe({ kind: 'container_ended', containerId: id, status, reason })
    return changed > 0
  }

  /** asks the engine what became of a container that does not answer as a running one; true: it is lost, which was not known */
  async function refresh(id: string): Promise<boolean> {
    if (underWay.has(id)) return false
    const state = await engine.state(id)
    if (!state) return end(id, 'failed', 'engine_lost', null)
    if (!state.running) await end(id, 'exited', 'main_exited', state.exitCode)
    return false
  }

  /** the problem that an error of the engine means for this container, after looking at it */
  async function explain(id: string, error: unknown): Promise<unknown> {
    const isEnd = error instanceof EngineError && /^container_(gone|stopped)$/.test(error.fault)
    if (!isEnd) return error
    await refresh(id)
    const record = await rows.find(id)
    return refuse('container_not_running', {
      status: record?.status === 'running' ? 'failed' : (record?.status ?? 'deleted'),
      statusReason: record?.reason ?? 'engine_lost',
    })
  }

  return { end, refresh, explain }
}
