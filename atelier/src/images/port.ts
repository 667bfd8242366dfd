// What a build takes from its caller, and from the store.
import type { Readable } from 'node:stream'
import type { Observe } from '../events.ts'
import type { Engine } from '../engine/port.ts'
import type { ImageRows } from '../store/image-rows.ts'
import type { Checkpoints } from './cache/checkpoints.ts'
import type { Worth } from './cache/worth.ts'

export interface BuildFile {
  readonly path: string
  /** three octal digits with or without a leading 0 */
  readonly mode?: string
  readonly contentBase64: string
}

/** the members of a request, their types checked */
export interface BuildSpec {
  readonly name: string
  readonly dockerfile: string
  readonly buildArgs?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly timeoutSeconds?: number
  readonly noCache?: boolean
  readonly files?: readonly BuildFile[]
}

export interface BuildLimits {
  readonly builds: number
  readonly images: number
  readonly imageBytes: number
  readonly contextBytes: number
  readonly archiveEntries: number
  readonly buildLogBytes: number
  readonly buildLogsBytes: number
  readonly endedBuilds: number
}

export interface BuildRequest {
  /** of the image */
  readonly id: string
  readonly account: string
  readonly spec: BuildSpec
  readonly limits: BuildLimits
  /** a tar, read only as far as the checks before it let it */
  readonly context?: Readable
}

export type BuildRows = Pick<
  ImageRows,
  'add' | 'building' | 'finished' | 'trimBuilds' | 'findVisible' | 'findByName' | 'addLog' | 'usage'
>

export interface BuilderParts {
  readonly engine: Engine
  readonly rows: BuildRows
  readonly checkpoints: Checkpoints
  readonly observe: Observe
  readonly now: () => number
  /** for contexts: a folder that only the service may enter */
  readonly folder: string
  /** in this process, of all accounts */
  readonly mostAtOnce?: number
  /** of each build: when it makes a checkpoint */
  readonly createWorth?: () => Worth
}
