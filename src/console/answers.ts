// What the operator's door answers and takes, as types. Derived from its description by `npm run derive`: change the rows and
// schemas of src/http/operator, not this file. Long, because it is all.

/** A part of a listing. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Pass it back as `cursor` for the next page; null at the end. */
  readonly nextCursor: string | null
}

export interface Connection {
  readonly id: string
  /** Kept in the settings file, or in the store. */
  readonly kind: 'managed' | 'hosted'
  /** Id of the signing key at the platform. */
  readonly keyId: string
  /** null: an individual key. */
  readonly issuerId: string | null
  /** SHA-256 of the public key, in hex; null where the key file cannot be read. */
  readonly fingerprint: string | null
  readonly linkage: 'asked' | null
  readonly tokenScope: 'request' | null
  /** Where the operator keeps it; null for hosted ones. */
  readonly source: {
    /** Name of the settings file, or `VITRINE_CONNECTIONS`; null: of neither, as in the demo. */
    readonly settings: string | null
    /** Path of its key file as it stands there; null where the file cannot be read. */
    readonly privateKeyFile: string | null
  } | null
  /** null for managed ones. Format: date-time. */
  readonly createdAt: string | null
  /** Format: date-time. */
  readonly replacedAt: string | null
  /** Some minutes late; null: never, or a managed one. Format: date-time. */
  readonly lastUsedAt: string | null
}

export type ConnectionPage = Page<Connection>

export interface StoredConnection {
  readonly id: string
  /** Kept in the settings file, or in the store. */
  readonly kind: 'managed' | 'hosted'
  /** Id of the signing key at the platform. */
  readonly keyId: string
  /** null: an individual key. */
  readonly issuerId: string | null
  /** SHA-256 of the public key, in hex; null where the key file cannot be read. */
  readonly fingerprint: string | null
  readonly linkage: 'asked' | null
  readonly tokenScope: 'request' | null
  /** Where the operator keeps it; null for hosted ones. */
  readonly source: {
    /** Name of the settings file, or `VITRINE_CONNECTIONS`; null: of neither, as in the demo. */
    readonly settings: string | null
    /** Path of its key file as it stands there; null where the file cannot be read. */
    readonly privateKeyFile: string | null
  } | null
  /** null for managed ones. Format: date-time. */
  readonly createdAt: string | null
  /** Format: date-time. */
  readonly replacedAt: string | null
  /** Some minutes late; null: never, or a managed one. Format: date-time. */
  readonly lastUsedAt: string | null
  /** null where it was not asked for. */
  readonly check: Check | null
}

export interface OneConnection {
  readonly id: string
  /** Kept in the settings file, or in the store. */
  readonly kind: 'managed' | 'hosted'
  /** Id of the signing key at the platform. */
  readonly keyId: string
  /** null: an individual key. */
  readonly issuerId: string | null
  /** SHA-256 of the public key, in hex; null where the key file cannot be read. */
  readonly fingerprint: string | null
  readonly linkage: 'asked' | null
  readonly tokenScope: 'request' | null
  /** Where the operator keeps it; null for hosted ones. */
  readonly source: {
    /** Name of the settings file, or `VITRINE_CONNECTIONS`; null: of neither, as in the demo. */
    readonly settings: string | null
    /** Path of its key file as it stands there; null where the file cannot be read. */
    readonly privateKeyFile: string | null
  } | null
  /** null for managed ones. Format: date-time. */
  readonly createdAt: string | null
  /** Format: date-time. */
  readonly replacedAt: string | null
  /** Some minutes late; null: never, or a managed one. Format: date-time. */
  readonly lastUsedAt: string | null
  /** Active keys that name it, and end for it when it is removed. Keys for all (`*`) are not here. */
  readonly keys: readonly {
    readonly id: string
    readonly name: string
  }[]
}

