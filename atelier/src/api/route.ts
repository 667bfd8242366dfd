// A route as data: its definition gives its checks, its limits, its scope and its OpenAPI description.
import type { JsonSchema } from '../../../base/core/schema.ts'
import type { AnswerSchema } from '../../../base/operations/schema.ts'
import type { Session } from '../accounts/sessions.ts'
import type { Scope } from '../accounts/scopes.ts'
import type { IdKind } from '../ids.ts'
import type { ProblemCode } from '../problems.ts'
import type { ApiExchange } from './exchange.ts'
import type { QueryOf, QueryParameters } from './query.ts'

/** `either`: a key of any scope, or a session */
export type Credential = 'key' | 'session' | 'either' | 'none'

export interface Identity {
  readonly account: string
  readonly keyId: string | undefined
  readonly session: Session | undefined
}

export type DescribedSchema = JsonSchema & { readonly description?: string }

export interface BodyDefinition {
  readonly schema: DescribedSchema
  readonly mostBytes?: number
  readonly example?: object
}

/** a body that the route reads by itself, as it comes */
export interface StreamedBody {
  readonly mediaTypes: readonly string[]
  readonly description: string
  /** of the JSON form, where there is one */
  readonly schema?: DescribedSchema
}

export type AnswerDefinition =
  | { readonly json: string; readonly description: string }
  | { readonly media: string; readonly description: string }
  | { readonly description: string }

export interface RouteDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** with at most one `{id}` */
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly credential: Credential
  readonly scope?: Scope
  readonly query?: QueryParameters
  /** another service sends the caller here, with parameters of its own: the route reads them by itself */
  readonly hasForeignQuery?: true
  /** the contract has no such method at this path: without a query it is 405 */
  readonly isOnlyWithQuery?: true
  readonly body?: BodyDefinition
  readonly streamedBody?: StreamedBody
  /** what it makes lives as long as the key: a session is not taken */
  readonly isForKeysAlone?: true
  /** counted against the rate of creations, too */
  readonly isCreation?: true
  /** a repeat with the same Idempotency-Key makes no second one */
  readonly makes?: IdKind
  /** the request may become another protocol on its socket */
  readonly isUpgrade?: true
  /** the sign-in: a form of this site, without a token of a session */
  readonly withoutCsrf?: true
  /** several of one status differ in media type */
  readonly answers: Readonly<Record<number, AnswerDefinition | readonly AnswerDefinition[]>>
  readonly refusals: readonly ProblemCode[]
}

export interface RouteRequest<Query = Readonly<Record<string, unknown>>, Body = unknown> {
  readonly id: string
  readonly caller: Identity
  readonly query: Query
  readonly body: Body
  /** of `{id}`; empty where the path has none */
  readonly pathId: string
  /** of what the route makes; empty where it makes nothing */
  readonly madeId: string
  readonly exchange: ApiExchange
  /** aborts when the caller leaves, the key ends or the service stops */
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly body?: object
  readonly location?: string
  /** members that a repeated request gets as null */
  readonly secrets?: readonly string[]
}

export type Recalled = Answer | 'in_progress' | undefined

export type Recall<Service> = (request: Pick<RouteRequest, 'caller' | 'madeId'>, service: Service) => Promise<Recalled>

/** the route has answered by itself */
export const answered = 'answered' as const

export interface Route<Service> extends RouteDefinition {
  /** of a streamed body: what must be known before a repeat is recognised */
  readBody?(exchange: ApiExchange, service: Service, signal: AbortSignal): Promise<unknown>
  /** with `makes`: the answer for what an earlier attempt has made, as it is now */
  readonly recall?: Recall<Service>
  run(request: RouteRequest, service: Service): Promise<Answer | typeof answered>
}

interface TypedRoute<Service, Q extends QueryParameters, Body> extends Omit<RouteDefinition, 'query'> {
  readonly query?: Q
  readBody?(exchange: ApiExchange, service: Service, signal: AbortSignal): Promise<Body>
  readonly recall?: Recall<Service>
  run(request: RouteRequest<QueryOf<Q>, Body>, service: Service): Promise<Answer | typeof answered>
}

/** types the query of `run` by its parameters */
export const routeDefiner =
  <Service>() =>
  <const Q extends QueryParameters = {}, Body = undefined>(route: TypedRoute<Service, Q, Body>): Route<Service> =>
    route

export type Schemas = Readonly<Record<string, AnswerSchema>>
