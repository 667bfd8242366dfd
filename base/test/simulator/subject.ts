// A subject: one set of promises that several processes of a service make together, with plans made from a seed and a run of each.
// It is a folder of a service's tests, `test/simulation/NAME`, whose `subject.ts` exports `subject`.
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Mutant } from './mutant.ts'
import type { Recorded as RecordedOnPostgres } from './postgres/server.ts'
import type { Recorded } from './redis/server.ts'
import type { Told } from './simulation.ts'

/** a promise that did not hold */
export class Broken extends Error {}

/** what a run does, made from a seed alone. Its items, callers and faults, can be left out one by one. */
export interface Plan<Item = unknown> {
  readonly seed: number
  readonly items: readonly Item[]
}

export interface RunOptions {
  /** whether what Redis and PostgreSQL are asked is kept, to be compared with real ones */
  readonly records?: boolean
  /** idle time is run too, with its checks of health */
  readonly runsIdleTime?: boolean
  /** errors have a stack: it takes an eighth of the time, as Redis refuses often */
  readonly keepsStacks?: boolean
}

export interface Result {
  /** of all that happened */
  readonly hash: number
  readonly events: number
  /** the promise that broke */
  readonly broken: string | undefined
  readonly story: readonly Told[]
  /** how often callers had which */
  readonly outcomes: Readonly<Record<string, number>>
  /** of the Redis */
  readonly recorded: readonly Recorded[]
  /** of each server of PostgreSQL */
  readonly recordedOnPostgres: readonly (readonly RecordedOnPostgres[])[]
}

export interface Subject<Item = unknown, P extends Plan<Item> = Plan<Item>> {
  makePlan(seed: number, hours?: number): P
  /** the first line of a timeline */
  describe(plan: P): string
  runPlan(plan: P, options?: RunOptions): Promise<Result>
  /** smaller forms of an item, the smallest first, tried where a failing plan is shrunk */
  smaller?(item: Item): Iterable<Item>
  /** outcomes that callers have several times in most seeds */
  readonly usual: readonly string[]
}

const root = join(import.meta.dirname, '../../..')

/** the folders of all subjects, or of those below a folder */
export const subjectFolders = (below = root): string[] =>
  globSync('*/test/simulation/*/subject.ts', { cwd: root })
    .map((file) => join(root, dirname(file)))
    .filter((folder) => folder.startsWith(below))
    .toSorted()

export const nameOf = (folder: string): string => basename(folder)

export function folderOf(name: string): string {
  const folders = subjectFolders()
  const found = folders.find((folder) => nameOf(folder) === name)
  if (found === undefined) throw new Error(`no subject ${name}: there are ${folders.map(nameOf).join(', ')}`)
  return found
}

const load = async (folder: string, file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href)

export const subjectIn = async (folder: string): Promise<Subject> =>
  ((await load(folder, 'subject.ts')) as { readonly subject: Subject }).subject

export const mutantsIn = async (folder: string): Promise<readonly Mutant[]> =>
  ((await load(folder, 'mutants.ts')) as { readonly mutants: readonly Mutant[] }).mutants