export interface ReplacedConnection {
  readonly id: string
  /** Kept in the settings file, or in the store. */
  readonly kind: 'managed' | 'hosted'
  /** Id of the signing key at the platform. */
  readonly keyId: string
  /** null: an individual key. */
  readonly issuerId: string | null
  /** SHA-256 of the public key, in hex; null where the key file cannot be read. */
  readonly fingerprint: string | null
  readonly linkage: 'asked' | null
  readonly tokenScope: 'request' | null
  /** Where the operator keeps it; null for hosted ones. */
  readonly source: {
    /** Name of the settings file, or `VITRINE_CONNECTIONS`; null: of neither, as in the demo. */
    readonly settings: string | null
    /** Path of its key file as it stands there; null where the file cannot be read. */
    readonly privateKeyFile: string | null
  } | null
  /** null for managed ones. Format: date-time. */
  readonly createdAt: string | null
  /** Format: date-time. */
  readonly replacedAt: string | null
  /** Some minutes late; null: never, or a managed one. Format: date-time. */
  readonly lastUsedAt: string | null
  /** null where it was not asked for. */
  readonly check: Check | null
  /** Active keys that named the connection, and do not read it any more. */
  readonly endedKeys: readonly {
    readonly id: string
    readonly name: string
  }[]
  /** Until when a replica that reaches neither the store nor who could tell it may go on with what was before; null: all were told. Format: date-time. */
  readonly untoldUntil: string | null
}

export interface RemovedConnection {
  readonly id: string
  readonly removed: true
  /** Active keys that named the connection, and do not read it any more. */
  readonly endedKeys: readonly {
    readonly id: string
    readonly name: string
  }[]
  /** Until when a replica that reaches neither the store nor who could tell it may go on with what was before; null: all were told. Format: date-time. */
  readonly untoldUntil: string | null
}

export interface Check {
  /** Whether the platform accepts the signing key and answers. */
  readonly ok: boolean
  /** What it was instead: a code such as `upstream_key_rejected`. */
  readonly code: string | null
  readonly message: string
}

export interface CheckedConnection {
  /** Whether the platform accepts the signing key and answers. */
  readonly ok: boolean
  /** What it was instead: a code such as `upstream_key_rejected`. */
  readonly code: string | null
  readonly message: string
  /** Format: date-time. */
  readonly checkedAt: string
}

export interface InspectedKey {
  /** Whether it is a private key as the platform gives them. */
  readonly usable: boolean
  readonly message: string
  /** SHA-256 of the public key, in hex; null where it cannot be used. */
  readonly fingerprint: string | null
  /** Ids of the connections with this key, managed and hosted. */
  readonly usedBy: readonly string[]
}

export interface Key {
  /** Public part of the key. */
  readonly id: string
  readonly name: string
  readonly note: string | null
  readonly state: 'active' | 'expired' | 'revoked'
  /** Ids, or `*` for all. */
  readonly connections: readonly string[]
  /** Ids among them that it does not read: the connection was removed, or has another account now. Make another key. */
  readonly endedConnections: readonly string[]
  readonly groups: readonly ('apps' | 'builds' | 'feedback' | 'commerce' | 'marketing' | 'reviews' | 'performance' | 'legacy' | 'status')[]
  /** null: the service's rate; 0: no limit. */
  readonly perMinute: number | null
  /** Format: date-time. */
  readonly createdAt: string
  /** null: never. Format: date-time. */
  readonly expiresAt: string | null
  /** Format: date-time. */
  readonly revokedAt: string | null
  /** Id of the key that this one took over from. */
  readonly replaces: string | null
  /** Some minutes late. Format: date-time. */
  readonly lastUsedAt: string | null
}

export type KeyPage = Page<Key>

export interface IssuedKey {
  /** The facade key itself: it is shown this once. */
  readonly key: string
  /** Public part of the key. */
  readonly id: string
  readonly name: string
  readonly note: string | null
  readonly state: 'active' | 'expired' | 'revoked'
  /** Ids, or `*` for all. */
  readonly connections: readonly string[]
  /** Ids among them that it does not read: the connection was removed, or has another account now. Make another key. */
  readonly endedConnections: readonly string[]
  readonly groups: readonly ('apps' | 'builds' | 'feedback' | 'commerce' | 'marketing' | 'reviews' | 'performance' | 'legacy' | 'status')[]
  /** null: the service's rate; 0: no limit. */
  readonly perMinute: number | null
  /** Format: date-time. */
  readonly createdAt: string
  /** null: never. Format: date-time. */
  readonly expiresAt: string | null
  /** Format: date-time. */
  readonly revokedAt: string | null
  /** Id of the key that this one took over from. */
  readonly replaces: string | null
  /** Some minutes late. Format: date-time. */
  readonly lastUsedAt: string | null
}

