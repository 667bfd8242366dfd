// Runs the operation of an authenticated request to the operator endpoint, and answers.
import { checkBody } from '../../../base/operations/check.ts'
import { readContent } from '../../../base/operations/operation.ts'
import { readQuery } from '../../../base/operations/query.ts'
import { eventType, openStream, type StreamOptions } from '../../../base/web/event-stream.ts'
import { unkept } from '../../../base/web/exchange.ts'
import { jsonType } from '../../../base/web/refusal.ts'
import { asSent } from '../../../base/web/reply.ts'
import { type ManagementOperation, type ManagementParts, subjects } from '../management/operation.ts'
import { Problem } from '../problems.ts'
import { asTarget, type OperatorRequest } from './authenticate.ts'
import type { OperatorExchange } from './operator-exchange.ts'

/** of metrics; the version is that of their format */
const textType = 'text/plain; version=0.0.4; charset=utf-8'

/** an id that has no valid form is unknown without a look-up */
function requireId({ subject, path }: ManagementOperation, { target }: OperatorRequest) {
  if (subject === undefined || target !== null || !path.includes('{id}')) return
  throw new Problem(subjects[subject].unknown)
}

export function redirect(exchange: OperatorExchange, status: number, location: string) {
  exchange.fields.push('location', location, 'referrer-policy', 'no-referrer')
  exchange.send(status, '', unkept, 'text/plain; charset=utf-8')
}

export interface OperationParts extends ManagementParts {
  readonly pace: StreamOptions
}

export async function answerOperation(exchange: OperatorExchange, request: OperatorRequest, parts: OperationParts) {
  const { operation, id, who, from, session, isStillValid, browser } = request
  if (!operation) throw new Problem('route_not_found')
  requireId(operation, request)
  const query = operation.hasForeignQuery ? {} : readQuery(operation.query ?? {}, exchange.query)
  const body = await readContent(operation, exchange)
  // the body is read whole: the next request on the socket starts where it should
  exchange.closes = false
  request.target ??= asTarget(operation, body['id'])
  if (operation.body) checkBody(operation.body, body)
  if (operation.answer === 'events' && exchange.method === 'HEAD') return exchange.send(200, '', unkept, eventType)
  const actor = { who, from, requestId: exchange.id }
  const push = (cookie: string) => void exchange.fields.push('set-cookie', cookie)
  const answer = await operation.run(
    {
      id,
      query,
      body,
      actor,
      exchange,
      session,
      isStillValid,
      setCookie: (secret) => push(browser.cookieOf(secret)),
      attempt: { read: () => browser.readAttempt(), set: (value, sec) => push(browser.attemptCookieOf(value, sec)) },
      identifyAs: (name) => void (request.who = name),
    },
    parts,
  )
  if (operation.subject === 'connection' && request.target !== null) exchange.record.connection = request.target
  if (typeof answer === 'function') return answer(openStream(exchange, parts.pace))
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  if (operation.answer === 'redirect') return redirect(exchange, operation.status ?? 303, text)
  return exchange.send(operation.status ?? 200, asSent(text), unkept, operation.answer === 'text' ? textType : jsonType)
}
