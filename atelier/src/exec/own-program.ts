// A program that the service itself starts in a container. It is noted as a command, so that no kill takes it for a stray one, and
// it can be killed as one.
import type { EngineExec, ExecTemplate } from '../engine/port.ts'
import { makeId } from '../ids.ts'
import type { RunningCommands } from './running-commands.ts'
import type { CommandStarter } from './starter.ts'

export interface OwnProgramParts {
  readonly starter: CommandStarter
  readonly running: RunningCommands
}

export interface OwnProgram {
  readonly exec: EngineExec
  /** to be called when its output has ended */
  readonly ended: () => void
  /** does nothing once it has ended */
  readonly kill: () => void
}

export async function startOwnProgram(
  template: Pick<ExecTemplate, 'container' | 'argv' | 'user'>,
  { starter, running }: OwnProgramParts,
): Promise<OwnProgram> {
  const { container, user } = template
  const id = makeId('ex')
  const release = running.note(container, id)
  const more = { env: {}, workingDir: '/', input: false }
  const exec = await starter.start(id, { ...template, ...more }, false).catch((error: unknown) => {
    release()
    throw error
  })
  let isOver = false
  return {
    exec,
    ended() {
      if (!isOver) release()
      isOver = true
    },
    kill() {
      if (isOver) return
      isOver = true
      exec.drain()
      const others = { running: running.of(container).filter((one) => one !== id), hasEnded: running.hasEnded }
      const killed = starter.kill(
        { container, id, user, isKeptAlive: false },
        { container, user, id: makeId('ex') },
        others,
      )
      void killed
        .catch(() => undefined)
        .finally(() => {
          exec.leave()
          release()
        })
    },
  }
}