export interface RerolledKey {
  /** The facade key itself: it is shown this once. */
  readonly key: string
  /** Public part of the key. */
  readonly id: string
  readonly name: string
  readonly note: string | null
  readonly state: 'active' | 'expired' | 'revoked'
  /** Ids, or `*` for all. */
  readonly connections: readonly string[]
  /** Ids among them that it does not read: the connection was removed, or has another account now. Make another key. */
  readonly endedConnections: readonly string[]
  readonly groups: readonly ('apps' | 'builds' | 'feedback' | 'commerce' | 'marketing' | 'reviews' | 'performance' | 'legacy' | 'status')[]
  /** null: the service's rate; 0: no limit. */
  readonly perMinute: number | null
  /** Format: date-time. */
  readonly createdAt: string
  /** null: never. Format: date-time. */
  readonly expiresAt: string | null
  /** Format: date-time. */
  readonly revokedAt: string | null
  /** Id of the key that this one took over from. */
  readonly replaces: string | null
  /** Some minutes late. Format: date-time. */
  readonly lastUsedAt: string | null
  /** Until when a replica that reaches neither the store nor who could tell it may go on with what was before; null: all were told. Format: date-time. */
  readonly untoldUntil: string | null
}

export interface RevokedKey {
  readonly id: string
  readonly revoked: true
  readonly alreadyRevoked: boolean
  /** Until when a replica that reaches neither the store nor who could tell it may go on with what was before; null: all were told. Format: date-time. */
  readonly untoldUntil: string | null
}

export interface Vault {
  /** Id of the master key that wraps new credentials; null without master keys. */
  readonly writes: string | null
  readonly masterKeys: readonly {
    readonly id: string
    /** Whether this server has it. */
    readonly given: boolean
    /** How many credentials need it. */
    readonly wraps: number
  }[]
}

export interface AuditLine {
  /** 1, 2, 3, … without a gap. */
  readonly seq: number
  /** Format: date-time. */
  readonly at: string
  /** Such as `keys.revoke`. */
  readonly act: string
  /** Id of what was acted on. */
  readonly target: string | null
  /** `operator:` and the beginning of the hash of a token, `cli:` and a user, or the id of a facade key. */
  readonly who: string
  /** Address, or name of the machine. */
  readonly from: string
  readonly requestId: string | null
  readonly outcome: 'done' | 'denied'
  /** Names, numbers and codes; never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>
  /** SHA-256 over the line before and this one, in hex. */
  readonly hash: string
}

export interface AuditBeginning {
  /** The first line that was not pruned. */
  readonly line: number
  /** Format: date-time. */
  readonly prunedAt: string
  /** Of the lines that were pruned then: when the first was written. Format: date-time. */
  readonly from: string
  /** And the last. Format: date-time. */
  readonly to: string
  /** The line that tells of it. */
  readonly toldBy: number
  /** Id of the master key that vouches for it; null: a secret that lies in the store. */
  readonly sealedBy: string | null
}

export interface AuditPage {
  readonly items: readonly AuditLine[]
  /** Pass it back as `cursor` for the next page; null at the end. */
  readonly nextCursor: string | null
  /** null where nothing was pruned. */
  readonly begins: AuditBeginning | null
}

export interface ConnectionStatus {
  /** Its id. */
  readonly connection: string
  /** `open`: the platform does not answer. */
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** Seconds until the platform is tried again; null: it is asked. */
  readonly retryAfterSec: number | null
  readonly quota: {
    /** null: the platform has not said. */
    readonly hour: {
      readonly limit: number
      readonly remaining: number
    } | null
    /** null: the platform has not said. */
    readonly minute: {
      readonly limit: number
      readonly remaining: number
    } | null
    /** Seconds until the signing key may ask again; 0: now. */
    readonly pausedSec: number
  }
  readonly calls: {
    readonly running: number
    readonly waiting: number
  }
  /** Whether the platform refuses the signing key at the moment. */
  readonly keyRejected: boolean
  /** When the platform last gave a document; null: not yet. Format: date-time. */
  readonly lastAnswerAt: string | null
  /** Of the platform; null: none yet. */
  readonly lastFailure: {
    /** Format: date-time. */
    readonly at: string
    readonly code: string
  } | null
}

