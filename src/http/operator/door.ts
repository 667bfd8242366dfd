// The operator's door: management over HTTP, on a listener of its own. Joins framing, entry, body, operations and pages.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCountedRefusals } from '../../counted-refusals.ts'
import type { OperatorTokens } from '../../keys/operator-token.ts'
import type { Observe } from '../../observe.ts'
import { Problem } from '../../problem.ts'
import type { Exchange } from '../exchange.ts'
import { type Bounds, headersFor, openApp, type OpenDoor, sendAway, sendProblem, tellFailure } from '../framework.ts'
import { checkFraming, hasContent } from '../framing.ts'
import type { Pages } from '../pages.ts'
import { jsonType } from '../refusal.ts'
import { asSent } from '../reply.ts'
import { type Body, breakOff, readBody } from '../body.ts'
import { checkBody } from './check.ts'
import type { Console } from './console-pages.ts'
import { inOurWords, keepDenial, problemOf } from './denials.ts'
import { admit, asTarget, beginEntry, type Entry, type Guards, judge, type Knock } from './entry.ts'
import { eventType, openStream, type StreamOptions } from './event-stream.ts'
import { eventsOperation } from './events.ts'
import { createLive, type Live, type LiveOptions } from './live.ts'
import { createLockOut } from '../lock-out.ts'
import type { Proxies } from '../address.ts'
import { browserOf } from './browser.ts'
import { behindToken, enterBy, unshared } from './entrance.ts'
import type { Operation, Parts } from './operation.ts'
import { readQuery } from './query.ts'
import { createSessions, type SessionMemory, type Sessions, sessionsOf } from './sessions.ts'

export interface OperatorDoor extends Omit<Parts, 'sessions' | 'judge' | 'live'>, Pages, Bounds {
  /** absent: as it is built */
  readonly console?: Console
  readonly tokens: Pick<OperatorTokens, 'recognise' | 'judge' | 'holds' | 'known'>
  /** where sessions are known to other replicas too */
  readonly share?: ((own: SessionMemory, parts: Pick<OperatorDoor, 'tokens' | 'now'>) => Sessions) | undefined
  /** otherwise than usual */
  readonly pace?: Partial<Pace> | undefined
  /** whether callers should look for another server */
  readonly stopping: () => boolean
  readonly observe: Observe
}

declare module 'fastify' {
  interface FastifyRequest {
    /** set for requests behind the operator's token */
    entry: Entry | undefined
  }
}

/** `patienceMs`: longer than between two signs of life, or who has nothing to take would be let go of */
export type Pace = Omit<LiveOptions, 'failed'> & StreamOptions
const pace: Pace = { tickMs: 2_000, beatMs: 15_000, patienceMs: 60_000, most: 20, mostOfOne: 4 }

/** the version is that of the format of metrics */
const textType = 'text/plain; version=0.0.4; charset=utf-8'
const knockOf = ({ method, path, from, req }: Exchange, proxies: Proxies): Knock => ({
  ...{ method, path, authorization: req.headers.authorization, from, browser: browserOf(req, proxies) },
})

/** refusals of one caller for one cause that are lines of their own in a minute: as many as wrong tokens before a lock-out */
const mostRefusedApart = 10

/** escaped letter by letter, the longest token is smaller */
const mostOfOutsiders = 4 * 1024

/** an id of no possible form is not there, and is not looked for */
function requireId({ subject, path }: Operation, { target }: Entry) {
  if (subject === undefined || target !== null || !path.includes('{id}')) return
  throw new Problem(subject === 'key' ? 'key_unknown' : 'connection_unknown')
}

async function readContent({ body: schema, opens }: Operation, { raw }: FastifyRequest): Promise<Body> {
  if (schema) return readBody(raw, schema.required.length === 0, opens && mostOfOutsiders)
  if (hasContent(raw)) throw new Problem('content_not_allowed')
  return {}
}

interface Inside extends Parts {
  readonly stopping: () => boolean
  readonly pace: Pace
}

