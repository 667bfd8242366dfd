// What the requests of a channel share.
import type { ContainerRecord } from '../../store/container-rows.ts'
import { answerTypes, numberOf, stringOf } from './packets.ts'
import { type Status, statuses } from './faults.ts'
import type { Handles } from './handles.ts'
import type { ScriptCaller } from './script-caller.ts'
import type { TransferTurn } from './turn.ts'

export interface SftpLimits {
  readonly fileBytes: number
  readonly archiveEntries: number
}

export interface SftpContext {
  readonly script: ScriptCaller
  readonly handles: Handles
  readonly turn: TransferTurn
  readonly limits: SftpLimits
  /** the client's, as it names itself */
  readonly software: string
  readonly spec: Pick<ContainerRecord['spec'], 'workingDir' | 'user' | 'limits'>
}

/** without the number of the request */
export interface Answer {
  readonly type: number
  readonly parts: readonly Buffer[]
}

export const statusAnswer = (status: Status, message: string): Answer => ({
  type: answerTypes.status,
  parts: [numberOf(statuses[status]), stringOf(message), stringOf('en')],
})

export const done = statusAnswer('ok', 'Done.')
export const atEnd = statusAnswer('end', 'This is the end.')

const mebibyte = 1_048_576

/** a file can have no more bytes */
export const mostFileBytes = ({ limits, spec }: SftpContext): number =>
  Math.min(limits.fileBytes, spec.limits.diskMiB * mebibyte)