export interface Status {
  readonly version: string
  /** Version of Node.js. */
  readonly node: string
  /** Format: date-time. */
  readonly startedAt: string
  readonly uptimeSec: number
  /** Whether the service should get traffic. */
  readonly ready: boolean
  /** How many replicas of this installation are alive, with this one. */
  readonly replicas: number
  /** How they were counted: by the rows that they write, by their sessions where the database takes no writes, or not at all. */
  readonly replicasCountedBy: 'rows' | 'sessions' | 'assumed'
  /** What the replicas share, and whether it is heard and takes writes; null: the settings name none. */
  readonly redis: {
    readonly place: string
    readonly up: boolean
    /** Since when it is so. Format: date-time. */
    readonly since: string
    /** While it cannot be used: the code of the error that says why, such as READONLY. */
    readonly reason: string | null
  } | null
  /** Those that are open, by id. */
  readonly connections: readonly ConnectionStatus[]
  /** The processes that answer callers, and whether each was heard; none: this one does. */
  readonly workers: readonly {
    readonly worker: number
    readonly pid: number | null
    readonly answers: boolean
  }[]
}

export interface ServiceState {
  readonly version: string
  /** Version of Node.js. */
  readonly node: string
  /** Format: date-time. */
  readonly startedAt: string
  readonly uptimeSec: number
  /** Whether the service should get traffic. */
  readonly ready: boolean
  /** How many replicas of this installation are alive, with this one. */
  readonly replicas: number
  /** How they were counted: by the rows that they write, by their sessions where the database takes no writes, or not at all. */
  readonly replicasCountedBy: 'rows' | 'sessions' | 'assumed'
  /** What the replicas share, and whether it is heard and takes writes; null: the settings name none. */
  readonly redis: {
    readonly place: string
    readonly up: boolean
    /** Since when it is so. Format: date-time. */
    readonly since: string
    /** While it cannot be used: the code of the error that says why, such as READONLY. */
    readonly reason: string | null
  } | null
  /** The processes that answer callers, and whether each was heard; none: this one does. */
  readonly workers: readonly {
    readonly worker: number
    readonly pid: number | null
    readonly answers: boolean
  }[]
  /** How many there are. */
  readonly connections: number
}

export interface Card {
  readonly id: string
  readonly kind: 'managed' | 'hosted'
  /** null: it has not been opened since the start. */
  readonly status: ConnectionStatus | null
  readonly perMinute: {
    /** Calls of the platform, minute by minute, oldest first; the last one is under way. */
    readonly calls: readonly number[]
    /** Of these, those that failed. */
    readonly errors: readonly number[]
  }
  readonly hour: {
    /** Calls of the platform. */
    readonly calls: number
    /** Of these, those that failed. That something is not there is no failure. */
    readonly errors: number
    /** Of callers who may read it. */
    readonly requests: number
    /** Reads that another call under way answered. */
    readonly shared: number
    /** Answers that were remembered. */
    readonly cacheHits: number
    /** Answers that may be remembered, and were not. */
    readonly cacheMisses: number
    /** Requests that were refused because its credential does not open. */
    readonly unreadable: number
    /** Members of documents that the catalogue does not know, each once; 200 at most. */
    readonly drift: number
  }
}

export interface Overview {
  /** Format: date-time. */
  readonly at: string
  readonly service: ServiceState
  readonly items: readonly Card[]
  /** Pass it back as `cursor` for the next page; null at the end. */
  readonly nextCursor: string | null
}

export interface Health {
  /** Format: date-time. */
  readonly at: string
  readonly stepSec: 60
  /** When each began, by the clock as it shows now. */
  readonly minutes: readonly string[]
  readonly requests: {
    /** Minute by minute, oldest first; the last one is under way. */
    readonly ok: readonly number[]
    /** The request was at fault: 4xx, save 429. */
    readonly clientError: readonly number[]
    /** Too many: 429, of ours or of the platform. */
    readonly limited: readonly number[]
    /** The platform failed. */
    readonly upstream: readonly number[]
    /** The service failed, or was too busy. */
    readonly failed: readonly number[]
    /** The caller left before his answer. */
    readonly left: readonly number[]
  }
  readonly latencyMs: {
    /** In milliseconds, minute by minute; null: none was measured. */
    readonly p50: readonly (number | null)[]
    /** In milliseconds, minute by minute; null: none was measured. */
    readonly p95: readonly (number | null)[]
    /** In milliseconds, minute by minute; null: none was measured. */
    readonly p99: readonly (number | null)[]
  }
  readonly platform: {
    /** Calls that the platform answered. */
    readonly ok: readonly number[]
    /** Calls that failed. */
    readonly failed: readonly number[]
    /** In milliseconds, minute by minute; null: none was measured. */
    readonly p50: readonly (number | null)[]
    /** In milliseconds, minute by minute; null: none was measured. */
    readonly p95: readonly (number | null)[]
  }
  /** Those that were asked for most in the hour, at most 20. */
  readonly operations: readonly {
    readonly operation: string
    readonly requests: number
    /** Of these, those that the platform or the service failed. */
    readonly errors: number
    /** In milliseconds. */
    readonly p95: number | null
  }[]
}

