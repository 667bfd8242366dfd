// The refusal of a Dockerfile: the line, the instruction and a reason in fixed words.
import { Problem } from '../../problems.ts'

export interface LinePlace {
  readonly line: number
  /** null outside of an instruction, as in a parser directive */
  readonly instruction: string | null
}

export function invalidDockerfile({ line, instruction }: LinePlace, reason: string): Problem {
  return new Problem('invalid_dockerfile', {
    message: `Line ${line} of the Dockerfile: ${reason}.`,
    details: { line, instruction, reason },
  })
}
