// Runs the simulation on each mutant, and prints the first seed that finds it: `--seeds N` at most, `--subject NAME` alone,
// `--name PART` of their names, `--new` those without a seed.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Mutant, plant } from './mutant.ts'
import { folderOf, mutantsIn, nameOf, subjectFolders, subjectIn } from './subject.ts'

export interface Found {
  readonly seed: number
  readonly broken: string
}

export interface Search {
  /** of the subject */
  readonly folder: string
  readonly mutant: Mutant
  readonly seeds: number
  readonly from?: number
}

async function find({ folder, mutant, seeds, from = 1 }: Search): Promise<Found | undefined> {
  plant(mutant)
  const { makePlan, runPlan } = await subjectIn(folder)
  for (let seed = from; seed < from + seeds; seed++) {
    const { broken } = await runPlan(makePlan(seed)).catch((error: Error) => ({ broken: `error: ${error.message}` }))
    if (broken !== undefined) return { seed, broken }
  }
  return undefined
}

/** in a thread of its own, since its modules are changed */
export const findInThread = (search: Search): Promise<Found | undefined> =>
  new Promise((found, failed) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: search })
    worker.once('message', found)
    worker.once('error', failed)
  })

const options = {
  subject: { type: 'string' },
  seeds: { type: 'string', default: '500' },
  name: { type: 'string', default: '' },
  new: { type: 'boolean', default: false },
} as const

async function main() {
  const { subject, seeds, name, new: isNew } = parseArgs({ options }).values
  const folders = subject === undefined ? subjectFolders() : [folderOf(subject)]
  const all = await Promise.all(
    folders.map(async (folder) => (await mutantsIn(folder)).map((mutant) => ({ folder, mutant }))),
  )
  const wanted = all
    .flat()
    .filter(({ mutant }) => mutant.name.includes(name) && !(isNew && mutant.seed !== undefined))
    .values()
  const run = async () => {
    for (const { folder, mutant } of wanted) {
      const found = await findInThread({ folder, mutant, seeds: Number(seeds) })
      const where = found ? `seed ${found.seed}: ${found.broken}` : `NOT FOUND in ${seeds} seeds`
      process.stdout.write(`${nameOf(folder)} | ${mutant.name} | ${where}\n`)
      if (!found) process.exitCode = 1
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, run))
}

if (!isMainThread && workerData) parentPort?.postMessage(await find(workerData as Search))
else if (import.meta.main) await main()
