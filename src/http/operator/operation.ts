// What an operation of the operator's door is: one row of data from which routing, checks, the audit's words and the
// description come.
import type { Connection, Connections } from '../../connections/connection.ts'
import type { Desk } from '../../connections/desk.ts'
import type { Rotation } from '../../connections/rotation.ts'
import type { Keys } from '../../keys/keys.ts'
import type { ProblemCode } from '../../problem.ts'
import { connectionId } from '../../setting-values.ts'
import type { Actor, AuditRecords } from '../../store/records.ts'
import type { AnswerName } from './answers.ts'
import type { Body } from '../body.ts'
import type { BodySchema } from './check.ts'
import type { Query, QueryParameters } from './query.ts'

/** what the operations stand on */
export interface Parts {
  readonly keys: Keys
  readonly desk: Desk
  readonly rotation: Rotation
  readonly audit: AuditRecords
  readonly connections: Pick<Connections, 'ids' | 'find' | 'opened'>
  readonly now: () => number
  /** rejects while the service should get no traffic */
  readonly ready: () => Promise<void>
  readonly service: { readonly version: string; readonly startedAt: number; readonly uptimeMs: () => number }
  /** where the service is several processes: how what is open in any of them stands, and which of them told of it */
  readonly standing?: () => Promise<{ readonly open: readonly Shown[]; readonly workers: readonly ShownWorker[] }>
  /** all of them, as text */
  readonly metrics: () => Promise<string>
}

export interface ShownWorker {
  readonly worker: number
  readonly pid: number | null
  readonly answers: boolean
}

type Shown = Pick<Connection, 'id' | 'state'>

/** A request that has passed every check of its form. */
export interface Asked {
  /** `{id}` of the path; empty where there is none */
  readonly id: string
  readonly query: Query
  readonly body: Body
  readonly actor: Actor
}

export type Subject = 'connection' | 'key'

export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** from the root, with at most one `{id}` */
  readonly path: string
  readonly operationId: string
  readonly tag: 'connections' | 'keys' | 'vault' | 'audit' | 'status'
  readonly summary: string
  readonly description?: string
  /** the audit's word for it */
  readonly act: string
  /** what an id here is the id of */
  readonly subject?: Subject
  readonly query?: QueryParameters
  readonly body?: BodySchema
  /** holds nothing that looks like a secret */
  readonly bodyExample?: Body
  readonly status: 200 | 201
  /** `text`: no JSON, but lines for programs */
  readonly answer: AnswerName | 'text'
  /** beyond those that any operation can meet */
  readonly refusals: readonly ProblemCode[]
  readonly run: (asked: Asked, parts: Parts) => Promise<object | string>
}

/** the forms of ids: what has another form is not there, and is never repeated */
export const idForms: Readonly<Record<Subject, RegExp>> = { connection: connectionId, key: /^[0-9A-Za-z]{12}$/ }

export const base = '/operator/v1'
