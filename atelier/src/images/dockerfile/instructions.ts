// One function for each instruction after FROM: it changes the state and answers what the build has to do.
import { posix } from 'node:path'
import { checkGathered, checkPort, containerPath, contextPath, envName, labelName, numericUser } from './check.ts'
import type { Expand } from './expand.ts'
import { invalidDockerfile } from './invalid.ts'
import type { Action } from './plan.ts'
import { readArg, type Instruction } from './read.ts'
import type { BuildState } from './state.ts'
import { jsonArray, plainWords, quotedWords, splitFirst } from './words.ts'

type Apply = (instruction: Instruction, state: BuildState, expand: Expand) => Action

const none: Action = { kind: 'none' }
const maxArguments = 256

export const instructions: Readonly<Record<string, Apply>> = {
  RUN(at, state) {
    const argv = commandOf(at)
    const { workingDir, user } = state
    return { kind: 'run', argv, env: state.runEnv(), workingDir, user: user ?? '0:0' }
  },

  COPY: copy,

  ENV(at, state, expand) {
    for (const [name, value] of expandedPairs(at, expand)) state.env.set(envName(name, at), value)
    checkGathered(state.env, at)
    return none
  },

  LABEL(at, state, expand) {
    for (const [name, value] of expandedPairs(at, expand)) state.labels.set(labelName(name, at), value)
    checkGathered(state.labels, at)
    return none
  },

  ARG(at, state, expand) {
    for (const { name, value } of readArg(at, expand)) {
      state.declared.add(name)
      const given = Object.hasOwn(state.buildArgs, name) ? state.buildArgs[name] : undefined
      const known = given ?? value ?? state.baseArgs.get(name)
      if (known !== undefined) state.args.set(name, known)
    }
    checkGathered(state.args, at)
    return none
  },

  WORKDIR(at, state, expand) {
    state.workingDir = containerPath(state.workingDir, expand(at.rest), at)
    return { kind: 'workdir', path: state.workingDir }
  },

  USER(at, state, expand) {
    state.user = numericUser(expand(at.rest), at)
    return none
  },

  CMD(at, state) {
    state.command = commandOf(at)
    state.commandSet = true
    return none
  },

  ENTRYPOINT(at, state) {
    state.entrypoint = commandOf(at)
    if (!state.commandSet) state.command = null
    return none
  },

  EXPOSE(at, _state, expand) {
    const ports = plainWords(at.rest).flatMap((word) => plainWords(expand(word)))
    if (ports.length === 0) throw invalidDockerfile(at, 'EXPOSE needs a port')
    for (const port of ports) checkPort(port, at)
    return none
  },
}

/** The argv of RUN, CMD and ENTRYPOINT: variables are left to the shell. */
function commandOf(at: Instruction): readonly string[] {
  const array = jsonArray(at.rest)
  if (array === undefined) return ['/bin/sh', '-c', at.rest]
  if (array === 'mixed') throw invalidDockerfile(at, 'the JSON form takes strings alone')
  if (array.length === 0 || array[0] === '') throw invalidDockerfile(at, 'the command is empty')
  if (array.length > maxArguments) throw invalidDockerfile(at, 'the command has more than 256 arguments')
  if (array.some((argument) => argument.includes('\0')))
    throw invalidDockerfile(at, 'an argument holds a NUL character')
  return array
}

/** `A=1 B=2`, or the old form `A the rest of the line`. Every value sees the variables as they were before the line. */
function expandedPairs(at: Instruction, expand: Expand): [string, string][] {
  return readPairs(at).map(([name, value]) => [expand(name), expand(value)])
}

function readPairs(at: Instruction): [string, string][] {
  const words = quotedWords(at.rest)
  if (words[0]?.includes('=') !== true) {
    const old = splitFirst(at.rest)
    if (!old) throw invalidDockerfile(at, 'a name needs a value')
    return [[old.first, old.rest]]
  }
  return words.map((word) => {
    const equals = word.indexOf('=')
    if (equals < 1) throw invalidDockerfile(at, 'a pair is name=value')
    return [word.slice(0, equals), word.slice(equals + 1)]
  })
}

function copy(at: Instruction, state: BuildState, expand: Expand): Action {
  const array = jsonArray(at.rest)
  if (array === 'mixed') throw invalidDockerfile(at, 'the JSON form takes strings alone')
  const paths = (array ?? plainWords(at.rest)).map(expand)
  const target = paths.pop()
  if (target === undefined || paths.length === 0) throw invalidDockerfile(at, 'COPY needs a source and a destination')
  const sources = paths.map((path) => contextPath(path, at))
  const destination = containerPath(state.workingDir, target, at)
  const intoDirectory = target.endsWith('/') || posix.basename(target) === '.'
  if (sources.length > 1 && !intoDirectory)
    throw invalidDockerfile(at, 'with several sources the destination must end in a slash')
  return { kind: 'copy', sources, destination, intoDirectory, owner: ownerOf(at, expand) }
}

function ownerOf(at: Instruction, expand: Expand): string {
  let owner: string | undefined
  for (const flag of at.flags) {
    if (!flag.startsWith('--chown=')) throw invalidDockerfile(at, 'the flag is not supported')
    if (owner !== undefined) throw invalidDockerfile(at, 'a flag is given twice')
    owner = numericUser(expand(flag.slice('--chown='.length)), at)
  }
  return owner ?? '0:0'
}
