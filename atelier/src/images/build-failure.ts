// Why a build failed, in fixed words: what the engine said stays in the cause.
import { EngineError } from '../engine/port.ts'
import type { BuildFault } from '../store/image-rows.ts'

export class BuildFailure extends Error {
  readonly type: BuildFault['type']

  constructor(type: BuildFault['type'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'BuildFailure'
    this.type = type
  }
}

export function failureOf(error: unknown): BuildFailure {
  if (error instanceof BuildFailure) return error
  if (error instanceof EngineError && error.fault === 'no_space')
    return new BuildFailure('no_capacity', 'The engine has no space left.', error)
  if (error instanceof EngineError && error.fault === 'image_gone')
    return new BuildFailure('engine_error', 'The engine does not have the base image any more.', error)
  if (error instanceof EngineError && error.fault === 'no_shell')
    return new BuildFailure('step_failed', 'This engine cannot run a command in an image without `sleep`.', error)
  if (error instanceof EngineError && error.fault === 'no_place')
    return new BuildFailure('step_failed', 'Something else stands at /.atelier, which belongs to the service.', error)
  return new BuildFailure('engine_error', 'The container engine failed.', error)
}
