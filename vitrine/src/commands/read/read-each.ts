// Runs `vitrine read --each`: the items of every row go to the sink, to the end of every list.
import type { Vitrine } from '../../../client/vitrine.ts'
import { isList, type Route } from '../../catalogue/define.ts'
import type { WayStep } from '../../catalogue/ways.ts'
import type { ReadArguments } from './arguments.ts'
import { itemOf } from './columns.ts'
import { listedIds, type Place, visitEach } from './each.ts'
import { exitOf, type ReadFailure, skippedText } from './failure.ts'
import { findableNames } from './find.ts'
import type { Ids } from './options.ts'
import { type Outcome, paramsOf } from './parameters.ts'
import type { ReadProgress } from './progress.ts'
import type { Sink } from './sinks.ts'

interface EachRun {
  readonly asked: ReadArguments & { readonly route: Route }
  readonly steps: readonly WayStep[]
  readonly sink: Sink
  readonly progress: ReadProgress
  readonly interrupts: { readonly signal: AbortSignal }
  readonly outcome: Outcome
  /** failures are JSON */
  readonly isForProgram: boolean
}

function givenIds({ route, given }: EachRun['asked']): Ids {
  const names = findableNames(route)
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
}

/** pages of a list, or one answer as a page */
async function* pagesOf({ asked }: EachRun, client: Vitrine, { ids }: Place) {
  const { route, given } = asked
  const params = paramsOf({ ...asked, given: { ...given, ...ids } })
  if (isList(route)) yield* client.walk(route.operation, params).pages()
  else yield { items: [await client.read(route.operation, params)] }
}

/** A row without such an answer is named and left; the exit code says so. Any other failure ends the read. */
export async function readEach(run: EachRun, client: Vitrine) {
  const { asked, steps, sink, progress, outcome, interrupts, isForProgram } = run
  let pages = 0
  const visitor = {
    enter(place: Place) {
      interrupts.signal.throwIfAborted()
      outcome.at = listedIds(place)
    },
    async visit(place: Place) {
      for await (const { items } of pagesOf(run, client, place)) {
        await sink.page(items.map((item) => ({ ...place.lead, ...itemOf(item) })))
        outcome.walked = { items: outcome.walked.items + items.length, cursor: null }
        progress.count(outcome.walked.items, ++pages)
      }
    },
    async skip(place: Place, error: ReadFailure) {
      const skipped = { at: listedIds(place) ?? {}, error }
      progress.end()
      process.stderr.write(isForProgram ? `${JSON.stringify(skipped)}\n` : skippedText(skipped))
      process.exitCode = exitOf(error)
      await sink.skip(skipped)
    },
  }
  await visitEach(client, steps, { ids: givenIds(asked), lead: {} }, visitor)
  progress.end()
  await sink.end()
}
