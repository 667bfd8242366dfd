// `POST /mcp`: where agents ask, in the Model Context Protocol. The one request of this door that has a body; what it asks
// for are reads, and each is admitted, made, counted and recorded as the one GET that it stands for.
import type { Agents } from '../agents/over-http.ts'
import type { Asked, Denied, Glass } from '../agents/port.ts'
import { readGiven } from '../engine/given.ts'
import type { Key } from '../keys/keys.ts'
import type { Observe } from '../observe.ts'
import { errorOf, Problem } from '../problem.ts'
import { readBody } from './body.ts'
import { admit, type Doorkeeper, type Witness } from './caller.ts'
import { readWishes } from './conditional.ts'
import { tellFailure } from './framework.ts'
import { read, type Reading } from './reads.ts'
import { makeRequestId } from './refusal.ts'
import { beginSeen, eventOf } from './seen.ts'
import type { Visit } from './visit.ts'
import type { Whoami } from './whoami.ts'

export interface AgentsDoor extends Doorkeeper, Reading {
  /** loaded when the first agent comes */
  readonly agents: () => Promise<Agents>
  readonly stopping: () => boolean
  readonly observe: Observe
  /** where callers reach the service, if the operator says so */
  readonly publicUrl: string | undefined
}

/** A page of elsewhere has no business here; browsers say where theirs comes from. */
function checkOrigin({ origin, host }: { origin?: string | undefined; host?: string | undefined }) {
  if (origin === undefined) return
  const own = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase()
  if (own === undefined || own !== host?.toLowerCase()) throw new Problem('origin_not_allowed')
}

/** as the caller named it. A caller who names another place gets the answer alone, and no key is in it */
function originOf({ headers }: Visit['req']): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  const host = headers.host ?? ''
  return /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : ''
}

/** what is said of one read among those of a call */
function beginRead({ seen: { traceId }, from }: Pick<Visit, 'seen' | 'from'>) {
  const seen = beginSeen()
  if (traceId !== undefined) seen.traceId = traceId
  const requestId = makeRequestId()
  const witness: Witness = {
    key: ({ id }) => (seen.keyId = id),
    operation: (name) => (seen.operation = name),
    connection: ({ id }) => (seen.connection = id),
  }
  return {
    seen,
    requestId,
    witness,
    end: (status: number) => eventOf(seen, { requestId, method: 'GET', from, status }),
  }
}

function denialOf(problem: Problem, requestId: string): Denied {
  const { retryAfterSec } = problem.extras
  return { error: { ...errorOf(problem, requestId), ...(retryAfterSec !== undefined && { retryAfterSec }) } }
}

const gone = (): Problem => new Problem('upstream_timeout', { cause: 'nobody waits for this call any more' })

interface Parts {
  readonly agents: Agents
  readonly whoami: Whoami
}

/** the reads of one POST: each with an id, a turn of the key's rate, a line of the log and of the audit of its own */
function openGlass(visit: Visit, key: Key, door: AgentsDoor, { agents, whoami }: Parts): Glass {
  let count = 0
  async function make({ seen, witness }: ReturnType<typeof beginRead>, asked: Asked, signal: AbortSignal) {
    // a walk would hold up the end of the service; what was begun before is answered
    if (door.stopping() && count > 0) throw new Problem('stopping')
    count++
    const { path, query } = agents.targetOf(asked)
    const { authorization } = visit.req.headers
    const admitted = await admit({ authorization, from: visit.from, method: 'GET', path }, door, witness)
    if (!admitted.asked) throw new Problem('route_not_found')
    const { open, route } = admitted.asked
    const trace = visit.callsFor(route.operation, open.id)
    return read({ ...admitted.asked, query }, door, {
      ...{ who: key.id, wishes: readWishes(), cost: seen.cost, ...(trace && { trace }) },
      onLeave: (leave) => (signal.aborted ? leave() : signal.addEventListener('abort', leave, { once: true })),
    })
  }
  return {
    origin: door.publicUrl ?? originOf(visit.req),
    whoami: async () => JSON.parse(await whoami(key, '')) as { connections: string[]; groups: string[] },
    async read(asked, signal) {
      const one = beginRead(visit)
      try {
        const { body, told } = await make(one, asked, signal)
        if (told) one.seen.cache = told.hit ? 'hit' : 'miss'
        door.observe(one.end(200))
        return { body: agents.parse(String(body)), requestId: one.requestId }
      } catch (error) {
        const problem = error instanceof Problem ? error : tellFailure(error, one.requestId, door.observe)
        one.seen.code = problem.code
        if (typeof problem.cause === 'string') one.seen.reason = problem.cause
        if (signal.aborted) one.seen.left = true
        door.observe(one.end(problem.row.status))
        return denialOf(problem, one.requestId)
      }
    },
    requestId: visit.id,
    failed: (error) => void tellFailure(error, visit.id, door.observe),
  }
}

/** the fields that the protocol reads; the key is none of them */
function protocolFields(headers: Visit['req']['headers']): Record<string, string> {
  const mine = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return {
    ...Object.fromEntries(mine.map(([name, value]) => [name, String(value)])),
    'content-type': 'application/json',
    // the library turns away who does not say both, though the answer is always JSON
    accept: 'application/json, text/event-stream',
  }
}

export async function answerAgent(visit: Visit, key: Key, door: AgentsDoor, whoami: Whoami) {
  const { req } = visit
  checkOrigin(req.headers)
  readGiven(visit.query, [])
  const message = await readBody(req, false)
  // read whole: the next request on the socket begins where it should
  visit.closes = door.stopping()
  const leaving = new AbortController()
  const left = Promise.withResolvers<never>()
  // he may leave before anything waits for it
  left.promise.catch(() => {})
  visit.onLeave(() => {
    leaving.abort(new DOMException('nobody waits', 'AbortError'))
    left.reject(gone())
  })
  const agents = await door.agents()
  const said = { headers: protocolFields(req.headers), message, signal: leaving.signal }
  const glass = openGlass(visit, key, door, { agents, whoami })
  const { status, body } = await Promise.race([agents.answer(said, glass), left.promise])
  visit.send(status, body)
}
