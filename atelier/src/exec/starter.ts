// How commands are started and killed in a container: a port, so that a faster way can take the place of the engine's exec.
import type { EngineExec, ExecTemplate } from '../engine/port.ts'

/** every process of a command carries its id in this variable; those of the container's own command carry `init` */
export const markName = 'ATELIER_EXEC'
export const initMark = 'init'
/** in the environment of every container */
export const containerMark = { [markName]: initMark } as const

export interface CommandPlace {
  readonly container: string
  readonly id: string
  /** no other user may read the marks */
  readonly user: string
  /** no command of the container's own runs: every process without a known mark belongs to a command */
  readonly isKeptAlive: boolean
}

/** `left`: something of it may still run */
export type KillResult = 'gone' | 'left'

/** Where killing is done by a command, that has a mark, too. It runs as the user of what it kills. */
export interface Killer {
  readonly container: string
  readonly id: string
  readonly user: string
}

/** the other commands of a container */
export interface OtherCommands {
  /** they go on */
  readonly running: readonly string[]
  /** it has ended by itself: what it left behind goes on, too */
  readonly hasEnded: (id: string) => boolean
}

export interface CommandStarter {
  /** `isDetached`: it goes on when the service ends */
  start(id: string, template: ExecTemplate, isDetached: boolean): Promise<EngineExec>
  /** Kills every process of the command, daemonised ones too. */
  kill(place: CommandPlace, killer: Killer, others: OtherCommands): Promise<KillResult>
  /** Kills every process of the killer's user that carries the mark of a command, save `others`. */
  killUnknown(killer: Killer, others: readonly string[]): Promise<void>
}
