// An operation as data: one row gives its route, its checks, its name in the audit log and its OpenAPI description.
import type { Actor } from '../core/audit.ts'
import type { Session } from '../auth/sessions.ts'
import { type Body, readBody } from '../web/body.ts'
import type { Telling } from '../web/event-stream.ts'
import type { Exchange, ExchangeRecord } from '../web/exchange.ts'
import { hasContent } from '../web/request-checks.ts'
import { createPathMap, methodsOf, rowFor } from '../web/target.ts'
import { Problem } from '../core/problem.ts'
import type { BodyOf, BodySchema } from './check.ts'
import type { Query, QueryParameters } from './query.ts'

/** what a request can be authenticated by: a bearer token, or the cookie of a session with its CSRF token */
export type CredentialKind = 'token' | 'session'

export interface OperationNames {
  readonly tag: string
  readonly subject: string
  readonly answers: Readonly<Record<string, unknown>>
  readonly code: string
}

export interface OperationRow<Names extends OperationNames = OperationNames> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** from the root, with at most one `{id}` */
  readonly path: string
  readonly operationId: string
  readonly tag: Names['tag']
  readonly summary: string
  readonly description?: string
  readonly act: string
  readonly subject?: Names['subject']
  /** one of these is enough; empty: none is needed; absent: any */
  readonly credentials?: readonly CredentialKind[]
  readonly scope?: string
  /** for pages that cannot send a header field */
  readonly withoutCsrf?: true
  readonly query?: QueryParameters
  readonly body?: BodySchema
  readonly bodyExample?: Body
  readonly mostBytes?: number
  readonly status?: number
  /** `text`: lines for programs; `events`: server-sent events; `redirect`: the browser is led here, maybe by another site */
  readonly answer: (keyof Names['answers'] & string) | 'text' | 'events' | 'redirect'
  /** another service sends the browser here, with parameters of its own: the operation reads them by itself */
  readonly hasForeignQuery?: true
  /** beside those of every operation */
  readonly refusals?: readonly Names['code'][]
  /** changes nothing, though it is no GET: its refusals are not audited */
  readonly readOnly?: true
  /** sent without a person: does not prolong a session */
  readonly isPolling?: true
  readonly setsCookie?: true
}

/** of a sign-in with a provider */
export interface AttemptCookie {
  read(): string | undefined
  /** undefined: deletes the cookie */
  set(value: string | undefined, maxAgeSec?: number): void
}

/** a request whose credential, query and body are checked */
export interface OperationRequest<Record extends ExchangeRecord = ExchangeRecord, Content = Body> {
  readonly id: string
  readonly query: Query
  readonly body: Content
  readonly actor: Actor
  /** undefined if a token authenticated the request */
  readonly session: Session | undefined
  readonly isStillValid: () => boolean | Promise<boolean>
  /** undefined: deletes the cookie */
  readonly setCookie: (secret: string | undefined) => void
  readonly attempt: AttemptCookie
  /** the audit names them where the request is refused afterwards */
  readonly identifyAs: (who: string) => void
  readonly exchange: Pick<Exchange<Record>, 'id' | 'from' | 'record' | 'onLeave' | 'query'>
}

type AnswerOf<Answers, Name> = Name extends keyof Answers
  ? Answers[Name] | string
  : Name extends 'text' | 'redirect'
    ? string
    : Telling

export interface Operation<
  Parts,
  Record extends ExchangeRecord,
  Names extends OperationNames,
> extends OperationRow<Names> {
  run(request: OperationRequest<Record>, parts: Parts): Promise<object | string | Telling>
}

/** types the body and the answer of `run` by their schemas */
type TypedOperation<
  Parts,
  Record extends ExchangeRecord,
  Names extends OperationNames,
  Schema extends BodySchema,
  Name,
> = Omit<Operation<Parts, Record, Names>, 'body' | 'answer' | 'run'> & {
  readonly body?: Schema
  readonly answer: Name
  run(request: OperationRequest<Record, BodyOf<Schema>>, parts: Parts): Promise<AnswerOf<Names['answers'], Name>>
}

export const operationDefiner =
  <Parts, Record extends ExchangeRecord, Names extends OperationNames>() =>
  <const Schema extends BodySchema, const Name extends Operation<Parts, Record, Names>['answer']>(
    row: TypedOperation<Parts, Record, Names, Schema, Name>,
  ): Operation<Parts, Record, Names> =>
    row as unknown as Operation<Parts, Record, Names>

export const isOpen = ({ credentials }: Pick<OperationRow, 'credentials'>): boolean => credentials?.length === 0

export const accepts = ({ credentials = [] }: Pick<OperationRow, 'credentials'>, credential: CredentialKind): boolean =>
  credentials.length === 0 || credentials.includes(credential)

export function createOperationTable<Row extends Pick<OperationRow, 'method' | 'path'>>(rows: readonly Row[]) {
  const find = createPathMap(rows)
  return (path: string, method: string) => {
    const found = find(path)
    return (
      found && {
        operation: rowFor(found.rows, method),
        allowed: methodsOf(found.rows),
        id: found.ids['id'] ?? '',
      }
    )
  }
}

/** throws a Problem if there is a body and the operation takes none */
export async function readContent(
  { body: schema, mostBytes }: OperationRow,
  { req }: Pick<Exchange, 'req'>,
): Promise<Body> {
  if (schema) return readBody(req, schema.required.length === 0, mostBytes)
  if (hasContent(req)) throw new Problem('content_not_allowed')
  return {}
}
