// From a Dockerfile that was read, and its base, to the plan of its build. The whole file is checked before anything runs.
import { invalid } from '../../problems.ts'
import type { ImageConfig } from '../../store/image-rows.ts'
import { expander } from './expand.ts'
import { instructions } from './instructions.ts'
import type { Plan, PlanStep } from './plan.ts'
import type { BuildArgs, Dockerfile } from './read.ts'
import { BuildState } from './state.ts'

export interface PlanOptions {
  readonly buildArgs?: BuildArgs
  /** the configuration of the base, which steps may build on: `ENV PATH=/opt:$PATH` */
  readonly base: ImageConfig
}

export function planBuild(file: Dockerfile, { buildArgs = {}, base }: PlanOptions): Plan {
  const state = new BuildState(base, buildArgs, file.baseArgs)
  const steps = file.instructions.map((instruction): PlanStep => {
    const { step, line, text } = instruction
    const apply = step > file.from.step ? instructions[instruction.instruction] : undefined
    return {
      step,
      line,
      text,
      action: apply?.(instruction, state, expander(state.lookup, instruction)) ?? { kind: 'none' },
    }
  })
  const undeclared = Object.keys(buildArgs).find((name) => !state.declared.has(name))
  if (undeclared !== undefined) throw invalid(`buildArgs.${undeclared}`, 'the Dockerfile declares no ARG of this name')
  return { base: file.base, steps, config: state.config() }
}