/** Of the event `cards`: at most 100. */
export interface Cards {
  /** Format: date-time. */
  readonly at: string
  readonly items: readonly Card[]
}

/** Of the event `removed`. */
export interface RemovedCards {
  readonly ids: readonly string[]
}

/** Of the event `beat`: the server is still there. */
export interface Beat {
  /** Format: date-time. */
  readonly at: string
}

/** Of the event `whole`: all cards have been told. */
export interface WholeTold {
  /** Format: date-time. */
  readonly at: string
  readonly count: number
}

/** Of the event `bye`: the server ends the stream. */
export interface Bye {
  readonly reason: 'session_ended' | 'stopping' | 'too_many'
}

export interface Session {
  /** `operator:` and the beginning of the hash of the token, as in the audit. */
  readonly who: string
  /** Sent as `X-Vitrine-Csrf` with every request that the cookie lets in. */
  readonly csrf: string
  /** Format: date-time. */
  readonly startedAt: string
  /** At the latest. Format: date-time. */
  readonly endsAt: string
  /** How long it may be idle before it ends. */
  readonly idleSec: number
  readonly service: {
    readonly version: string
  }
}

export interface EndedSession {
  readonly ended: true
}

export interface Forms {
  readonly items: readonly Form[]
}

export interface Form {
  readonly operation: string
  readonly group: string
  readonly summary: string
  /** Empty where the summary is all. */
  readonly description: string
  /** Below the connection, with names in braces. */
  readonly path: string
  readonly isList: boolean
  /** What stands for the names in the path. */
  readonly ids: readonly {
    readonly name: string
    readonly description: string
    /** What each value looks like, as a regular expression with the flag `u`. */
    readonly pattern: string
    /** The operation that lists such ids; absent: none does. */
    readonly from?: string
  }[]
  /** What the query takes. */
  readonly parameters: readonly {
    readonly name: string
    readonly description: string
    /** `choices`, `texts` and `fields` take several values, separated by commas. */
    readonly kind: 'choice' | 'choices' | 'text' | 'texts' | 'integer' | 'fields' | 'cursor'
    readonly required: boolean
    /** The known values. */
    readonly values?: readonly string[]
    /** Other values are taken too. */
    readonly open?: true
    /** No value twice, whether or not a `-` stands before it. */
    readonly unique?: true
    readonly minimum?: number
    readonly maximum?: number
    /** What holds where it is left out. */
    readonly standard?: string
    /** How many values at most. */
    readonly most?: number
    /** What each value looks like, as a regular expression with the flag `u`. */
    readonly pattern?: string
  }[]
  /** What an item holds beside its id. */
  readonly fields: readonly {
    readonly name: string
    readonly description: string
    /** What it holds, in words. */
    readonly type: string
    /** A linkage is the id of something else. */
    readonly kind: 'attribute' | 'linkage'
    /** It tells where pictures are. `url`: an object whose `url` is the address. `template`: an object whose `templateUrl` has `{w}`, `{h}` and `{f}` in it, for width, height and format. `list`: a list of such objects. */
    readonly image?: 'url' | 'template' | 'list'
  }[]
  readonly example: {
    /** Ids that the sandbox knows. */
    readonly ids: Readonly<Record<string, string>>
    /** Parameters as they stand in the query. */
    readonly query: Readonly<Record<string, string>>
  }
}

export interface Plan {
  readonly operation: string
  readonly group: string
  readonly steps: readonly {
    readonly purpose: string
    /** Path at the platform; a name in braces is what the step before finds out. */
    readonly get: string
    /** Parameters by name. */
    readonly query: Readonly<Record<string, string>>
    readonly accept: string
    /** What a lookup compares, byte for byte. */
    readonly looksFor?: string
  }[]
}

