// The primary of a service of several workers: it holds what they share, and the operator's door.
import type { Secrets } from '../office.ts'
import { type Counted, type Others, sumOf } from '../metric-sums.ts'
import type { Observe } from '../observe.ts'
import type { Settings } from '../settings.ts'
import type { Workers } from '../wire.ts'
import { type Crew, createCrew, type Said } from '../workers/crew.ts'
import { createKeeper } from '../workers/keeper.ts'
import { type Line, mergeLines } from '../workers/lines.ts'

/** what a worker is given at its start */
export interface Given {
  readonly number: number
  readonly settings: Settings
  readonly folder: string
  readonly masterKeys: string | undefined
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

export interface CrewParts {
  readonly settings: Settings
  readonly folder: string
  readonly secrets: Secrets
  readonly observe: Observe
}

/** what the primary's house stands on */
export function createWorkers({ settings, folder, secrets, observe }: CrewParts) {
  const keeper = createKeeper({
    concurrency: settings['upstream.concurrency'],
    perMinute: settings['rateLimit.perMinute'],
    failuresPerMinute: settings['rateLimit.failuresPerMinute'],
    shed: () => observe({ kind: 'shed', reason: 'queue' }),
  })
  const counts = createCounts()
  let given: Omit<Given, 'number'> = { settings, folder, masterKeys: secrets.masterKeys }
  const crew = createCrew({
    count: settings.workers,
    keeper,
    given: () => given,
    observe,
    ended: (worker) => counts.ended(worker),
  })
  const workers: Workers = {
    start: async () => String(await crew.start()),
    standing: (own) => standingOf(crew, own),
    counted: async () => counts.hear(await crew.ask('counted')),
    async reload(fresh) {
      await crew.all('prepare', fresh)
      // the rest waits for a restart of the service: one that begins anew meanwhile is as the others are
      const { connections, masterKeysFile } = fresh
      given = { ...given, settings: { ...settings, connections, masterKeysFile } }
      const said = await crew.ask('commit')
      crew.end(said.flatMap(({ worker, value }) => (value === true ? [] : [worker])))
    },
    serve: crew.serves,
    close: (graceMs) => crew.close(graceMs),
  }
  return { crew: workers, governorOf: (key: string) => keeper.governorOf(key) }
}
