// Reads a table of settings from a file's JSON and from the environment, which wins: `a.b` in the file is PREFIX_A_B.
// Reports all faults at once.
import { didYouMean, nearestOf } from './nearest.ts'
import { wrong, WrongValue } from './setting-values.ts'

export interface Setting<T = unknown> {
  readonly standard?: T
  readonly about: string
  /** throws an Error with the expected form, and never repeats the value */
  readonly read: (value: unknown) => T
  readonly example: unknown
  readonly guide?: string
  readonly secretFile?: true
  /** reloaded while the service runs */
  readonly live?: true
}

type Table = Readonly<Record<string, Setting>>

export type SettingsOf<T extends Table> = {
  readonly [K in keyof T]: ReturnType<T[K]['read']> | ('standard' extends keyof T[K] ? never : undefined)
}

export function shownDefault({ standard }: Setting): string {
  if (standard === undefined) return 'none'
  if (typeof standard === 'string') return standard
  if (typeof standard !== 'object') return JSON.stringify(standard)
  const { host, port } = standard as { host?: string; port?: number }
  return host === undefined ? 'none' : `${host}:${port}`
}

const snake = (name: string): string =>
  name
    .replaceAll('.', '_')
    .replaceAll(/[A-Z]/g, (c) => `_${c}`)
    .toUpperCase()
export const variableName = (envPrefix: string, setting: string): string => `${envPrefix}${snake(setting)}`

export interface SettingFault {
  readonly name: string
  readonly unknown?: 'setting' | 'variable'
  /** what an unknown name most resembles */
  readonly nearest?: string | undefined
  readonly message: string
  /** its path in the settings file, for a fault that stands there */
  readonly names?: readonly string[]
  /** FILE:LINE:COLUMN */
  readonly place?: string
}

export class SettingsError extends Error {
  readonly faults: readonly SettingFault[]

  constructor(faults: readonly SettingFault[]) {
    super(faults.map(({ place, name, message }) => `${place ? `${place}: ` : ''}${name}: ${message}`).join('\n'))
    this.faults = faults
  }
}

export interface SettingsDefinition<T extends Table> {
  readonly table: T
  readonly envPrefix: string
  readonly otherVariables: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

const sectionsOf = (names: readonly string[]): Set<string> =>
  new Set(names.flatMap((name) => (name.includes('.') ? name.split('.', 1) : [])))

function flattenFile(tree: Record<string, unknown>, sections: ReadonlySet<string>): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  for (const [name, value] of Object.entries(tree))
    if (sections.has(name) && typeof value === 'object' && value !== null)
      for (const [inner, one] of Object.entries(value)) flat.set(`${name}.${inner}`, one)
    else flat.set(name, value)
  return flat
}

function pathOf(name: string, sections: ReadonlySet<string>): readonly string[] {
  const [section = '', ...rest] = name.split('.')
  return sections.has(section) && rest.length > 0 ? [section, rest.join('.')] : [name]
}

/** `start`: the common start of all names, which would make them alike */
function nearestName(name: string, known: readonly string[], start = ''): string | undefined {
  const ownPart = (one: string) => (one.startsWith(start) ? one.slice(start.length) : one)
  // `operatorToken` begins operatorTokenFile, and is as near to operatorListen
  return (
    known.find((one) => ownPart(name).length > 4 && one.startsWith(name)) ??
    known.find((one) => ownPart(one) === nearestOf(ownPart(name), known.map(ownPart)))
  )
}

function missing(unknown: 'setting' | 'variable', nearest: string | undefined, known: readonly string[]) {
  // all names only where none is near: there are dozens
  const names = nearest === undefined ? `; known: ${known.join(', ')}` : `.${didYouMean(nearest)}`
  return { unknown, nearest, message: `there is no such ${unknown}${names}` }
}

function unknownSettings(given: Iterable<string>, names: readonly string[]): SettingFault[] {
  const sections = sectionsOf(names)
  return [...given]
    .filter((name) => !names.includes(name))
    .map((name) =>
      sections.has(name)
        ? { name, names: [name], message: 'must be an object' }
        : {
            name,
            names: pathOf(name, sections),
            ...missing('setting', nearestName(name, [...names, ...sections]), names),
          },
    )
}

function unknownVariables(env: Environment, envPrefix: string, known: readonly string[]): SettingFault[] {
  // container platforms set these for a service of this name
  const foreign = new RegExp(`^${envPrefix}(SERVICE|PORT)(_|$)`)
  return Object.keys(env)
    .filter((name) => name.startsWith(envPrefix) && !known.includes(name) && !foreign.test(name))
    .map((name) => ({ name, ...missing('variable', nearestName(name, known, envPrefix), known) }))
}

/** Only a variable of the environment is a text by nature: a file says a number as a number. */
function readFromFile(read: Setting['read'], value: unknown): unknown {
  const found = read(value)
  if (typeof value !== 'string' || (typeof found !== 'number' && typeof found !== 'boolean')) return found
  return wrong(`must be ${typeof found === 'number' ? 'a number' : 'true or false'} without quotes in the file`)
}

export function readSettingsTable<T extends Table>(
  { table, envPrefix, otherVariables }: SettingsDefinition<T>,
  file: Record<string, unknown>,
  env: Environment,
): SettingsOf<T> {
  const names = Object.keys(table)
  const variables = names.map((name) => variableName(envPrefix, name))
  const given = flattenFile(file, sectionsOf(names))
  const faults = [
    ...unknownSettings(given.keys(), names),
    ...unknownVariables(env, envPrefix, [...variables, ...Object.keys(otherVariables)]),
  ]
  const settings: Record<string, unknown> = {}
  for (const [name, { standard, read }] of Object.entries<Setting>(table)) {
    const variable = variableName(envPrefix, name)
    const fromEnv = env[variable]
    const value = fromEnv ?? given.get(name)
    try {
      settings[name] = value === undefined ? standard : fromEnv === undefined ? readFromFile(read, value) : read(value)
    } catch (error) {
      const { message } = error as Error
      if (fromEnv !== undefined) faults.push({ name: variable, message })
      else
        faults.push({
          name,
          message,
          names: [...name.split('.'), ...(error instanceof WrongValue ? error.within : [])],
        })
    }
  }
  if (faults.length > 0) throw new SettingsError(faults)
  return settings as SettingsOf<T>
}
