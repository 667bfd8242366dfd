// The results of a release, kept as `results/DATE-VERSION.json`: what a whole run has measured, with every round, so that a
// regression has a date. Of the machine it names kind and versions alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../src/version.ts'

export const resultsFolder = join(import.meta.dirname, 'results')
const format = 1

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
  /** each round, or each pair of neighbouring rounds */
  readonly all: readonly number[]
}

/** a goal: what was promised, and what was measured if it could be */
export interface Row {
  readonly what: string
  readonly bound: number
  readonly sign?: '≥' | '≤'
  readonly unit?: string
  readonly measured?: Spread
  readonly byProcessor?: Spread
  readonly isMet?: boolean
  readonly why?: string
}

/** told of every subject; milliseconds, and success as a share of all requests */
export const figures = ['p50', 'p95', 'p99', 'success'] as const
/** where it is under load: answers a second, and processor time of the subject for each */
export const loaded = ['perSecond', 'ownMs'] as const
export type Figure = (typeof figures)[number] | (typeof loaded)[number]

export interface Result extends Readonly<Partial<Record<Figure, number>>> {
  readonly work: string
  readonly title: string
  readonly name: string
  readonly about: string
  readonly peakMiB?: number
  readonly rounds: Readonly<Partial<Record<Figure, readonly number[]>>>
}

export interface Recorded {
  readonly format: number
  readonly at: string
  readonly version: string
  readonly tookSec: number
  readonly machine: Readonly<Record<string, unknown>>
  readonly load: Readonly<Record<string, number>>
  readonly results: readonly Result[]
  readonly goals: readonly Row[]
}

interface Measured extends Readonly<Partial<Record<Figure, number>>> {
  readonly name: string
  readonly about?: string
  readonly peakMiB?: number
  readonly rounds: readonly Readonly<Partial<Record<Figure, number>>>[]
}

/** what a run tells */
export interface Report {
  readonly startedAt: string
  readonly tookSec: number
  readonly machine: Readonly<Record<string, unknown>>
  readonly load: { readonly rounds: number; readonly seconds: number; readonly connections: number }
  readonly figures: readonly {
    readonly work: string
    readonly tables: readonly { readonly title: string; readonly results: readonly Measured[] }[]
    readonly goals: readonly Row[]
  }[]
}

function resultOf(work: string, title: string, measured: Measured): Result {
  const { name, about = name, peakMiB, rounds } = measured
  const known = [...loaded, ...figures].filter((figure) => Number.isFinite(measured[figure]))
  return {
    work,
    title,
    name,
    about,
    ...Object.fromEntries(known.map((figure) => [figure, measured[figure]])),
    ...(Number.isFinite(peakMiB) && { peakMiB }),
    rounds: Object.fromEntries(known.map((figure) => [figure, rounds.map((round) => round[figure])])),
  }
}

export function recordOf({ startedAt, tookSec, machine, load, figures: works }: Report): Recorded {
  const { rounds, seconds, connections } = load
  return {
    format,
    at: startedAt,
    version,
    tookSec,
    machine,
    load: { rounds, seconds, connections },
    results: works.flatMap(({ work, tables }) =>
      tables.flatMap(({ title, results }) => results.map((measured) => resultOf(work, title, measured))),
    ),
    goals: works.flatMap(({ goals }) => goals),
  }
}

const rounded = (_name: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)

/** rounds on one line each */
export const textOf = (record: Recorded): string =>
  `${JSON.stringify(record, rounded, 2).replaceAll(/\[\s+([-\d.,\se]+?)\s+\]/g, (_, list: string) => `[${list.split(/,\s+/).join(', ')}]`)}\n`

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isSpread = ({ median, least, most, all }: Spread): boolean =>
  [median, least, most, ...all].every(isNumber) && least <= median && median <= most

function faultIn({ goals, results, ...record }: Recorded): string | undefined {
  if (record.format !== format) return `format ${record.format}, and not ${format}`
  if (Number.isNaN(Date.parse(record.at)) || !/^\d+\.\d+\.\d+/.test(record.version)) return 'no date, or no version'
  const wrong = results.find((result) => !figures.every((figure) => isNumber(result[figure]) && result.rounds[figure]))
  if (wrong) return `${wrong.title}, ${wrong.name}: without ${figures.join(', ')}`
  return goals.find(({ measured, why }) => (measured ? !isSpread(measured) : why === undefined))?.what
}

/** throws where the file is no record */
export function readRecord(file: string): Recorded {
  const record = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  const fault = faultIn(record)
  if (fault !== undefined) throw new Error(`${file} cannot be read: ${fault}`)
  return record
}

export const nameOf = ({ at, version: ours }: Recorded): string => `${at.slice(0, 10)}-${ours}.json`

/** the path of the new file; one of the same day and version is replaced */
export function writeRecord(report: Report, folder = resultsFolder): string {
  const record = recordOf(report)
  const file = join(folder, nameOf(record))
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, textOf(record))
  readRecord(file)
  return file
}
