// Runs the simulation on each mutant, and prints the first seed that finds it: node run-mutants.ts [seeds] [part of a name, or `new`].
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Mutant, mutants } from './mutants.ts'

export interface Found {
  readonly seed: number
  readonly broken: string
}

const root = join(import.meta.dirname, '../../..')

/** throws where the text to change is not there once */
export function mutantText({ file, from, to, name }: Mutant): string {
  const text = readFileSync(join(root, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${name}: the code that it changes is not there once`)
  return text.replace(from, () => to)
}

/** every module that is loaded from now on sees the changed file */
function plant(mutant: Mutant) {
  const changed = pathToFileURL(join(root, mutant.file)).href
  const text = mutantText(mutant)
  registerHooks({
    load: (url, context, next) =>
      url === changed ? { format: 'module-typescript', source: text, shortCircuit: true } : next(url, context),
  })
}

async function find(mutant: Mutant, seeds: number, from: number): Promise<Found | undefined> {
  plant(mutant)
  const { makePlan } = await import('./quota-plan.ts')
  const { runPlan } = await import('./quota-run.ts')
  for (let seed = from; seed < from + seeds; seed++) {
    const { broken } = await runPlan(makePlan(seed)).catch((error: Error) => ({ broken: `error: ${error.message}` }))
    if (broken !== undefined) return { seed, broken }
  }
  return undefined
}

/** in a thread of its own, since its modules are changed */
export const findInThread = (mutant: Mutant, seeds: number, from = 1): Promise<Found | undefined> =>
  new Promise((found, failed) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { mutant, seeds, from } })
    worker.once('message', found)
    worker.once('error', failed)
  })

async function main([seeds = '500', part = '']: readonly string[]) {
  const wanted = mutants
    .filter(({ name, seed }) => name.includes(part) || (part === 'new' && seed === undefined))
    .values()
  const run = async () => {
    for (const mutant of wanted) {
      const found = await findInThread(mutant, Number(seeds))
      const where = found ? `seed ${found.seed}: ${found.broken}` : `NOT FOUND in ${seeds} seeds`
      process.stdout.write(`${mutant.name} | ${where}\n`)
      if (!found) process.exitCode = 1
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, run))
}

if (!isMainThread && workerData) {
  const { mutant, seeds, from } = workerData as {
    readonly mutant: Mutant
    readonly seeds: number
    readonly from: number
  }
  parentPort?.postMessage(await find(mutant, seeds, from))
} else if (import.meta.main) await main(process.argv.slice(2))
