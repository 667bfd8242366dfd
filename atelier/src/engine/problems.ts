// The problem that a fault of the engine is for a caller. The engine's own words go to the log alone.
import { Problem, type ProblemCode, refuse } from '../problems.ts'
import { EngineError, type EngineFault } from './port.ts'

const codes: Readonly<Partial<Record<EngineFault, ProblemCode>>> = {
  unavailable: 'engine_unavailable',
  timeout: 'engine_timeout',
  no_space: 'disk_full',
}

export function toProblem(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  const { fault, cause } = error
  const reason = cause instanceof Error ? cause.message : cause
  if (fault === 'container_gone')
    return refuse('container_not_running', { status: 'failed', statusReason: 'engine_lost' })
  if (fault === 'container_stopped')
    return refuse('container_not_running', { status: 'exited', statusReason: 'main_exited' })
  return new Problem(codes[fault] ?? 'engine_error', { cause: `${fault}: ${String(reason)}`.slice(0, 500) })
}
