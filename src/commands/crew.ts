// The primary of a service of several workers: it holds what they share, and the operator's door.
import type { History } from '../history.ts'
import type { ShownWorker } from '../http/operator/operation.ts'
import type { Secrets } from '../office.ts'
import { type Counted, type Others, sumOf } from '../metric-sums.ts'
import type { Observe } from '../observe.ts'
import type { Shared } from '../replicas/shared.ts'
import type { Settings } from '../settings.ts'
import type { Workers } from '../wire.ts'
import { type Crew, createCrew, type Said } from '../workers/crew.ts'
import { beginClock, clockFrom } from '../workers/clock.ts'
import { createKeeper } from '../workers/keeper.ts'
import { type Line, mergeLines, mergeStates } from '../workers/lines.ts'
import { createReports, type Report, type Reports } from '../workers/reports.ts'

/** what a worker is given at its start */
export interface Given {
  readonly number: number
  readonly settings: Settings
  readonly folder: string
  readonly masterKeys: string | undefined
  /** so that minutes begin at once in all of them */
  readonly clockBegun: number
}

/** their last word is kept: what was counted stays counted when one dies, and while one is silent */
function createCounts() {
  const last = new Map<number, Counted>()
  let past: Promise<Counted> = Promise.resolve([])
  const grows = ({ type }: Counted[number]) => ['counter', 'histogram'].includes(String(type))
  return {
    async hear(said: readonly Said<Counted>[]): Promise<Others> {
      for (const { worker, value } of said) if (value) last.set(worker, value)
      const silent = said.filter(({ value }) => value === undefined).length
      return { counted: [await past, ...last.values()], workers: { serving: said.length - silent, silent } }
    },
    ended(worker: number) {
      const counted = last.get(worker)?.filter(grows)
      last.delete(worker)
      if (counted) past = past.then((sum) => sumOf([sum, counted]))
    },
  }
}

async function standingOf(crew: Crew, own: Parameters<Workers['standing']>[0]) {
  const said = await crew.ask<Line[]>('standing')
  const lines = said.flatMap(({ value }) => (value ? [value] : []))
  return {
    open: mergeLines([own.map(({ id, state }) => [id, state()]), ...lines]),
    workers: said.map(({ worker, pid, value }) => ({ worker, pid, answers: value !== undefined })),
  }
}

/** what comes meanwhile could go on for ever, and one that is silent takes long: the rest is heard the next time */
const enoughMs = 1_000

/** asked by several at a time, they are asked once */
function createLately(crew: Crew, reports: Reports): Workers['lately'] {
  let underWay: Promise<readonly ShownWorker[]> | undefined

  async function hearAll(history: Pick<History, 'give'>): Promise<readonly ShownWorker[]> {
    const begunAt = performance.now()
    for (;;) {
      const said = await crew.ask<Report>('lately', (worker) => reports.numberOf(worker))
      for (const { worker, value } of said) {
        if (!value) continue
        reports.hear(worker, value)
        history.give(value.tally)
      }
      if (said.some(({ value }) => value?.more) && performance.now() - begunAt < enoughMs) continue
      return said.map(({ worker, pid, value }) => ({ worker, pid, answers: value !== undefined }))
    }
  }

  return async (own, history) => {
    underWay ??= hearAll(history).finally(() => (underWay = undefined))
    const workers = await underWay
    const states = new Map(own.map(({ id, state }) => [id, state]))
    const ownOf = (id: string) => states.get(id)?.()
    return { workers, stateOf: (id) => mergeStates([ownOf(id) ?? [], reports.statesOf(id)].flat()) }
  }
}

export interface CrewParts {
  readonly settings: Settings
  readonly folder: string
  readonly secrets: Secrets
  readonly observe: Observe
}

const limitsOver = (settings: Settings, shared: Shared) => ({
  rates: shared.ratesOf(settings['rateLimit.perMinute']),
  replicas: shared.presence.count,
})

/** what the primary's house stands on */
export function createWorkers({ settings, folder, secrets, observe }: CrewParts) {
  const keeper = createKeeper({
    concurrency: settings['upstream.concurrency'],
    perMinute: settings['rateLimit.perMinute'],
    failuresPerMinute: settings['rateLimit.failuresPerMinute'],
    shed: () => observe({ kind: 'shed', reason: 'queue' }),
  })
  const [counts, reports, clockBegun] = [createCounts(), createReports(), beginClock()]
  let given: Omit<Given, 'number'> = { settings, folder, masterKeys: secrets.masterKeys, clockBegun }
  const crew = createCrew({
    count: settings.workers,
    keeper,
    given: () => given,
    observe,
    ended(worker) {
      counts.ended(worker)
      reports.ended(worker)
    },
  })
  const workers: Workers = {
    start: async () => String(await crew.start()),
    standing: (own) => standingOf(crew, own),
    counted: async () => counts.hear(await crew.ask('counted')),
    lately: createLately(crew, reports),
    clock: clockFrom(clockBegun),
    share: (shared, governorOf) => keeper.share({ ...limitsOver(settings, shared), governorOf }),
    async reload(fresh) {
      await crew.all('prepare', fresh)
      // the rest waits for a restart of the service: one that begins anew meanwhile is as the others are
      const { connections, masterKeysFile } = fresh
      given = { ...given, settings: { ...settings, connections, masterKeysFile } }
      const said = await crew.ask('commit')
      crew.end(said.flatMap(({ worker, value }) => (value === true ? [] : [worker])))
    },
    serve: crew.serves,
    close: (how) => crew.close(how),
  }
  return { crew: workers, governorOf: (key: string) => keeper.governorOf(key) }
}
