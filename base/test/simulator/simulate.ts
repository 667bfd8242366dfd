// Runs simulations from the command line: `--subject NAME` alone, `--seed N` one run as a timeline, `--seeds N` many on all cores,
// `--from` their first, `--hours H` of virtual time each, `--whole` with idle time. A seed that breaks a promise is shrunk and
// told, and what Redis and PostgreSQL answered in it is compared with real ones.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { shrinkPlan } from './shrink-plan.ts'
import { folderOf, nameOf, subjectFolders, subjectIn } from './subject.ts'
import { timelineOf } from './timeline.ts'

interface Seeds {
  /** of the subject */
  readonly folder: string
  readonly from: number
  readonly count: number
  /** how many of them are taken; all threads count here */
  readonly taken: Int32Array
  readonly hours: number
  readonly runsIdleTime: boolean
}

interface Ran {
  readonly seed: number
  readonly broken: string | undefined
  readonly events: number
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

async function runSeeds({ folder, from, count, taken, hours, runsIdleTime }: Seeds, ran: (one: Ran) => void) {
  const { makePlan, runPlan } = await subjectIn(folder)
  for (let i = Atomics.add(taken, 0, 1); i < count; i = Atomics.add(taken, 0, 1)) {
    const seed = from + i
    const { broken, events } = await runPlan(makePlan(seed, hours), { runsIdleTime })
    ran({ seed, broken, events })
  }
}

/** on as many threads as there are cores, each with its own globals */
async function runOnAll(seeds: Omit<Seeds, 'taken'>): Promise<readonly Ran[]> {
  const all: Ran[] = []
  const taken = new Int32Array(new SharedArrayBuffer(4))
  const runOn = () =>
    new Promise<void>((ended, failed) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { ...seeds, taken } satisfies Seeds })
      worker.on('message', (one: Ran) => all.push(one))
      worker.on('error', failed)
      worker.on('exit', () => ended())
    })
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds.count) }, runOn))
  return all.toSorted((a, b) => a.seed - b.seed)
}

async function tell(folder: string, seed: number, hours: number) {
  const subject = await subjectIn(folder)
  const plan = subject.makePlan(seed, hours)
  const { hash, events, broken, story, outcomes } = await subject.runPlan(plan, { keepsStacks: true })
  print(`${nameOf(folder)}, seed ${seed}: ${events} events, hash ${hash}, ${JSON.stringify(outcomes)}`)
  if (broken === undefined) {
    for (const line of timelineOf(story, 'no promise').slice(0, -1)) print(line)
    return
  }
  const least = await shrinkPlan(subject, plan, broken)
  print(`shrunk from ${plan.items.length} to ${least.plan.items.length} callers and faults:`)
  for (const line of timelineOf(least.result.story, least.result.broken ?? broken)) print(line)
  process.exitCode = 1
  const { compareWithReal } = await import('./compare-with-real.ts')
  for (const line of await compareWithReal(await subject.runPlan(plan, { records: true }))) print(line)
}

async function runMany(seeds: Omit<Seeds, 'taken'>) {
  const { folder, hours } = seeds
  const begunAt = performance.now()
  const ran = await runOnAll(seeds)
  const broken = ran.filter((one) => one.broken !== undefined)
  const seconds = ((performance.now() - begunAt) / 1_000).toFixed(1)
  const events = ran.reduce((sum, one) => sum + one.events, 0)
  const done = `${ran.length} seeds of ${hours} hours in ${seconds} s, ${events} events`
  print(`${nameOf(folder)}: ${done}; ${broken.length} broke a promise`)
  for (const one of broken.slice(0, 20)) print(`seed ${one.seed}: ${one.broken}`)
  const [first] = broken
  if (first) await tell(folder, first.seed, hours)
}

const options = {
  subject: { type: 'string' },
  seed: { type: 'string' },
  seeds: { type: 'string', default: '100' },
  from: { type: 'string', default: '1' },
  hours: { type: 'string', default: '2' },
  whole: { type: 'boolean', default: false },
} as const

async function main() {
  const { subject, seed, seeds, from, hours, whole } = parseArgs({ options }).values
  const many = { from: Number(from), count: Number(seeds), hours: Number(hours), runsIdleTime: whole }
  for (const folder of subject === undefined ? subjectFolders() : [folderOf(subject)]) {
    if (seed === undefined) await runMany({ folder, ...many })
    else await tell(folder, Number(seed), many.hours)
  }
}

if (isMainThread) await main()
else await runSeeds(workerData as Seeds, (one) => parentPort?.postMessage(one))
