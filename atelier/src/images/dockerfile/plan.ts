// What a build does, step by step, and the configuration of the image that comes of it.
import type { ImageConfig } from '../../store/image-rows.ts'

export interface RunAction {
  readonly kind: 'run'
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workingDir: string
  /** `uid:gid` */
  readonly user: string
}

export interface CopyAction {
  readonly kind: 'copy'
  /** below the context, without a slash at the end; `.` is all of it */
  readonly sources: readonly string[]
  /** absolute, without a slash at the end */
  readonly destination: string
  /** the destination was written as a directory */
  readonly intoDirectory: boolean
  /** `uid:gid` */
  readonly owner: string
}

export interface WorkdirAction {
  readonly kind: 'workdir'
  readonly path: string
}

/** `none`: the step changes the configuration alone */
export type Action = RunAction | CopyAction | WorkdirAction | { readonly kind: 'none' }

export interface PlanStep {
  /** from 1; every instruction is a step */
  readonly step: number
  readonly line: number
  /** for the log: as it stands in the Dockerfile */
  readonly text: string
  readonly action: Action
}

export interface Plan {
  /** of an image, or `scratch` */
  readonly base: string
  readonly steps: readonly PlanStep[]
  readonly config: ImageConfig
}
