// One of several processes that answer callers, started by `serve` alone, which keeps what they share.
import type { Event, Observe } from '../observe.ts'
import type { Settings } from '../settings.ts'
import { type Closing, type House, openHouse } from '../wire.ts'
import { createAskedGovernors } from '../workers/asked-governor.ts'
import { createAskedLockOut, createAskedRates } from '../workers/asked-limits.ts'
import { clockFrom } from '../workers/clock.ts'
import { gather, hear, type Put, type ToKeeper, type ToWorker } from '../workers/messages.ts'
import { type Answering, createAnswering } from '../workers/questions.ts'
import { createReporter } from '../workers/reports.ts'
import { Complaint } from './complaint.ts'
import type { Given } from './crew.ts'
import { createLog } from './log.ts'
import { gathering } from './outlet.ts'

/** what the primary says for all */
const said = new Set<Event['kind']>(['started', 'stopping', 'shadowed', 'master_key_missing'])

function observeFrom({ number, settings }: Given, note: Observe): Observe {
  const log = createLog(settings.log, gathering(process.stderr, true), note, number)
  return (event) => {
    if (!said.has(event.kind)) log(event)
  }
}

function openPart(given: Given, put: Put<ToKeeper>) {
  const { settings, folder, masterKeys, clockBegun } = given
  const rates = createAskedRates(settings['rateLimit.perMinute'], put)
  const lockOut = createAskedLockOut(put)
  const governors = createAskedGovernors(put)
  let note: Observe | undefined
  const house = openHouse(settings, {
    ...{ folder, secrets: { masterKeys }, governorOf: (key) => governors.of(key) },
    observe: observeFrom(given, (event) => note?.(event)),
    worker: { of: settings.workers, rates, lockOut, clock: clockFrom(clockBegun) },
  })
  house.then(
    (opened) => (note = opened.note),
    () => {},
  )
  return { house, hearing: { ...rates.hearing, ...lockOut.hearing, ...governors.hearing } }
}

function answer(begin: (given: Given) => Promise<House>): Answering {
  let house: House | undefined
  let report: ReturnType<typeof createReporter> | undefined
  let commit: (() => void) | undefined
  return {
    async begin(given: Given) {
      house = await begin(given)
      report = createReporter(house)
      return (await house.listen()).url
    },
    standing: async () => house?.opened().map(({ id, state }) => [id, state()]) ?? [],
    counted: async () => house?.counted() ?? [],
    lately: async (heard: number) => report?.(heard),
    async prepare(settings: Settings) {
      commit = await house?.prepare(settings)
    },
    async commit() {
      const isPrepared = commit !== undefined
      commit?.()
      commit = undefined
      // one that began while the others prepared has nothing to serve, and begins anew
      return isPrepared
    },
    async close(how: Closing) {
      await house?.close(how)
      process.exit(0)
    },
  }
}

export async function worker() {
  if (!process.send) throw new Complaint('A worker is started by `vitrine serve --workers N`, and by nobody else.')
  // these may come to the whole group; when to end is the primary's to say, and its end is ours
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  const put = gather<ToKeeper>((messages) => process.connected && process.send?.(messages, () => {}))
  const hearing = {}
  const begin = (given: Given) => {
    const part = openPart(given, put)
    Object.assign(hearing, part.hearing)
    return part.house
  }
  Object.assign(hearing, createAnswering(answer(begin), put))
  process.on('message', (messages: readonly ToWorker[]) => hear(messages, hearing))
}
