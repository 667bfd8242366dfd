// What the tests of the Dockerfile parser share: one base, and short words for what is taken and refused.
import assert from 'node:assert/strict'
import { Problem } from '../../../base/core/problem.ts'
import type { ImageConfig } from '../../src/store/image-rows.ts'
import { planBuild } from '../../src/images/dockerfile/plan-build.ts'
import type { Action } from '../../src/images/dockerfile/plan.ts'
import { readDockerfile } from '../../src/images/dockerfile/read.ts'

export const base: ImageConfig = {
  command: ['/bin/sh'],
  entrypoint: ['/init'],
  workingDir: '/srv/u',
  user: null,
  env: { PATH: '/bin', B: 'base' },
  labels: { of: 'base' },
}

export const parse = (text: string, buildArgs: Record<string, string> = {}, on = base) =>
  planBuild(readDockerfile(text, buildArgs), { buildArgs, base: on })

/** the plan of these lines below `FROM base` */
export const below = (lines: string, buildArgs?: Record<string, string>) => parse(`FROM base\n${lines}`, buildArgs)

/** the action of the last line */
export function lastAction(lines: string, buildArgs?: Record<string, string>): Action {
  return below(lines, buildArgs).steps.at(-1)!.action
}

/** the value of V at the end of these lines */
export const valueOf = (lines: string, buildArgs?: Record<string, string>) => below(lines, buildArgs).config.env.V

export interface Refusal {
  readonly code: string
  readonly line?: number
  readonly instruction?: string | null
  readonly reason?: string
  readonly field?: string
}

export function refusal(text: string, buildArgs?: Record<string, string>): Refusal {
  try {
    parse(text, buildArgs)
  } catch (error) {
    assert.ok(error instanceof Problem, `${text.slice(0, 80)}: ${String(error)}`)
    return { code: error.code as string, ...error.extras.details }
  }
  return assert.fail(`${JSON.stringify(text.slice(0, 120))} was taken`)
}
