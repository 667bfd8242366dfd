// The instructions of a Dockerfile in order, and the base that FROM names. What the base must be known for is left to the plan.
import { envName } from './check.ts'
import { expander, type Expand } from './expand.ts'
import { invalidDockerfile, type LinePlace } from './invalid.ts'
import { logicalLines, type LogicalLine } from './lines.ts'
import { plainWords, quotedWords, splitFirst, startsHereDocument, takeFlags } from './words.ts'

export interface Instruction extends LinePlace {
  /** of the step, from 1; every instruction is one */
  readonly step: number
  /** in capitals */
  readonly instruction: string
  readonly flags: readonly string[]
  readonly rest: string
  /** as it stands in the file, continuation lines joined */
  readonly text: string
}

export interface Dockerfile {
  /** of an image, or `scratch` */
  readonly base: string
  /** the FROM, to report an unknown base at its place */
  readonly from: Instruction
  readonly instructions: readonly Instruction[]
  /** values of the ARGs before FROM; those that have none are declared all the same */
  readonly baseArgs: ReadonlyMap<string, string | undefined>
}

export type BuildArgs = Readonly<Record<string, string>>

const maxSteps = 100
const supported = new Set([
  'FROM',
  'RUN',
  'COPY',
  'ENV',
  'ARG',
  'WORKDIR',
  'USER',
  'LABEL',
  'CMD',
  'ENTRYPOINT',
  'EXPOSE',
])
const imageName = /^[a-z0-9][a-z0-9._-]{0,62}$/

export function readDockerfile(text: string, buildArgs: BuildArgs): Dockerfile {
  const instructions = logicalLines(text).map(readInstruction)
  const from = instructions.find(({ instruction }) => instruction === 'FROM')
  const misplaced = instructions.find((other) => other !== from && isMisplaced(other, from))
  if (misplaced)
    throw invalidDockerfile(
      misplaced,
      misplaced.instruction === 'FROM' ? 'only one FROM is supported' : 'only ARG may stand before FROM',
    )
  if (!from) throw invalidDockerfile({ line: 1, instruction: null }, 'the file has no FROM')
  const baseArgs = readBaseArgs(instructions.slice(0, from.step - 1), buildArgs)
  return { base: readBase(from, baseArgs), from, instructions, baseArgs }
}

const isMisplaced = ({ step, instruction }: Instruction, from: Instruction | undefined) =>
  instruction === 'FROM' || (instruction !== 'ARG' && step < (from?.step ?? Infinity))

function readInstruction({ line, text }: LogicalLine, index: number): Instruction {
  const { first: word, rest: after } = splitFirst(text) ?? { first: text, rest: '' }
  const instruction = word.slice(0, 32).toUpperCase()
  const place = { line, instruction }
  if (!supported.has(instruction)) throw invalidDockerfile(place, 'the instruction is not supported')
  if (index >= maxSteps) throw invalidDockerfile(place, 'the file has more than 100 steps')
  const { flags, rest } = takeFlags(after)
  if (flags.length > 0 && instruction !== 'COPY') throw invalidDockerfile(place, 'the flag is not supported')
  if (rest === '') throw invalidDockerfile(place, 'the instruction needs an argument')
  // here, since the lines of its content would be read as instructions
  if ((instruction === 'RUN' || instruction === 'COPY') && startsHereDocument(rest))
    throw invalidDockerfile(place, 'here-documents are not supported')
  return { ...place, step: index + 1, flags, rest, text }
}

function readBaseArgs(args: readonly Instruction[], buildArgs: BuildArgs): Map<string, string | undefined> {
  const values = new Map<string, string | undefined>()
  for (const arg of args) {
    for (const { name, value } of readArg(
      arg,
      expander((known) => values.get(known), arg),
    ))
      values.set(name, Object.hasOwn(buildArgs, name) ? buildArgs[name] : value)
  }
  return values
}

/** The names and defaults of an ARG. */
export function readArg(arg: Instruction, expand: Expand) {
  return quotedWords(arg.rest).map((word) => {
    const equals = word.indexOf('=')
    const name = expand(equals === -1 ? word : word.slice(0, equals))
    return {
      name: envName(name, arg),
      value: equals === -1 ? undefined : expand(word.slice(equals + 1)),
    }
  })
}

function readBase(from: Instruction, args: ReadonlyMap<string, string | undefined>): string {
  const words = plainWords(from.rest)
  if (words[1]?.toUpperCase() === 'AS') throw invalidDockerfile(from, 'a stage cannot have a name')
  if (words.length !== 1) throw invalidDockerfile(from, 'FROM takes one image')
  const base = expander((name) => args.get(name), from)(words[0]!)
  if (!imageName.test(base)) throw invalidDockerfile(from, 'the base is not the name or id of an image')
  return base
}