async function act(request: FastifyRequest, reply: FastifyReply, door: Inside) {
  const { entry, exchange } = request
  const operation = entry?.operation
  if (!entry || !operation) throw new Problem('route_not_found')
  requireId(operation, entry)
  const query = readQuery(operation.query ?? {}, exchange.query)
  const body = await readContent(operation, request)
  // read whole: the next request on the socket begins where it should
  if (!door.stopping()) reply.removeHeader('connection')
  entry.target ??= asTarget(operation, body['id'])
  if (operation.body) checkBody(operation.body, body)
  // there is nothing of it without its body
  if (operation.answer === 'events' && exchange.method === 'HEAD') return reply.type(eventType).send('')
  const { id, who, from, session, isLetIn, browser } = entry
  const actor = { who, from, requestId: exchange.id }
  const tellBrowser = (secret: string | undefined) => void reply.header('set-cookie', browser.cookieOf(secret))
  const answer = await operation.run({ id, query, body, actor, exchange, session, isLetIn, tellBrowser }, door)
  if (operation.subject === 'connection' && entry.target !== null) exchange.seen.connection = entry.target
  if (typeof answer === 'function') {
    answer(openStream(exchange, reply, door.pace))
    return reply
  }
  return reply
    .code(operation.status)
    .type(operation.answer === 'text' ? textType : jsonType)
    .send(asSent(typeof answer === 'string' ? answer : JSON.stringify(answer)))
}

function openLive(door: OperatorDoor): Live {
  const failed = (error: unknown) => void tellFailure(error, eventsOperation.operationId, door.observe)
  return createLive(door, { ...pace, ...door.pace, failed })
}

const insideOf = (door: OperatorDoor, guards: Guards, live: Live): Inside => ({
  ...{ ...door, sessions: guards.sessions, judge: (token, from) => judge(token, from, guards) },
  ...{ live: live.open, pace: { ...pace, ...door.pace } },
})

function openSessions({ tokens, now, share }: OperatorDoor): Sessions {
  const memory = createSessions({ tokens, now })
  return share?.(memory, { tokens, now }) ?? sessionsOf(memory)
}

/** streams, and an examination, would go on for as long as they are let */
const endingAll = ({ app, drain }: OpenDoor, live: Live, { examinations }: OperatorDoor): OpenDoor => ({
  app,
  async drain(how) {
    live.close()
    await Promise.all([examinations.close(), drain(how)])
  },
})

const countRepeated = ({ audit, now }: OperatorDoor) =>
  createCountedRefusals({ write: (deed) => audit.append([deed]), now, apart: mostRefusedApart })

/** what was asked for is known, and refusals of it are kept, from the moment that it is looked at */
async function letIn(request: FastifyRequest, { proxies }: OperatorDoor, guards: Guards) {
  const knock = knockOf(request.exchange, proxies)
  const entry = (request.entry = beginEntry(knock))
  await admit(entry, knock, guards)
  request.exchange.seen.operation = entry.operation?.operationId ?? 'unknown'
}

export function createOperatorDoor(door: OperatorDoor): OpenDoor {
  const { observe, now, tokens, audit } = door
  const [lockOut, repeated] = [createLockOut({ now }), countRepeated(door)]
  const sessions = openSessions(door)
  const [guards, live]: [Guards, Live] = [{ tokens, lockOut, sessions }, openLive(door)]
  const inside = insideOf(door, guards, live)
  const opened = openApp(enterBy(door), door, observe)
  const { app } = opened
  app.server.on('clientError', (error, socket) => breakOff(socket, error))
  app.decorateRequest('entry')
  app.addHook('onClose', async () => sessions.close())
  app.addHook('onClose', () => repeated.close())

  app.addHook('onRequest', async (request, reply) => {
    const { exchange } = request
    exchange.begin(undefined)
    exchange.closes = hasContent(request.raw) || door.stopping()
    reply.headers({ ...headersFor(exchange), ...unshared })
    checkFraming(request.raw, exchange.target)
    door.hosts?.check(request.raw, exchange.target)
    await letIn(request, door, guards)
  })
  sendAway(app, door.stopping)
  app.setErrorHandler(async (error, request, reply) => {
    const { entry, exchange } = request
    const problem = problemOf(error, exchange.id, observe)
    const kept = entry ? await keepDenial(problem, entry, exchange.id, { audit, lockOut, repeated, now }) : problem
    return sendProblem(inOurWords(kept), exchange, reply)
  })
  app.all(behindToken, (request, reply) => act(request, reply, inside))
  return endingAll(opened, live, door)
}