export interface Reading {
  /** null where the target is no route. */
  readonly operation: string | null
  /** What the public door would answer. */
  readonly status: number
  /** Why it failed, in the words of the log. */
  readonly reason: string | null
  /** When it may be asked again; null: not said. */
  readonly retryAfterSec: number | null
  /** Of this request, also in the log. */
  readonly requestId: string
  /** Of `body`. */
  readonly bytes: number
  readonly tookMs: number
  readonly cost: {
    /** Calls of the platform. */
    readonly calls: number
    /** Of these, those that repeat an earlier one. */
    readonly retries: number
    /** Reads that another request's call answered. */
    readonly shared: number
    /** Waiting for a turn at the platform. */
    readonly waitedMs: number
    /** Waiting for the platform. */
    readonly platformMs: number
    /** null: such an answer is not remembered. */
    readonly cache: 'hit' | 'miss' | null
  }
  /** Reads of the platform that were made for it, in order; none where others made them. */
  readonly asked: readonly {
    readonly purpose: string
    /** Path and query, as they went to the platform. */
    readonly get: string
    readonly accept: string
    readonly tookMs: number
    /** The platform's; null where it gave none, or another request heard it. */
    readonly status: number | null
    /** null for a document, and for what had not ended yet. */
    readonly code: string | null
  }[]
  /** Byte for byte what the public door would send: the answer, or a refusal. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Examination {
  readonly state: 'never' | 'running' | 'done' | 'stopped' | 'failed'
  /** Format: date-time. */
  readonly startedAt: string | null
  /** Format: date-time. */
  readonly endedAt: string | null
  /** Who asked for it, as in the audit. */
  readonly by: string | null
  /** null: all of them. */
  readonly connections: readonly string[] | null
  /** What is looked at; null where none is under way. */
  readonly now: string | null
  /** Of all findings. */
  readonly counts: {
    readonly ok: number
    readonly warn: number
    readonly fail: number
    readonly skip: number
  }
  /** How many were counted and are not listed: above 1,000 that are `ok` or `skip` none of connections is, and above 10,000 others no more. */
  readonly leftOut: number
  readonly findings: readonly {
    /** Of the check, such as `store`, or `group:apps` for a group of routes. */
    readonly id: string
    /** Of the check, for people. */
    readonly title: string
    /** null: of the installation. */
    readonly connection: string | null
    readonly state: 'ok' | 'warn' | 'fail' | 'skip'
    /** What is so. */
    readonly says: string
    /** Why it is so. */
    readonly cause: string | null
    /** What to do about it. */
    readonly cure: string | null
    /** null: it was not tried. */
    readonly tookMs: number | null
  }[]
}

export interface Problem {
  readonly error: ProblemError
}

export interface ProblemError {
  readonly type: 'invalid_query' | 'unauthorized' | 'forbidden' | 'upstream_forbidden' | 'resource_not_found' | 'localization_not_found' | 'method_not_allowed' | 'ambiguous_selection' | 'rate_limited' | 'upstream_error' | 'overloaded' | 'invalid_request' | 'conflict' | 'internal_error' | 'bad_request' | 'request_timeout' | 'payload_too_large' | 'uri_too_long' | 'expectation_failed' | 'headers_too_large'
  /** Finer than the type; more may come. */
  readonly code: string
  /** For people. */
  readonly message: string
  /** Equal to the X-Request-Id header. */
  readonly requestId: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** Page about this code. Format: uri-reference. */
  readonly docUrl: string
  /** The parameter or member at fault. */
  readonly param?: string
  /** For programs; more members may come. */
  readonly details?: {
    /** Names or values that are allowed, at most 20 of them. */
    readonly allowed?: readonly string[]
    /** The allowed one that was probably meant. */
    readonly nearest?: string
    readonly minimum?: number
    readonly maximum?: number
  }
}

