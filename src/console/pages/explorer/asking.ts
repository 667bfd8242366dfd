// Sending what is on a desk: the first page, the next one, the plan.
import type { Plan } from '../../answers.ts'
import { ask, askText } from '../../api.ts'
import { momentNow } from '../../clock.ts'
import { asRefusal, type Refusal } from '../../refusal.ts'
import { blame, type Desk, type Planned } from './desk.ts'
import { type Draft, draftFrom, targetOf } from './draft.ts'
import type { Form } from './forms.ts'
import { nextCursorIn, type Reading, readingOf, refusalIn } from './reading.ts'
import type { Failure, Run, Turn } from './run.ts'

export interface Question {
  readonly form: Form
  readonly connection: string
  readonly desk: Desk
}

export const readThrough = async (connection: string, target: string, signal: AbortSignal): Promise<Reading> =>
  readingOf(await askText('/read', { method: 'POST', body: { connection, target }, signal }))

/** what the door says of a field stands at the field */
function blameField({ form, desk }: Question, { param, message }: Refusal) {
  const names = [...form.ids, ...form.parameters].map(({ name }) => name)
  if (param !== undefined && names.includes(param)) blame(desk, new Map([[param, message]]))
}

function fail(question: Question, turn: Turn, refusal: Refusal, reading?: Reading) {
  const { desk, connection } = question
  const failure: Failure = { connection, turn, refusal, reading }
  blameField(question, refusal)
  desk.failure.value = failure
  // a refusal is the answer to a new question; where none came, what was shown stays
  if (turn === 'first' && reading) desk.run.value = undefined
}

/** pictures may have been asked for while the next page was on its way */
const shownIn = (desk: Desk, turn: Turn): ReadonlySet<string> =>
  turn === 'next' ? (desk.run.peek()?.shown ?? new Set()) : new Set()

/** what was shown stays until the answer is there */
async function fly(question: Question, turn: Turn, { draft, before }: { draft: Draft; before: Run }) {
  const { form, connection, desk } = question
  desk.flight?.abort()
  const flight = (desk.flight = new AbortController())
  desk.busy.value = turn
  try {
    const reading = await readThrough(connection, targetOf(form, draft), flight.signal)
    if (desk.flight !== flight) return
    const refusal = refusalIn(reading)
    desk.failure.value = undefined
    if (refusal) fail(question, turn, refusal, reading)
    else
      desk.run.value = {
        ...before,
        pages: [...before.pages, reading],
        shown: shownIn(desk, turn),
        at: momentNow(),
      }
  } catch (error) {
    if (desk.flight === flight && !flight.signal.aborted) fail(question, turn, asRefusal(error))
  } finally {
    if (desk.flight === flight) desk.busy.value = undefined
  }
}

export async function send(question: Question) {
  const { connection, desk } = question
  const draft = desk.draft.peek()
  desk.faults.value = new Map()
  await fly(question, 'first', { draft, before: { connection, draft, pages: [], shown: new Set(), at: '' } })
}

/** nothing where there is no further page */
export async function sendNext(question: Question) {
  const before = question.desk.run.peek()
  const last = before?.pages.at(-1)
  const cursor = last && nextCursorIn(last)
  if (before && cursor !== undefined)
    await fly(question, 'next', { draft: draftFrom(question.form, before.draft, cursor), before })
}

/** what was shown before stays */
export function cancel(desk: Desk) {
  desk.flight?.abort()
  desk.flight = undefined
  desk.busy.value = undefined
}

/** costs no call of the platform */
export async function askPlan(question: Question) {
  const { form, connection, desk } = question
  const target = targetOf(form, desk.draft.peek())
  const waiting: Planned = { connection, target, plan: undefined, refusal: undefined }
  const isWanted = () => desk.planned.peek() === waiting
  const land = (came: Partial<Planned>) => {
    if (isWanted()) desk.planned.value = { ...waiting, ...came }
  }
  desk.planned.value = waiting
  try {
    land({ plan: await ask<Plan>('/plan', { method: 'POST', body: { connection, target } }) })
  } catch (error) {
    const refusal = asRefusal(error)
    if (isWanted()) blameField(question, refusal)
    land({ refusal })
  }
}
