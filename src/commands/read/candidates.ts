// What may stand at the cursor behind `vitrine read`: operations, their parameters, and the listed values of those.
import { isList, type Route } from '../../catalogue/define.ts'
import { type OwnOption, ownOption, ownOptions } from './options.ts'
import { kebabOf } from '../kebab.ts'
import { parametersOf } from './parameters.ts'

export interface Candidate {
  readonly word: string
  readonly about: string
}

export interface Candidates {
  readonly all: readonly Candidate[]
  /** file: a name of one may stand here. open: the word may go on behind a candidate */
  readonly kind: 'closed' | 'open' | 'file'
}

interface Option {
  readonly name: string
  readonly about: string
  readonly isSwitch: boolean
  readonly values: readonly string[]
  /** several values, separated by commas */
  readonly isMany: boolean
  readonly isFile: boolean
}

const none: Candidates = { all: [], kind: 'closed' }

const ownAsOption = ([name, option]: readonly [string, OwnOption]): Option => ({
  ...{ name, about: option.about, isSwitch: option.value === undefined, values: option.values ?? [] },
  ...{ isMany: false, isFile: option.isFile === true },
})

function optionsOf(route: Route | undefined): Option[] {
  const own = Object.entries<OwnOption>(ownOptions).filter(([name]) => name !== 'all' || !route || isList(route))
  const taken = route ? parametersOf(route) : []
  return [
    ...taken.map(({ name, about, values = [], kind }) => ({
      ...{ name, about, values, isSwitch: false, isFile: false },
      isMany: values.length > 0 && kind !== 'path',
    })),
    ...own.map(ownAsOption),
  ]
}

/** bash breaks a word at its equals signs and colons, and hands over the pieces */
export function joinBroken(words: readonly string[]): string[] {
  const all: string[] = []
  let isOpen = false
  for (const word of words) {
    const before = all.at(-1)
    const isBreak = /^(=|:+)$/.test(word)
    // an address goes on behind its colon; what begins with a dash is an option, unless it is the value of one
    const goesOn = isBreak || (isOpen && !word.startsWith('-')) || /^--[^=]+=$/.test(before ?? '')
    if (goesOn && before !== undefined) all[all.length - 1] = before + word
    else all.push(word)
    isOpen = isBreak
  }
  return all
}

interface Before {
  readonly operation: string | undefined
  readonly given: ReadonlySet<string>
  /** whose value stands at the cursor */
  readonly awaits: string | undefined
}

function readBefore(words: readonly string[]): Before {
  const given = new Set<string>()
  let operation: string | undefined
  let awaits: string | undefined
  for (const word of words) {
    if (awaits !== undefined) awaits = undefined
    else if (word.startsWith('-')) {
      const name = word === '-o' ? 'output' : word === '-h' ? 'help' : (word.replace(/^--?/, '').split('=')[0] ?? '')
      given.add(name)
      const own = ownOption(name)
      if (!word.includes('=') && (own === undefined || own.value !== undefined)) awaits = name
    } else operation ??= word
  }
  return { operation, given, awaits }
}

const isNamed = (option: Option, name: string): boolean => option.name === name || kebabOf(option.name) === name

function valuesFor(option: Option | undefined, begun: string, lead: string): Candidates {
  if (!option) return none
  if (option.isFile) return { all: [], kind: 'file' }
  const before = option.isMany ? begun.slice(0, begun.lastIndexOf(',') + 1) : ''
  const taken = new Set(before.split(',').map((value) => value.replace(/^-/, '')))
  const free = option.values.filter((value) => !taken.has(value.replace(/^-/, '')))
  const all = free.map((value) => `${before}${value}`).filter((word) => word.startsWith(begun))
  return { all: all.map((word) => ({ word: lead + word, about: '' })), kind: option.isMany ? 'open' : 'closed' }
}

const firstSentence = (text: string): string => text.replaceAll('`', '').split(/(?<=\.) /, 1)[0] ?? ''

function namesFor(options: readonly Option[], given: ReadonlySet<string>, begun: string): Candidates {
  const free = options.filter(({ name }) => !given.has(name) && !given.has(kebabOf(name)))
  const named = (spell: (name: string) => string) =>
    free
      .map(({ name, about }) => ({ word: `--${spell(name)}`, about: firstSentence(about) }))
      .filter(({ word }) => word.startsWith(begun))
  const all = named((name) => name)
  return { all: all.length > 0 ? all : named(kebabOf), kind: 'closed' }
}

/** `words`: behind `read`, the last one is at the cursor and may be empty */
export function candidatesFor(words: readonly string[], routes: readonly Route[]): Candidates {
  const joined = joinBroken(words)
  const begun = joined.pop() ?? ''
  const { operation, given, awaits } = readBefore(joined)
  const route = routes.find((one) => one.operation === operation || kebabOf(one.operation) === operation)
  const options = optionsOf(route)
  if (awaits !== undefined)
    return valuesFor(
      options.find((option) => isNamed(option, awaits)),
      begun,
      '',
    )
  const [, name, value] = /^--([^=]+)=(.*)$/.exec(begun) ?? []
  if (name !== undefined && value !== undefined) {
    // what bash broke apart, it also completes apart
    const lead = words.at(-1) === begun ? `--${name}=` : ''
    return valuesFor(
      options.find((option) => isNamed(option, name)),
      value,
      lead,
    )
  }
  if (begun.startsWith('-') || operation !== undefined) return namesFor(options, given, begun)
  const all = routes.map(({ operation: word, summary: about }) => ({ word, about }))
  return { all: all.filter(({ word }) => word.startsWith(begun)), kind: 'closed' }
}
