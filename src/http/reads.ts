// The one handler of every route: from an admitted question to a reply, which is remembered or made under one deadline.
import { answer } from '../engine/answer.ts'
import type { Cursors } from '../engine/cursor.ts'
import type { Flat } from '../engine/flatten.ts'
import type { Memories } from '../engine/memory.ts'
import type { Cost, Errand } from '../engine/port.ts'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import type { Answers } from './cache.ts'
import type { Admitted } from './caller.ts'
import type { Wishes } from './conditional.ts'
import { render, type Reply } from './reply.ts'

export interface Reading {
  readonly cursors: Cursors
  /** what lookups have found out lately, by connection */
  readonly memories: Memories
  /** what has been answered lately, where the operator lets it be remembered */
  readonly answers: Answers
  /** the platform's origin */
  readonly origin: string
  /** budget of one facade request over all its platform calls */
  readonly timeoutMs: number
  /** aborted when the service can wait no longer for the platform */
  readonly giveUp: AbortSignal
  /** milliseconds of a clock that nobody sets */
  readonly steady: () => number
  readonly observe: Observe
}

export interface Waiting {
  /** the facade key that asks */
  readonly who: string
  /** which remembered answers the caller takes */
  readonly wishes: Wishes
  readonly cost: Cost
  readonly trace?: NonNullable<Errand['trace']>
  /** `leave` is called back when nobody waits for the answer any more */
  onLeave(leave: () => void): void
}

/** the later pages of a walk can wait for first answers */
const isPatient = (query: string): boolean => /(^|&)cursor=/.test(query)

/** a deadline that is noticed so late says that this process did not run */
const heldUpMs = 500

/** one deadline for everything that is done for a caller, and an end to it when he leaves */
async function withinTime<T>(
  { timeoutMs, giveUp, steady }: Reading,
  waiting: Waiting,
  act: (time: Pick<Errand, 'signal' | 'endsAt'>) => Promise<T>,
): Promise<T> {
  const patience = new AbortController()
  const endsAt = steady() + timeoutMs
  const overdue = () => {
    // who was held up himself cannot say that the platform was silent
    const name = steady() - endsAt > heldUpMs ? 'HeldUpError' : 'TimeoutError'
    patience.abort(new DOMException('deadline', name))
  }
  const deadline = setTimeout(overdue, timeoutMs)
  const leave = () => patience.abort()
  waiting.onLeave(leave)
  if (giveUp.aborted) leave()
  giveUp.addEventListener('abort', leave)
  try {
    return await act({ signal: patience.signal, endsAt })
  } finally {
    clearTimeout(deadline)
    giveUp.removeEventListener('abort', leave)
  }
}

type Asked = NonNullable<Admitted['asked']> & { readonly query: string }

function readNow({ open, ...question }: Asked, reading: Reading, waiting: Waiting): Promise<Flat> {
  const { cursors, memories, origin, observe } = reading
  const { who, wishes, cost, trace } = waiting
  const { fresh } = wishes
  return withinTime(reading, waiting, async (time) => {
    const errand: Errand = { ...time, who, patient: isPatient(question.query), fresh, cost, ...(trace && { trace }) }
    const { body, unknown, duplicates } = await answer(
      { ...question, account: open.account },
      {
        get: (wanted) => {
          if (time.signal.aborted) throw new Problem('upstream_timeout', { cause: 'deadline between two calls' })
          return open.get(wanted, errand)
        },
        ...{ cursors, origin, linkage: open.linkage, memory: memories.of(open.get, fresh) },
      },
    )
    const { type } = question.route
    if (unknown.length > 0) observe({ kind: 'drift', type, members: unknown })
    if (duplicates > 0) observe({ kind: 'duplicate', type, count: duplicates })
    return body
  })
}

/** of refusals that take back an answer; what only fails for now does not */
const goneStatuses: ReadonlySet<number> = new Set([403, 404, 409])

export async function read(asked: Asked, reading: Reading, waiting: Waiting): Promise<Reply> {
  const { answers } = reading
  const looked = answers.look(asked, waiting.wishes)
  if (!looked) return { bytes: render(await readNow(asked, reading, waiting)) }
  if (looked.found) return looked.found
  try {
    return looked.keep(render(await readNow(asked, { ...reading, cursors: answers.cursors }, waiting)))
  } catch (error) {
    if (error instanceof Problem && goneStatuses.has(error.row.status)) looked.gone()
    throw error
  }
}
