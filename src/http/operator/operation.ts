// What an operation of the operator's door is: one row of data from which routing, checks, the audit's words and the
// description come.
import type { Connection, Connections } from '../../connections/connection.ts'
import type { Desk } from '../../connections/desk.ts'
import type { Rotation } from '../../connections/rotation.ts'
import type { LineState } from '../../engine/port.ts'
import type { History } from '../../history.ts'
import type { Keys } from '../../keys/keys.ts'
import type { Recognised } from '../../keys/operator-token.ts'
import type { ProblemCode } from '../../problem.ts'
import { connectionId } from '../../setting-values.ts'
import type { Actor, AuditRecords } from '../../store/records.ts'
import type { AnswerName } from './answers.ts'
import type { Body } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import type { BodySchema } from './check.ts'
import type { Examinations } from './examination.ts'
import type { Telling } from './event-stream.ts'
import type { Query, QueryParameters } from './query.ts'
import type { Session, Sessions } from './sessions.ts'
import type { Reader } from './reader.ts'

/** what the operations stand on */
export interface Parts {
  readonly keys: Keys
  readonly desk: Desk
  readonly rotation: Rotation
  readonly audit: AuditRecords
  readonly sessions: Sessions
  /** who holds this token, asked from this address: a wrong one counts as one more failure of it */
  readonly judge: (token: string, from: string) => Recognised
  readonly connections: Pick<Connections, 'ids' | 'find' | 'opened' | 'isManaged'>
  readonly now: () => number
  /** milliseconds since 1970: until when a replica may still believe what was taken away here; undefined: all were told */
  readonly untold: () => number | undefined
  /** rejects while the service should get no traffic */
  readonly ready: () => Promise<void>
  readonly service: Serving
  /** where the service is several processes: how what is open in any of them stands, and which of them told of it */
  readonly standing?: () => Promise<{ readonly open: readonly Shown[]; readonly workers: readonly ShownWorker[] }>
  /** how all stands at this moment; what other processes noted is in the history then */
  readonly picture: () => Promise<Picture>
  readonly history: Pick<History, 'minute' | 'beganAt' | 'hourOf' | 'service'>
  /** begins to tell what changes, as long as this says true; `session`: whose page it is that listens */
  readonly live: (isLetIn: () => boolean | Promise<boolean>, session?: Session) => Promise<Telling>
  /** all of them, as text */
  readonly metrics: () => Promise<string>
  /** looks through connections */
  readonly reader: Reader
  /** what can be asked through a connection, as JSON; made when it is first asked for */
  readonly forms: () => Promise<string>
  readonly examinations: Examinations
}

export interface Serving {
  readonly version: string
  readonly startedAt: number
  readonly uptimeMs: () => number
  /** the replicas of this installation that are alive, and what they share; null: nothing */
  readonly replicas: () => number
  /** as rows, where nothing is said */
  readonly countedBy?: () => 'rows' | 'sessions' | 'assumed'
  readonly redis: () => ShownRedis | null
}

export interface ShownRedis {
  /** without a password */
  readonly place: string
  readonly up: boolean
  /** milliseconds since 1970: since when it is so */
  readonly since: number
  /** while it cannot be used: the code of the error that says why */
  readonly reason?: string
}

export interface ShownWorker {
  readonly worker: number
  readonly pid: number | null
  readonly answers: boolean
}

export interface Picture {
  /** none: this process alone answers callers */
  readonly workers: readonly ShownWorker[]
  /** undefined: the connection has not been opened */
  readonly stateOf: (id: string) => LineState | undefined
}

type Shown = Pick<Connection, 'id' | 'state'>

/** A request that has passed every check of its form. */
export interface Asked {
  /** `{id}` of the path; empty where there is none */
  readonly id: string
  readonly query: Query
  readonly body: Body
  readonly actor: Actor
  /** the live one whose cookie came along, where no token did */
  readonly session: Session | undefined
  /** whether whoever asks would still be let in: for an answer that goes on */
  readonly isLetIn: () => boolean | Promise<boolean>
  /** gives the browser the secret of a session, or takes it away */
  readonly tellBrowser: (secret: string | undefined) => void
  /** for what takes its time: who asks may leave, and what it cost is in the log */
  readonly exchange: Pick<Exchange, 'id' | 'from' | 'seen' | 'onLeave'>
}

export type Subject = 'connection' | 'key'

export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** from the root, with at most one `{id}` */
  readonly path: string
  readonly operationId: string
  readonly tag: 'connections' | 'keys' | 'vault' | 'audit' | 'status' | 'reads' | 'session' | 'doctor'
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
  /** changes nothing, though it is no GET: what it refuses was no try at a change, and is not in the audit */
  readonly looks?: true
  /** `text`: no JSON, but lines for programs; `events`: told one after another, as long as somebody listens */
  readonly answer: AnswerName | 'text' | 'events'
  /** beyond those that any operation can meet */
  readonly refusals: readonly ProblemCode[]
  /** whoever asks it is no sign that somebody is there: a session grows idle all the same */
  readonly watches?: true
  /** a session's cookie is enough, without its csrf token: of what only looks, and cannot send a field */
  readonly withoutCsrf?: true
  /** asked by whoever is not let in yet: his token is in the body */
  readonly opens?: true
  /** of a session itself: a token does not do */
  readonly ofSession?: true
  /** a text is sent as it is: lines, or JSON that is written already */
  readonly run: (asked: Asked, parts: Parts) => Promise<object | string | Telling>
}

/** the forms of ids: what has another form is not there, and is never repeated */
export const idForms: Readonly<Record<Subject, RegExp>> = { connection: connectionId, key: /^[0-9A-Za-z]{12}$/ }

export const base = '/operator/v1'