export interface ListConnectionsQuery {
  /** Items of one page. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface CreateConnectionBody {
  /** Its name here: 1 to 64 letters, digits, dots, dashes or underscores. */
  readonly id: string
  /** Id of the signing key at the platform: 1 to 64 letters, digits, dashes or underscores. */
  readonly keyId: string
  /** Id of the issuer, of the same form; absent for an individual key. */
  readonly issuerId?: string | undefined
  /** The .p8 file of the platform as text, at most 8,192 letters. It is stored sealed and never given back. */
  readonly privateKey: string
  /** true or false: whether the platform is asked before anything is stored. Absent: true. */
  readonly check?: boolean | undefined
  /** `asked`: to-one relationships are asked for with every read. Absent: they are not. */
  readonly linkage?: 'asked' | undefined
  /** `request`: each token is good for one request. Absent: for some minutes. */
  readonly tokenScope?: 'request' | undefined
}

export interface ReplaceCredentialsBody {
  /** Id of the signing key at the platform: 1 to 64 letters, digits, dashes or underscores. */
  readonly keyId: string
  /** Id of the issuer, of the same form; absent for an individual key. */
  readonly issuerId?: string | undefined
  /** The .p8 file of the platform as text, at most 8,192 letters. It is stored sealed and never given back. */
  readonly privateKey: string
  /** true or false: whether the platform is asked before anything is stored. Absent: true. */
  readonly check?: boolean | undefined
}

export interface InspectPrivateKeyBody {
  /** What is in the .p8 file of the platform, as text, at most 32,768 letters. It is not kept. */
  readonly privateKey: string
}

export interface ListKeysQuery {
  /** Items of one page. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface CreateKeyBody {
  /** What the key is for, in 1 to 100 characters on one line. */
  readonly name: string
  /** What it may read: 1 to 1,000 different ids of connections, or `*` for all, later ones included. An id is bound to the connection that has it now: to no other that is given the id later. */
  readonly connections: readonly string[]
  /** Route groups that it may read, each once; absent: all of this version. */
  readonly groups?: readonly ('apps' | 'builds' | 'feedback' | 'commerce' | 'marketing' | 'reviews' | 'performance' | 'legacy' | 'status')[] | undefined
  /** When it ends: a time such as `90d`, `12h` or `30m`, or a date such as `2027-01-31`; absent: never. */
  readonly expires?: string | undefined
  /** Its own rate in requests a minute, 0 to 1,000,000, where 0 means no limit; absent: the service's rate. */
  readonly perMinute?: number | undefined
  /** For operators only, in 1 to 500 characters on one line. */
  readonly note?: string | undefined
}

export interface RerollKeyBody {
  /** How long the old key still works: a time such as `24h`, `30m` or `7d`, or `0` for at once. */
  readonly overlap?: string | undefined
}

export interface ListAuditQuery {
  /** Items of one page. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
  /** An act such as `keys.revoke`, or the first word of several, such as `keys`. */
  readonly act?: string | undefined
  /** An act, or the first word of several, whose lines are left out, such as `read`. */
  readonly without?: string | undefined
  /** Id of what was acted on. */
  readonly target?: string | undefined
  /** Who acted, such as `operator:1a2b3c4d`. */
  readonly who?: string | undefined
  /** Whether it was done or denied. */
  readonly outcome?: 'done' | 'denied' | undefined
  /** Only lines from this moment on: a time such as `24h`, `30m` or `7d`, which means ago, or a date such as `2027-01-31` or `2027-01-31T12:00Z`. */
  readonly since?: string | undefined
  /** Only lines before this moment: a time such as `24h`, `30m` or `7d`, which means ago, or a date such as `2027-01-31` or `2027-01-31T12:00Z`. */
  readonly until?: string | undefined
}

export interface GetOverviewQuery {
  /** Items of one page. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface BeginSessionBody {
  /** The operator's token, 1 to 512 letters. */
  readonly token: string
}

export interface PlanReadBody {
  /** Id of the connection: 1 to 64 letters, digits, dots, dashes or underscores. */
  readonly connection: string
  /** Path below the connection, and query, as the public door takes them: a slash first, and at most 16,384 letters. */
  readonly target: string
}

export interface ReadThroughBody {
  /** Id of the connection: 1 to 64 letters, digits, dots, dashes or underscores. */
  readonly connection: string
  /** Path below the connection, and query, as the public door takes them: a slash first, and at most 16,384 letters. */
  readonly target: string
}

export interface StartExaminationBody {
  /** Only these: 1 to 1,000 different ids of connections; absent: all. */
  readonly connections?: readonly string[] | undefined
}
