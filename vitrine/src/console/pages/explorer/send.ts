// Sends a request: its first page, its next one, its plan.
import type { Plan } from '../../answers.ts'
import { ask, askText } from '../../../../../base/console/api.ts'
import { isoNow } from '../../../../../base/console/clock.ts'
import { type ApiRefusal, asRefusal } from '../../../../../base/console/refusal.ts'
import { nextCursorIn, type ReadAnswer, readAnswerOf, refusalIn } from './read-answer.ts'
import { hasMore } from './row-count.ts'
import { draftFrom, type RequestDraft, targetOf } from './request-draft.ts'
import { type ExplorerRequest, type PageTurn, type PlanState, type Run, setFaults } from './workbench-state.ts'
import type { WorkbenchState } from './workbench-state.ts'

export const readThrough = async (connection: string, target: string, signal: AbortSignal): Promise<ReadAnswer> =>
  readAnswerOf(await askText('/read', { method: 'POST', body: { connection, target }, signal }))

/** a refusal that names a field is shown at the field */
function faultAtField({ form, workbench }: ExplorerRequest, { param, message }: ApiRefusal) {
  const names = [...form.ids, ...form.parameters].map(({ name }) => name)
  if (param !== undefined && names.includes(param)) setFaults(workbench, new Map([[param, message]]))
}

function fail(request: ExplorerRequest, turn: PageTurn, refusal: ApiRefusal, answer?: ReadAnswer) {
  const { workbench, connection } = request
  faultAtField(request, refusal)
  workbench.failure.value = { connection, turn, refusal, answer }
  // a refusal answers a new request; without a response, what was shown stays
  if (turn === 'first' && answer) workbench.run.value = undefined
}

interface Turn {
  readonly turn: PageTurn
  readonly draft: RequestDraft
  readonly before: Run
}

/** what was shown stays until the response is there */
async function read(request: ExplorerRequest, { turn, draft, before }: Turn) {
  const { form, connection, workbench } = request
  workbench.flight?.abort()
  const flight = (workbench.flight = new AbortController())
  workbench.busy.value = turn
  try {
    const answer = await readThrough(connection, targetOf(form, draft), flight.signal)
    if (workbench.flight !== flight) return
    const refusal = refusalIn(answer)
    workbench.failure.value = undefined
    if (refusal) return fail(request, turn, refusal, answer)
    // pictures may have been shown while the next page was under way
    const shown = (turn === 'next' ? workbench.run.peek() : before)?.shown ?? before.shown
    workbench.run.value = { ...before, pages: [...before.pages, answer], shown, at: isoNow() }
  } catch (error) {
    if (workbench.flight === flight && !flight.signal.aborted) fail(request, turn, asRefusal(error))
  } finally {
    if (workbench.flight === flight) workbench.busy.value = undefined
  }
}

export async function send(request: ExplorerRequest) {
  const { connection, workbench } = request
  const draft = workbench.draft.peek()
  workbench.faults.value = new Map()
  workbench.isLinked.value = false
  await read(request, { turn: 'first', draft, before: { connection, draft, pages: [], shown: new Set(), at: '' } })
}

export async function sendNext(request: ExplorerRequest) {
  const before = request.workbench.run.peek()
  const last = before?.pages.at(-1)
  const cursor = last && nextCursorIn(last)
  if (before && cursor !== undefined)
    await read(request, { turn: 'next', draft: draftFrom(request.form, before.draft, cursor), before })
}

/** reads the pages that are left, one after the other; false: not all of them */
export async function sendRest(request: ExplorerRequest): Promise<boolean> {
  const { workbench } = request
  for (let pages = -1; ;) {
    const run = workbench.run.peek()
    if (!run || run.pages.length === pages) return false
    if (!hasMore(run)) return true
    pages = run.pages.length
    await sendNext(request)
  }
}

export function cancel(workbench: WorkbenchState) {
  workbench.flight?.abort()
  workbench.flight = undefined
  workbench.busy.value = undefined
}

/** makes no platform call */
export async function askPlan(request: ExplorerRequest) {
  const { form, connection, workbench } = request
  const target = targetOf(form, workbench.draft.peek())
  const waiting: PlanState = { connection, target, plan: undefined, refusal: undefined }
  const isWanted = () => workbench.plan.peek() === waiting
  workbench.plan.value = waiting
  try {
    const plan = await ask<Plan>('/plan', { method: 'POST', body: { connection, target } })
    if (isWanted()) workbench.plan.value = { ...waiting, plan }
  } catch (error) {
    if (!isWanted()) return
    const refusal = asRefusal(error)
    faultAtField(request, refusal)
    workbench.plan.value = { ...waiting, refusal }
  }
}
