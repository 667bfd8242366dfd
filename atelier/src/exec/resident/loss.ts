// What the loss of a connection to a resident means for the commands that it had.
import { type Engine, EngineError } from '../../engine/port.ts'
import { makeId } from '../../ids.ts'
import type { CommandStarter } from '../starter.ts'

/** an engine tells late that a container has ended */
const lookMs = 150
const looks = 20

export interface Place {
  readonly container: string
  readonly user: string
}

const pause = (ms: number): Promise<void> => new Promise((again) => setTimeout(again, ms))

async function faultOf(engine: Engine, container: string) {
  for (let look = 0; look < looks; look += 1) {
    try {
      const state = await engine.state(container)
      if (!state) return 'container_gone'
      if (!state.running) return 'container_stopped'
    } catch (error) {
      // Podman has no state of a container that it is about to remove
      if (error instanceof EngineError && error.fault === 'unavailable') break
    }
    await pause(lookMs)
  }
  return 'unavailable'
}

/** a command may outlive the resident that started it; it still has its mark */
export function createExplainLoss(engine: Engine, byEngine: CommandStarter) {
  return async ({ container, user }: Place, commands: readonly string[]): Promise<EngineError> => {
    for (const id of commands) {
      const killer = { container, user, id: makeId('ex') }
      const others = { running: [], hasEnded: () => false }
      void byEngine.kill({ container, user, id, isKeptAlive: false }, killer, others).catch(() => {})
    }
    return new EngineError(await faultOf(engine, container), 'the connection to the resident was lost')
  }
}
