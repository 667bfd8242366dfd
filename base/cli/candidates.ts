// Completion of commands, options, their listed values and files.
import type { Command } from 'commander'
import { shells } from './completion.ts'
import { kebabOf } from './kebab.ts'

export interface Candidate {
  readonly word: string
  readonly about: string
}

export interface Candidates {
  readonly all: readonly Candidate[]
  /** file: complete file names. open: the word may continue after a candidate */
  readonly kind: 'closed' | 'open' | 'file'
}

/** an option or a parameter that takes a value, unless it is a switch */
export interface CompletedOption {
  readonly name: string
  readonly short?: string | undefined
  readonly about: string
  readonly isSwitch?: boolean
  readonly values?: readonly string[] | undefined
  /** takes several values, separated by commas */
  readonly isMany?: boolean
  readonly isFile?: boolean
}

/** bash splits words at `=` and `:`; this joins them again */
export function joinBroken(words: readonly string[]): string[] {
  const all: string[] = []
  let isOpen = false
  for (const word of words) {
    const before = all.at(-1)
    const isBreak = /^(=|:+)$/.test(word)
    // a URL continues after its colon; a word with a dash is an option, except as a value
    const goesOn = isBreak || (isOpen && !word.startsWith('-')) || /^--[^=]+=$/.test(before ?? '')
    if (goesOn && before !== undefined) all[all.length - 1] = before + word
    else all.push(word)
    isOpen = isBreak
  }
  return all
}

const findOption = (options: readonly CompletedOption[], written: string): CompletedOption | undefined =>
  options.find(({ name, short }) => [`--${name}`, `--${kebabOf(name)}`, `-${short}`].includes(written))

/** `pending`: the option whose value is at the cursor */
export function readPrevious(words: readonly string[], options: readonly CompletedOption[]) {
  const given = new Set<CompletedOption | undefined>()
  let operand: string | undefined
  let pending: string | undefined
  for (const word of words) {
    if (pending !== undefined) pending = undefined
    else if (word.startsWith('-')) {
      const [written = ''] = word.split('=', 1)
      const option = findOption(options, written)
      given.add(option)
      if (!word.includes('=') && !option?.isSwitch) pending = written
    } else operand ??= word
  }
  return { operand, given, pending }
}

function valuesFor(option: CompletedOption | undefined, begun: string, lead: string): Candidates {
  if (option?.isFile) return { all: [], kind: 'file' }
  const { values = [], isMany = false } = option ?? {}
  const before = isMany ? begun.slice(0, begun.lastIndexOf(',') + 1) : ''
  const taken = new Set(before.split(',').map((value) => value.replace(/^-/, '')))
  const free = values.filter((value) => !taken.has(value.replace(/^-/, '')))
  const all = free.map((value) => `${before}${value}`).filter((word) => word.startsWith(begun))
  return { all: all.map((word) => ({ word: lead + word, about: '' })), kind: isMany ? 'open' : 'closed' }
}

const firstSentence = (text: string): string => text.replaceAll('`', '').split(/(?<=\.) /, 1)[0] ?? ''

export const beginningWith = (begun: string, all: readonly Candidate[]): Candidates => ({
  all: all.filter(({ word }) => word.startsWith(begun)),
  kind: 'closed',
})

function namesFor(options: readonly CompletedOption[], begun: string): Candidates {
  const named = (spell: (name: string) => string) =>
    beginningWith(
      begun,
      options.map(({ name, about }) => ({ word: `--${spell(name)}`, about: firstSentence(about) })),
    )
  const found = named((name) => name)
  return found.all.length > 0 ? found : named(kebabOf)
}

/** `words`: the last one is at the cursor and may be empty; `operands`: one of them comes first */
export function candidatesAmong(
  options: readonly CompletedOption[],
  words: readonly string[],
  operands: readonly Candidate[] = [],
): Candidates {
  const joined = joinBroken(words)
  const begun = joined.pop() ?? ''
  const { operand, given, pending } = readPrevious(joined, options)
  if (pending !== undefined) return valuesFor(findOption(options, pending), begun, '')
  const [, name, value] = /^(--[^=]+)=(.*)$/.exec(begun) ?? []
  // bash splits at `=`, and completes only the part after it
  if (name !== undefined && value !== undefined)
    return valuesFor(findOption(options, name), value, words.at(-1) === begun ? `${name}=` : '')
  if (!begun.startsWith('-') && operand === undefined && operands.length > 0) return beginningWith(begun, operands)
  return namesFor(
    options.filter((option) => !given.has(option)),
    begun,
  )
}

export type Listed = Pick<Command, 'name' | 'description' | 'commands' | 'options' | 'createHelp'>

const optionsOf = ({ options }: Listed): CompletedOption[] =>
  options
    .filter(({ hidden }) => !hidden)
    .map((option) => ({
      name: option.long?.slice(2) ?? '',
      short: option.short?.slice(1),
      about: option.description,
      isSwitch: option.isBoolean() || !(option.required || option.optional),
      values: option.argChoices,
      isFile: /<(file|folder)>/.test(option.flags),
    }))

/** the candidates of a command that reads its arguments by itself; undefined: it does not */
export type OwnCandidates = (command: string, words: readonly string[]) => Candidates | undefined

/** `words`: the words after the program's name; the last one is at the cursor and may be empty */
export function candidatesAt(
  words: readonly string[],
  program: Listed,
  own: OwnCandidates = () => undefined,
): Candidates {
  const [first = '', ...rest] = words
  const commands = program.createHelp().visibleCommands(program as Command)
  if (rest.length === 0) {
    const named = commands.map((command) => ({ word: command.name(), about: command.description() }))
    return first.startsWith('-') ? candidatesAmong(optionsOf(program), words) : beginningWith(first, named)
  }
  const special = own(first, rest)
  if (special) return special
  if (first === 'completion') {
    const all = shells.map((word) => ({ word, about: '' }))
    return beginningWith(rest.at(-1) ?? '', all)
  }
  const found = commands.find((command) => command.name() === first)
  if (!found) return { all: [], kind: 'closed' }
  return found.commands.length > 0 ? candidatesAt(rest, found) : candidatesAmong(optionsOf(found), rest)
}

/** what the completion scripts read: the kind, then one candidate a line with its meaning after a tab */
export function printCandidates({ all, kind }: Candidates) {
  process.stdout.write([`:${kind}`, ...all.map(({ word, about }) => `${word}\t${about}`), ''].join('\n'))
}
