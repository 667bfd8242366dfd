// What operations of management work with: the parts of the service, and the kinds of objects that they name.
import type { Connections } from '../connections/connection.ts'
import type { ConnectionAdmin } from '../connections/connection-admin.ts'
import type { Rotation } from '../connections/rotation.ts'
import type { History } from '../history/history.ts'
import type { HourKeeper } from '../history/hour-keeper.ts'
import type { Keys } from '../keys/keys.ts'
import type { OidcAttempts } from '../../../base/auth/oidc-attempts.ts'
import type { OidcIdentity, OidcProvider } from '../../../base/auth/oidc-provider.ts'
import type { RecognisedToken, ValidToken } from '../../../base/auth/operator-token.ts'
import type { ProblemCode } from '../problems.ts'
import { connectionId } from '../connection-settings.ts'
import type { AuditRecords } from '../../../base/core/audit.ts'
import type { Answers } from './answer-schemas.ts'
import { type Operation, operationDefiner } from '../../../base/operations/operation.ts'
import type { AccessRecord } from '../reads/access-record.ts'
import type { Examinations } from './examination.ts'
import type { Telling } from '../../../base/web/event-stream.ts'
import type { Session, Sessions } from '../../../base/auth/sessions.ts'
import type { Explorer } from './explorer.ts'
import type { Role } from './roles.ts'

/** sign-in with an OpenID Connect provider */
export interface ProviderSignIn {
  /** how the console calls it */
  readonly title: string
  readonly provider: OidcProvider
  readonly attempts: OidcAttempts
  readonly nameClaim: string
  /** undefined: none */
  readonly roleOf: (identity: OidcIdentity) => Role | undefined
  /** what its sessions stand on */
  readonly credential: () => ValidToken
}

export interface ManagementParts {
  readonly keys: Keys
  readonly connectionAdmin: ConnectionAdmin
  readonly rotation: Rotation
  readonly audit: AuditRecords
  readonly sessions: Sessions
  /** undefined: the settings name none */
  readonly provider?: ProviderSignIn | undefined
  /** the holder of this token, for a caller at this address; a wrong token counts as a failure of the address */
  readonly recogniseToken: (token: string, from: string) => RecognisedToken
  readonly connections: Pick<Connections, 'ids' | 'find' | 'opened' | 'isManaged'>
  readonly now: () => number
  /** milliseconds since 1970: when the last replica that a change could not be published to sees it; undefined: all have it */
  readonly unpublishedUntil: () => number | undefined
  /** ids of the operations that a role allows */
  readonly operationsOf: (role: Role) => readonly string[]
  /** rejects while the service should get no traffic */
  readonly ready: () => Promise<void>
  readonly service: ServiceInfo
  readonly history: Pick<History, 'minute' | 'began' | 'beganAt' | 'hourOf' | 'service'>
  /** the last week by hour, of all replicas */
  readonly hours: Pick<HourKeeper, 'hour' | 'since'>
  /** streams changes while the credential is valid */
  readonly live: (isStillValid: () => boolean | Promise<boolean>, session?: Session) => Promise<Telling>
  /** in the text format of Prometheus */
  readonly metrics: () => Promise<string>
  readonly explorer: Explorer
  /** the forms of the routes, as JSON; made on first use */
  readonly forms: () => Promise<string>
  readonly examinations: Examinations
}

export interface ServiceInfo {
  readonly version: string
  /** where callers reach the public endpoint */
  readonly publicUrl: () => string
  readonly startedAt: number
  readonly uptimeMs: () => number
  /** the replicas of this installation that are alive */
  readonly replicas: () => number
  /** absent: as `rows` */
  readonly countedBy?: () => 'rows' | 'sessions' | 'assumed'
  /** null: the settings name none */
  readonly redis: () => ShownRedis | null
}

export interface ShownRedis {
  /** without a password */
  readonly place: string
  readonly up: boolean
  /** milliseconds since 1970 */
  readonly since: number
  /** while it is down: the code of the error */
  readonly reason?: string
}

/** what `{id}` can be the id of; ids of another form are unknown without a look-up, and never repeated */
export const subjects = {
  connection: { idForm: connectionId, unknown: 'connection_unknown', about: 'Id of the connection.' },
  key: { idForm: /^[0-9A-Za-z]{12}$/, unknown: 'key_unknown', about: 'Id of the facade key.' },
} as const

/** a member of a body that names a connection */
export const connectionIdMember = (description: string) =>
  ({ type: 'string', description, minLength: 1, maxLength: 64, pattern: connectionId.source }) as const

interface Names {
  readonly tag: 'connections' | 'keys' | 'vault' | 'audit' | 'status' | 'reads' | 'session' | 'doctor'
  readonly subject: keyof typeof subjects
  readonly answers: Answers
  readonly code: ProblemCode
}

export type ManagementOperation = Operation<ManagementParts, AccessRecord, Names>

export const define = operationDefiner<ManagementParts, AccessRecord, Names>()

export const base = '/operator/v1'
