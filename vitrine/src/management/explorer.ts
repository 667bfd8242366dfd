// The operator's reads through a connection: made like those of the public endpoint, and answered with the platform calls that
// they took; or only their plan. Facade keys, rate limits and groups are not involved.
import { connectionPath } from '../catalogue/parameters.ts'
import { withoutPersonal } from '../catalogue/personal.ts'
import type { Connection, Connections } from '../connections/connection.ts'
import { explainPlan } from '../engine/explain.ts'
import { checkPlan } from '../engine/plan.ts'
import { planRequest } from '../engine/answer.ts'
import type { Event } from '../events.ts'
import { Problem } from '../problems.ts'
import { readWishes } from '../../../base/web/conditional.ts'
import type { Exchange } from '../../../base/web/exchange.ts'
import { problemOf } from '../../../base/web/failure.ts'
import { checkTarget } from '../../../base/web/request-checks.ts'
import { splitTarget } from '../../../base/web/target.ts'
import type { Match } from '../engine/request.ts'
import { read, type Reading } from '../reads/reads.ts'
import { bodyOf } from '../../../base/web/refusal.ts'
import { beginRecord, eventOf, type AccessRecord } from '../reads/access-record.ts'
import { ReadTrace, tenths } from './read-trace.ts'

interface ReadTarget {
  readonly connection: string
  /** path below the connection, and query */
  readonly target: string
}

interface ReadGrant {
  /** viewers are not shown personal data: they could not create a key that is */
  readonly personal: boolean
}

/** the request, and who sent it */
interface ReadCaller extends ReadGrant {
  readonly exchange: Pick<Exchange<AccessRecord>, 'id' | 'from' | 'record' | 'onLeave'>
  readonly who: string
}

export type Explorer = ReturnType<typeof createExplorer>

export interface ExplorerParts extends Reading {
  readonly connections: Pick<Connections, 'find'>
  readonly match: (path: string) => Match | undefined
  /** throws while the audit of reads cannot take another line for this operator */
  readonly requireRoom: (who: string) => void
  /** for the audit of reads */
  readonly note: (who: string, event: Extract<Event, { kind: 'answered' }>) => void
}

/** reads under way at once: a person looks at one, and the quota is for the callers */
const mostAtOnce = 4
const retryAfterSec = 1

type Witness = (match: Match, open: Connection | undefined) => void

/** in the order of the public endpoint, so that the same refusal comes first */
async function resolveRead(
  { connection, target, personal }: ReadTarget & ReadGrant,
  { match, connections }: ExplorerParts,
  witness?: Witness,
) {
  const url = `${connectionPath.replace('{connectionId}', connection)}${target}`
  checkTarget(url)
  const { path, query } = splitTarget(url)
  const found = match(path)
  if (!found) throw new Problem('route_not_found')
  witness?.(found, undefined)
  const open = await connections.find(connection)
  if (!open) throw new Problem('connection_not_found')
  witness?.(found, open)
  const route = personal ? found.route : withoutPersonal(found.route)
  return { ...found, route, open, query }
}

async function planRead(wanted: ReadTarget & ReadGrant, parts: ExplorerParts) {
  const { open, ...question } = await resolveRead(wanted, parts)
  const { account, linkage } = open
  const { plan } = planRequest({ ...question, account }, { cursors: parts.cursors, linkage })
  checkPlan(plan, parts.origin)
  const { operation, group } = question.route
  return { operation, group, steps: explainPlan(plan) }
}

interface ReadRun {
  /** of the read; the request has its own */
  readonly record: AccessRecord
  readonly readTrace: ReadTrace
  readonly asker: ReadCaller
}

async function runRead(wanted: ReadTarget, parts: ExplorerParts, { record, readTrace, asker }: ReadRun) {
  const { exchange, who } = asker
  parts.requireRoom(who)
  const { personal } = asker
  const question = await resolveRead({ ...wanted, personal }, parts, ({ route }, open) => {
    record.operation = route.operation
    if (open) exchange.record.connection = record.connection = open.id
  })
  return read(question, parts, {
    who: 'operator',
    wishes: readWishes(),
    cost: record.cost,
    watch: readTrace.watch,
    trace: readTrace.trace,
    onLeave: (leave) => exchange.onLeave(leave),
  })
}

interface Outcome {
  readonly status: number
  readonly body: string
  /** of a failure of the platform or ours, in the words of the log */
  readonly reason: string | null
  readonly retryAfterSec: number | null
}

async function outcomeOf(wanted: ReadTarget, parts: ExplorerParts, course: ReadRun): Promise<Outcome> {
  const { record, asker } = course
  const { exchange } = asker
  try {
    const reply = await runRead(wanted, parts, course)
    if (reply.told) exchange.record.cache = record.cache = reply.told.hit ? 'hit' : 'miss'
    return { status: 200, body: String(reply.take()), reason: null, retryAfterSec: null }
  } catch (error) {
    const problem = problemOf(error, exchange.id, parts.observe)
    const reason = typeof problem.cause === 'string' ? problem.cause : null
    exchange.record.code = record.code = problem.code
    if (reason !== null) exchange.record.reason = record.reason = reason
    const { retryAfterSec: waitSec = null } = problem.extras
    return { status: problem.row.status, body: bodyOf(problem, exchange.id), reason, retryAfterSec: waitSec }
  }
}

/** the answer is embedded unparsed: parsing would lose digits of its numbers */
function answerText({ record, readTrace, asker }: ReadRun, outcome: Outcome, tookMs: number): string {
  const { body, ...came } = outcome
  const { calls, retries, shared, waitedMs, platformMs } = record.cost
  const answer = {
    operation: record.operation === beginRecord().operation ? null : record.operation,
    ...came,
    requestId: asker.exchange.id,
    bytes: Buffer.byteLength(body),
    tookMs: tenths(tookMs),
    cost: {
      calls,
      retries,
      shared,
      waitedMs: tenths(waitedMs),
      platformMs: tenths(platformMs),
      cache: record.cache ?? null,
    },
    asked: readTrace.asked(),
  }
  return `${JSON.stringify(answer).slice(0, -1)},"body":${body}}`
}

async function readThrough(wanted: ReadTarget, parts: ExplorerParts, asker: ReadCaller): Promise<string> {
  const { steady, note } = parts
  const { exchange, who } = asker
  const begunAt = steady()
  const record = { ...beginRecord(), cost: exchange.record.cost }
  const course = { record, readTrace: new ReadTrace(steady), asker }
  const outcome = await outcomeOf(wanted, parts, course)
  if (exchange.record.left) record.left = true
  note(who, eventOf(record, { id: exchange.id, method: 'GET', from: exchange.from }, outcome.status))
  return answerText(course, outcome, steady() - begunAt)
}

export function createExplorer(parts: ExplorerParts) {
  let running = 0
  return {
    /** rejects with what the public endpoint would refuse */
    plan: (wanted: ReadTarget & ReadGrant) => planRead(wanted, parts),
    /** JSON, also for a refused read */
    async read(wanted: ReadTarget, asker: ReadCaller) {
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
