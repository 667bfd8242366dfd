// The figures of a whole run as JSON, for `bench/results`: numbers and versions alone, nothing of the machine's names or paths.
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { version } from '../src/version.ts'
import type { Figure } from './works.ts'

export const judgedOf = ({ service, raw }: Figure): number => (raw === undefined ? service : service / raw)

export interface EngineResults {
  readonly engine: 'podman' | 'docker'
  readonly version: string
  /** of the machine at the start */
  readonly load: number
  readonly figures: readonly Figure[]
}

const rounded = (value: number) => Number(value.toPrecision(4))

function rowOf(figure: Figure) {
  const { name, unit, service, raw, cli, most } = figure
  const judged = judgedOf(figure)
  return {
    name,
    unit,
    service: rounded(service),
    ...(raw !== undefined && { raw: rounded(raw), ratio: rounded(judged) }),
    ...(cli !== undefined && { command: rounded(cli) }),
    goal: rounded(most),
    isKept: judged <= most,
  }
}

export const loadNow = (): number => rounded(loadavg()[0] ?? 0)

export function writeResults(file: string, rounds: number, engines: readonly EngineResults[]) {
  const about = { service: version, node: process.versions.node, processors: cpus().length, rounds }
  const results = engines.map(({ figures, ...engine }) => ({ ...engine, figures: figures.map(rowOf) }))
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...about, results }, null, 2)}\n`)
}
