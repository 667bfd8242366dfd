// The one handler of every route: from an admitted question to a reply, which is remembered or made under one deadline.
import { Ending, type Finale } from '../ending.ts'
import { answer } from '../engine/answer.ts'
import type { Cursors } from '../engine/cursor.ts'
import type { Flat } from '../engine/flatten.ts'
import type { Memories } from '../engine/memory.ts'
import type { Cost, Errand, Watch } from '../engine/port.ts'
import type { Observe } from '../observe.ts'
import { Problem } from '../problem.ts'
import type { Answers } from './cache.ts'
import type { Admitted } from './caller.ts'
import type { Wishes } from './conditional.ts'
import { render, renderOnce, type Reply } from './reply.ts'

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
  /** when the service can wait no longer for the platform */
  readonly giveUp: Pick<Finale, 'follow' | 'unfollow'>
  /** milliseconds of a clock that nobody sets */
  readonly steady: () => number
  readonly observe: Observe
}

export interface Waiting {
  /** the facade key that asks, or the operator */
  readonly who: string
  /** which remembered answers the caller takes */
  readonly wishes: Wishes
  readonly cost: Cost
  readonly trace?: Errand['trace']
  /** looks on while the platform is read, where somebody wants to know */
  readonly watch?: Watch
  /** `leave` is called back when nobody waits for the answer any more */
  onLeave(leave: () => void): void
}

/** the later pages of a walk can wait for first answers */
const isPatient = (query: string): boolean => query !== '' && /(^|&)cursor=/.test(query)

/** a deadline that is noticed so late says that this process did not run */
const heldUpMs = 500

/** one deadline for everything that is done for a caller, and an end to it when he leaves */
async function withinTime<T>(
  { timeoutMs, giveUp, steady }: Reading,
  waiting: Waiting,
  act: (time: Pick<Errand, 'signal' | 'endsAt'>) => Promise<T>,
): Promise<T> {
  const patience = new Ending()
  const endsAt = steady() + timeoutMs
  const overdue = () => {
    // who was held up himself cannot say that the platform was silent
    const name = steady() - endsAt > heldUpMs ? 'HeldUpError' : 'TimeoutError'
    patience.abort(new DOMException('deadline', name))
  }
  const deadline = setTimeout(overdue, timeoutMs)
  const leave = () => patience.abort(new DOMException('nobody waits', 'AbortError'))
  waiting.onLeave(leave)
  giveUp.follow(patience)
  try {
    return await act({ signal: patience, endsAt })
  } finally {
    clearTimeout(deadline)
    giveUp.unfollow(patience)
  }
}

type Asked = NonNullable<Admitted['asked']> & { readonly query: string }

/** how what is read is written, and who looks on */
interface Making<B> {
  readonly write: (body: Flat) => B
  readonly watch: Watch | undefined
}

async function make<B>({ open, ...question }: Asked, reading: Reading, errand: Errand, { write, watch }: Making<B>) {
  const { cursors, memories, origin, observe } = reading
  const { signal, fresh } = errand
  const { body, unknown, duplicates } = await answer(
    { ...question, account: open.account },
    {
      get: (wanted, purpose) => {
        if (signal.aborted) throw new Problem('upstream_timeout', { cause: 'deadline between two calls' })
        return watch ? watch(wanted, purpose, () => open.get(wanted, errand)) : open.get(wanted, errand)
      },
      ...{ cursors, origin, linkage: open.linkage, memory: memories.of(open.get, fresh) },
    },
  )
  const { type } = question.route
  if (unknown.length > 0) observe({ kind: 'drift', connection: open.id, type, members: unknown })
  if (duplicates > 0) observe({ kind: 'duplicate', type, count: duplicates })
  return write(body)
}

/** of questions through one connection whose answers have the same bytes */
const nameOf = ({ open, route, ids, query }: Asked): string =>
  `${route.operation} ${open.linkage} ${JSON.stringify(ids)} ${query}`

function readNow<B>(asked: Asked, reading: Reading, waiting: Waiting, write: (body: Flat) => B): Promise<B> {
  const { who, wishes, cost, trace, watch } = waiting
  const { fresh } = wishes
  const making = { write, watch }
  return withinTime(reading, waiting, (time) => {
    const errand: Errand = { ...time, who, patient: isPatient(asked.query), fresh, cost, trace }
    // whoever asks while the same answer is being made is given its bytes
    return fresh
      ? make(asked, reading, errand, making)
      : asked.open.share(nameOf(asked), errand, (all) => make(asked, reading, all, making))
  })
}

/** of refusals that take back an answer; what only fails for now does not */
const goneStatuses: ReadonlySet<number> = new Set([403, 404, 409])

export async function read(asked: Asked, reading: Reading, waiting: Waiting): Promise<Reply> {
  const { answers } = reading
  const looking = answers.look(asked, waiting.wishes)
  // without a shelf in common nobody waits, not even for the next turn
  const looked = looking instanceof Promise ? await looking : looking
  if (looked?.found) return looked.found
  try {
    if (!looked) return { body: await readNow(asked, reading, waiting, renderOnce) }
    return await looked.keep(await readNow(asked, { ...reading, cursors: answers.cursors }, waiting, render))
  } catch (error) {
    if (error instanceof Problem && goneStatuses.has(error.row.status)) await looked?.gone()
    throw error
  }
}
