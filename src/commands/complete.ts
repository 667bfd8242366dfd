// `vitrine complete`, which the scripts of completion.ts call at each press of TAB: one line for how the answer is meant,
// then a candidate a line, with its meaning behind a tab.
import type { Command } from 'commander'
import { routes } from '../catalogue/index.ts'
import { shells } from './completion.ts'
import { type Candidate, type Candidates, candidatesFor, joinBroken } from './read/candidates.ts'

/** as much of commander's commands as is looked at */
type Listed = Pick<Command, 'name' | 'description' | 'commands' | 'options' | 'createHelp'>

const beginning = (all: readonly Candidate[], begun: string): Candidates => ({
  all: all.filter(({ word }) => word.startsWith(begun)),
  kind: 'closed',
})

/** `words`: behind the command, as the shell broke them */
function optionsAt(command: Listed, words: readonly string[]): Candidates {
  const joined = joinBroken(words)
  const [last = '', before] = joined.toReversed()
  const [, name, value] = /^(--[^=]+)=(.*)$/.exec(last) ?? []
  if (name === undefined || value === undefined) return choicesAt(command, before, last)
  const { all, kind } = choicesAt(command, name, value)
  // what bash broke apart, it also completes apart
  const lead = words.at(-1) === last ? `${name}=` : ''
  return { all: all.map(({ word, about }) => ({ word: lead + word, about })), kind }
}

function choicesAt(command: Listed, before: string | undefined, begun: string): Candidates {
  const awaiting = command.options.find(
    ({ long, short }) => before !== undefined && (long === before || short === before),
  )
  if (awaiting && !awaiting.isBoolean() && (awaiting.required || awaiting.optional)) {
    const values = (awaiting.argChoices ?? []).map((word) => ({ word, about: '' }))
    return /<(file|folder)>/.test(awaiting.flags) ? { all: [], kind: 'file' } : beginning(values, begun)
  }
  const named = command.options.filter(({ hidden }) => !hidden)
  return beginning(
    named.map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description })),
    begun,
  )
}

/** `words`: behind the program's name; the last one is at the cursor and may be empty */
function candidatesAt(words: readonly string[], program: Listed): Candidates {
  const [first = '', ...rest] = words
  const commands = program.createHelp().visibleCommands(program as Command)
  if (rest.length === 0) {
    const named = commands.map((command) => ({ word: command.name(), about: command.description() }))
    return first.startsWith('-') ? choicesAt(program, undefined, first) : beginning(named, first)
  }
  if (first === 'read') return candidatesFor(rest, routes)
  if (first === 'completion')
    return beginning(
      shells.map((word) => ({ word, about: '' })),
      rest.at(-1) ?? '',
    )
  const found = commands.find((command) => command.name() === first)
  if (!found) return { all: [], kind: 'closed' }
  if (found.commands.length > 0) return candidatesAt(rest, found)
  return optionsAt(found, rest)
}

export function complete(words: readonly string[], program: Listed) {
  const { all, kind } = candidatesAt(words, program)
  process.stdout.write([`:${kind}`, ...all.map(({ word, about }) => `${word}\t${about}`), ''].join('\n'))
}
