// `POST /mcp`, the Model Context Protocol: the one public request with a body. Each read in it is authorized, counted and
// recorded like the GET that it stands for.
import type { Agents } from '../agents/over-http.ts'
import type { KeyReach, ReadRequest, ReadRefusal, Reader } from '../agents/reader.ts'
import { readQueryString } from '../../../base/web/target.ts'
import type { FacadeKey } from '../keys/keys.ts'
import type { Observe } from '../events.ts'
import { errorOf } from '../../../base/core/problem.ts'
import { Problem } from '../problems.ts'
import { readBody } from '../../../base/web/body.ts'
import { authorize, type Authorization, type Witness } from './authorize.ts'
import { readWishes } from '../../../base/web/conditional.ts'
import { problemOf, reportFailure } from '../../../base/web/failure.ts'
import { read, type Reading } from '../reads/reads.ts'
import { makeRequestId } from '../../../base/web/exchange.ts'
import { beginRecord, eventOf } from '../reads/access-record.ts'
import type { PublicExchange } from './public-exchange.ts'
import type { Whoami } from './whoami.ts'

export interface AgentsParts extends Authorization, Reading {
  readonly agents: () => Promise<Agents>
  readonly stopping: () => boolean
  readonly observe: Observe
  readonly publicUrl: string | undefined
}

/** Refuses pages of other origins; browsers send the origin of theirs. */
function checkOrigin({ origin, host }: { origin?: string | undefined; host?: string | undefined }) {
  if (origin === undefined) return
  const own = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase()
  if (own === undefined || own !== host?.toLowerCase()) throw new Problem('origin_not_allowed')
}

/** As the caller named it: only this caller sees it, and no key is in it. */
function originOf({ headers }: PublicExchange['req']): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  const host = headers.host ?? ''
  return /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : ''
}

function beginRead({ record: { traceId }, from }: Pick<PublicExchange, 'record' | 'from'>) {
  const record = beginRecord()
  if (traceId !== undefined) record.traceId = traceId
  const requestId = makeRequestId()
  const witness: Witness = {
    key: ({ id }) => (record.keyId = id),
    operation: (name) => (record.operation = name),
    connection: ({ id }) => (record.connection = id),
  }
  return {
    record,
    requestId,
    witness,
    end: (status: number) => eventOf(record, { id: requestId, method: 'GET', from }, status),
  }
}

function denialOf(problem: Problem, requestId: string): ReadRefusal {
  const { retryAfterSec } = problem.extras
  return { error: { ...errorOf(problem, requestId), ...(retryAfterSec !== undefined && { retryAfterSec }) } }
}

const gone = (): Problem => new Problem('upstream_timeout', { cause: 'the caller has left' })

interface Loaded {
  readonly agents: Agents
  readonly whoami: Whoami
}

/** the reads of one POST: each has its own request id, counts for the rate limit, and has its own lines in log and audit log */
function openReader(exchange: PublicExchange, key: FacadeKey, parts: AgentsParts, { agents, whoami }: Loaded): Reader {
  let count = 0
  async function make({ record, witness }: ReturnType<typeof beginRead>, asked: ReadRequest, signal: AbortSignal) {
    // paging would delay the stop of the service; the first read is still answered
    if (parts.stopping() && count > 0) throw new Problem('stopping')
    count++
    const { path, query } = agents.targetOf(asked)
    const { authorization } = exchange.req.headers
    const admitted = await authorize({ authorization, from: exchange.from, method: 'GET', path }, parts, witness)
    if (!admitted.asked) throw new Problem('route_not_found')
    const { open, route } = admitted.asked
    const trace = exchange.callsFor(route.operation, open.id)
    return read({ ...admitted.asked, query }, parts, {
      who: key.id,
      wishes: readWishes(),
      cost: record.cost,
      ...(trace && { trace }),
      ...(exchange.budget && { budget: exchange.budget }),
      ...(admitted.key.apps && { apps: admitted.key.apps }),
      onLeave: (leave) => (signal.aborted ? leave() : signal.addEventListener('abort', leave, { once: true })),
    })
  }
  return {
    origin: parts.publicUrl ?? originOf(exchange.req),
    whoami: async () => JSON.parse(await whoami(key, exchange.budget, '')) as KeyReach,
    async read(asked, signal) {
      const one = beginRead(exchange)
      try {
        const reply = await make(one, asked, signal)
        if (reply.told) one.record.cache = reply.told.hit ? 'hit' : 'miss'
        parts.observe(one.end(200))
        return { body: agents.parse(String(reply.take())), requestId: one.requestId }
      } catch (error) {
        const problem = problemOf(error, one.requestId, parts.observe)
        one.record.code = problem.code
        if (typeof problem.cause === 'string') one.record.reason = problem.cause
        if (signal.aborted) one.record.left = true
        parts.observe(one.end(problem.row.status))
        return denialOf(problem, one.requestId)
      }
    },
    requestId: exchange.id,
    failed: (error) => void reportFailure(error, exchange.id, parts.observe),
  }
}

function protocolFields(headers: PublicExchange['req']['headers']): Record<string, string> {
  const mine = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return {
    ...Object.fromEntries(mine.map(([name, value]) => [name, String(value)])),
    'content-type': 'application/json',
    // the library refuses requests that do not accept both, though the answer is always JSON
    accept: 'application/json, text/event-stream',
  }
}

export async function answerAgent(exchange: PublicExchange, key: FacadeKey, parts: AgentsParts, whoami: Whoami) {
  const { req } = exchange
  checkOrigin(req.headers)
  readQueryString(exchange.query, [])
  const message = await readBody(req, false)
  // the body is read completely: the socket can be used again
  exchange.closes = false
  const leaving = new AbortController()
  const left = Promise.withResolvers<never>()
  // the caller may leave before anything awaits this promise
  left.promise.catch(() => {})
  exchange.onLeave(() => {
    leaving.abort(new DOMException('the caller has left', 'AbortError'))
    left.reject(gone())
  })
  const agents = await parts.agents()
  const said = { headers: protocolFields(req.headers), message, signal: leaving.signal }
  const reader = openReader(exchange, key, parts, { agents, whoami })
  const { status, body } = await Promise.race([agents.answer(said, reader), left.promise])
  exchange.send(status, body)
}
