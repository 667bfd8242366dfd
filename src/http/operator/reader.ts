// The operator's own look through a connection: a read, made and answered in the very way of the public door, and told with
// what it asked of the platform; or only its plan. Facade keys, their rates and their groups have no part in it.
import { connectionPath } from '../../catalogue/parameters.ts'
import type { Connection, Connections } from '../../connections/connection.ts'
import { type ExplainedStep, explainPlan } from '../../engine/explain.ts'
import { checkPlan } from '../../engine/plan.ts'
import { planQuestion } from '../../engine/question.ts'
import type { Event } from '../../observe.ts'
import { Problem } from '../../problem.ts'
import { readWishes } from '../conditional.ts'
import type { Exchange } from '../exchange.ts'
import { tellFailure } from '../framework.ts'
import { checkTarget } from '../framing.ts'
import { type Match, splitTarget } from '../paths.ts'
import { read, type Reading } from '../reads.ts'
import { bodyOf } from '../refusal.ts'
import { beginSeen, eventOf, type Seen } from '../seen.ts'
import { Recorder, tenths } from './recorder.ts'

export interface Wanted {
  readonly connection: string
  /** path below the connection, and query */
  readonly target: string
}

/** the request by which it is asked for, and whose */
export interface Asker {
  readonly exchange: Pick<Exchange, 'id' | 'from' | 'seen' | 'onLeave'>
  readonly who: string
}

export interface Explained {
  readonly operation: string
  readonly group: string
  readonly steps: readonly ExplainedStep[]
}

export interface Reader {
  /** rejects with what the public door would refuse */
  plan(wanted: Wanted): Promise<Explained>
  /** JSON: a refusal of the read is an answer, too */
  read(wanted: Wanted, asker: Asker): Promise<string>
}

export interface ReaderParts extends Reading {
  readonly connections: Pick<Connections, 'find'>
  readonly match: (path: string) => Match | undefined
  /** throws while the audit of reads cannot take another line of this operator */
  readonly requireRoom: (who: string) => void
  /** for the audit of reads, of one who has no facade key */
  readonly note: (who: string, event: Extract<Event, { kind: 'answered' }>) => void
}

/** under way at once: a person looks at one, and what is left of the quota is the callers' */
const mostAtOnce = 4
const retryAfterSec = 1

type Witness = (match: Match, open: Connection | undefined) => void

/** in the order of the public door, so that the same refusal comes first */
async function questionOf({ connection, target }: Wanted, { match, connections }: ReaderParts, witness?: Witness) {
  const url = `${connectionPath.replace('{connectionId}', connection)}${target}`
  checkTarget(url)
  const { path, query } = splitTarget(url)
  const found = match(path)
  if (!found) throw new Problem('route_not_found')
  witness?.(found, undefined)
  const open = await connections.find(connection)
  if (!open) throw new Problem('connection_not_found')
  witness?.(found, open)
  return { ...found, open, query }
}

async function planOf(wanted: Wanted, parts: ReaderParts): Promise<Explained> {
  const { open, ...question } = await questionOf(wanted, parts)
  const { account, linkage } = open
  const { plan } = planQuestion({ ...question, account }, { cursors: parts.cursors, linkage })
  checkPlan(plan, parts.origin)
  const { operation, group } = question.route
  return { operation, group, steps: explainPlan(plan) }
}

interface Course {
  /** of the read, as the request has one of its own */
  readonly seen: Seen
  readonly recorder: Recorder
  readonly asker: Asker
}

async function make(wanted: Wanted, parts: ReaderParts, { seen, recorder, asker }: Course) {
  const { exchange, who } = asker
  parts.requireRoom(who)
  const question = await questionOf(wanted, parts, ({ route }, open) => {
    seen.operation = route.operation
    if (open) exchange.seen.connection = seen.connection = open.id
  })
  return read(question, parts, {
    ...{ who: 'operator', wishes: readWishes(), cost: seen.cost, watch: recorder.watch, trace: recorder.trace },
    onLeave: (leave) => exchange.onLeave(leave),
  })
}

interface Outcome {
  readonly status: number
  readonly body: string
  /** in the words of the log, of a failure that the platform or we have brought about */
  readonly reason: string | null
  readonly retryAfterSec: number | null
}

async function outcomeOf(wanted: Wanted, parts: ReaderParts, course: Course): Promise<Outcome> {
  const { seen, asker } = course
  const { exchange } = asker
  try {
    const { body, told } = await make(wanted, parts, course)
    if (told) exchange.seen.cache = seen.cache = told.hit ? 'hit' : 'miss'
    return { status: 200, body: String(body), reason: null, retryAfterSec: null }
  } catch (error) {
    const problem = error instanceof Problem ? error : tellFailure(error, exchange.id, parts.observe)
    const reason = typeof problem.cause === 'string' ? problem.cause : null
    exchange.seen.code = seen.code = problem.code
    if (reason !== null) exchange.seen.reason = seen.reason = reason
    const { retryAfterSec: waitSec = null } = problem.extras
    return { status: problem.row.status, body: bodyOf(problem, exchange.id), reason, retryAfterSec: waitSec }
  }
}

/** the answer stands in it as it is: read again, its numbers would lose digits */
function textOf({ seen, recorder, asker }: Course, outcome: Outcome, tookMs: number): string {
  const { body, ...came } = outcome
  const { calls, retries, shared, waitedMs, platformMs } = seen.cost
  const told = {
    operation: seen.operation === beginSeen().operation ? null : seen.operation,
    ...{ ...came, requestId: asker.exchange.id, bytes: Buffer.byteLength(body), tookMs: tenths(tookMs) },
    cost: {
      ...{ calls, retries, shared, waitedMs: tenths(waitedMs), platformMs: tenths(platformMs) },
      cache: seen.cache ?? null,
    },
    asked: recorder.asked(),
  }
  return `${JSON.stringify(told).slice(0, -1)},"body":${body}}`
}

async function readThrough(wanted: Wanted, parts: ReaderParts, asker: Asker): Promise<string> {
  const { steady, note } = parts
  const { exchange, who } = asker
  const begunAt = steady()
  const seen = { ...beginSeen(), cost: exchange.seen.cost }
  const course = { seen, recorder: new Recorder(steady), asker }
  const outcome = await outcomeOf(wanted, parts, course)
  if (exchange.seen.left) seen.left = true
  note(who, eventOf(seen, { requestId: exchange.id, method: 'GET', from: exchange.from, status: outcome.status }))
  return textOf(course, outcome, steady() - begunAt)
}

export function createReader(parts: ReaderParts): Reader {
  let running = 0
  return {
    plan: (wanted) => planOf(wanted, parts),
    async read(wanted, asker) {
      if (running >= mostAtOnce)
        throw new Problem('too_busy', { retryAfterSec, message: `${mostAtOnce} such reads are under way already.` })
      running++
      try {
        return await readThrough(wanted, parts, asker)
      } finally {
        running--
      }
    },
  }
}
