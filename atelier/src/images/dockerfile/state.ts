// What the instructions before a step have set. A variable of ENV hides an ARG of its name, whichever came first.
import type { ImageConfig } from '../../store/image-rows.ts'
import type { BuildArgs } from './read.ts'

export class BuildState {
  readonly buildArgs: BuildArgs
  /** of the ARGs before FROM: a stage sees them once it declares them again */
  readonly baseArgs: ReadonlyMap<string, string | undefined>
  readonly declared: Set<string>
  readonly args = new Map<string, string>()
  readonly env: Map<string, string>
  readonly labels: Map<string, string>
  command: readonly string[] | null
  /** by this Dockerfile: an ENTRYPOINT drops a command that came with the base */
  commandSet = false
  entrypoint: readonly string[] | null
  workingDir: string
  user: string | null

  constructor(base: ImageConfig, buildArgs: BuildArgs, baseArgs: ReadonlyMap<string, string | undefined>) {
    this.buildArgs = buildArgs
    this.baseArgs = baseArgs
    this.declared = new Set(baseArgs.keys())
    this.env = new Map(Object.entries(base.env))
    this.labels = new Map(Object.entries(base.labels))
    this.command = base.command
    this.entrypoint = base.entrypoint
    this.workingDir = base.workingDir || '/'
    this.user = base.user
  }

  readonly lookup = (name: string): string | undefined => this.env.get(name) ?? this.args.get(name)

  /** for a RUN: what it sees beside the image's own variables */
  runEnv(): Record<string, string> {
    return Object.fromEntries([...this.args, ...this.env])
  }

  config(): ImageConfig {
    const { command, entrypoint, workingDir, user } = this
    return {
      command,
      entrypoint,
      workingDir,
      user,
      env: Object.fromEntries(this.env),
      labels: Object.fromEntries(this.labels),
    }
  }
}
