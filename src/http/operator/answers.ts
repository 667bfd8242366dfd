// What the operator's door answers: how things are shown, and the schemas of that.
import type { Proof } from '../../connections/proof.ts'
import type { ShownConnection } from '../../connections/connection.ts'
import type { Stored } from '../../connections/desk.ts'
import { groups } from '../../catalogue/define.ts'
import { isoOf } from '../moment.ts'
import type { Issued, Key } from '../../keys/keys.ts'
import { problems } from '../../problem.ts'
import type { AuditRecord } from '../../store/records.ts'

export const shownConnection = ({ createdAt, replacedAt, lastUsedAt, ...rest }: ShownConnection) => ({
  ...{ id: rest.id, kind: rest.kind, keyId: rest.keyId, issuerId: rest.issuerId, fingerprint: rest.fingerprint },
  ...{ linkage: rest.linkage, tokenScope: rest.tokenScope },
  ...{ createdAt: isoOf(createdAt), replacedAt: isoOf(replacedAt), lastUsedAt: isoOf(lastUsedAt) },
})

const shownProof = ({ ok, code, message }: Proof) => ({ ok, code, message })
export const checkedAt = (proof: Proof, now: number) => ({ ...shownProof(proof), checkedAt: isoOf(now) })
export const storedConnection = ({ shown, proof }: Stored) => ({
  ...shownConnection(shown),
  check: proof && shownProof(proof),
})

function stateOf({ revokedAt, expiresAt }: Key, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

export const shownKey = (key: Key, now: number) => ({
  ...{ id: key.id, name: key.name, note: key.note, state: stateOf(key, now) },
  ...{ connections: key.connections, groups: key.groups, perMinute: key.perMinute },
  ...{ createdAt: isoOf(key.createdAt), expiresAt: isoOf(key.expiresAt), revokedAt: isoOf(key.revokedAt) },
  ...{ replaces: key.replaces, lastUsedAt: isoOf(key.lastUsedAt) },
})
export const issuedKey = ({ key, shown }: Issued, now: number) => ({ key, ...shownKey(shown, now) })

export const auditLine = ({ seq, at, act, target, who, from, requestId, outcome, details, hash }: AuditRecord) => ({
  ...{ seq, at: isoOf(at), act, target, who, from, requestId, outcome, details, hash },
})

type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }
const yes: Schema = { type: 'boolean', const: true }
const moment: Schema = { type: 'string', format: 'date-time' }
const momentOrNull: Schema = { type: ['string', 'null'], format: 'date-time' }
const about = (schema: Schema, description: string): Schema => ({ ...schema, description })
const listOf = (items: Schema): Schema => ({ type: 'array', items })
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** all members are always there */
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

const pageOf = (name: string): Schema =>
  object({
    items: listOf(ref(name)),
    nextCursor: about(textOrNull, 'Pass it back as `cursor` for the next page; null at the end.'),
  })

const connection = {
  id: text,
  kind: { ...text, enum: ['managed', 'hosted'], description: 'Kept in the settings file, or in the store.' },
  keyId: about(text, 'Id of the signing key at the platform.'),
  issuerId: about(textOrNull, 'null: an individual key.'),
  fingerprint: about(textOrNull, 'SHA-256 of the public key, in hex; null where the key file cannot be read.'),
  linkage: { type: ['string', 'null'], enum: ['asked', null] },
  tokenScope: { type: ['string', 'null'], enum: ['request', null] },
  createdAt: about(momentOrNull, 'null for managed ones.'),
  replacedAt: momentOrNull,
  lastUsedAt: about(momentOrNull, 'Some minutes late; null: never, or a managed one.'),
}

const proof = {
  ok: about({ type: 'boolean' }, 'Whether the platform accepts the signing key and answers.'),
  code: { type: ['string', 'null'], description: `What it was instead: a code such as \`upstream_key_rejected\`.` },
  message: text,
}

const key = {
  id: about(text, 'Public part of the key.'),
  name: text,
  note: textOrNull,
  state: { ...text, enum: ['active', 'expired', 'revoked'] },
  connections: about(listOf(text), 'Ids, or `*` for all.'),
  groups: listOf({ ...text, enum: groups }),
  perMinute: { type: ['integer', 'null'], description: "null: the service's rate; 0: no limit." },
  createdAt: moment,
  expiresAt: about(momentOrNull, 'null: never.'),
  revokedAt: momentOrNull,
  replaces: about(textOrNull, 'Id of the key that this one took over from.'),
  lastUsedAt: about(momentOrNull, 'Some minutes late.'),
}

const whole: Schema = { type: 'integer', minimum: 0 }
const orNull = (schema: Schema, description: string): Schema => ({ anyOf: [schema, { type: 'null' }], description })
const quotaWindow = object({ limit: whole, remaining: whole })

const connectionStatus = {
  connection: about(text, 'Its id.'),
  breaker: { ...text, enum: ['closed', 'open', 'half-open'], description: '`open`: the platform does not answer.' },
  retryAfterSec: about({ type: ['integer', 'null'] }, 'Seconds until the platform is tried again; null: it is asked.'),
  quota: object({
    hour: orNull(quotaWindow, 'null: the platform has not said.'),
    minute: orNull(quotaWindow, 'null: the platform has not said.'),
    pausedSec: about(whole, 'Seconds until the signing key may ask again; 0: now.'),
  }),
  calls: object({ running: whole, waiting: whole }),
  keyRejected: about({ type: 'boolean' }, 'Whether the platform refuses the signing key at the moment.'),
  lastAnswerAt: about(momentOrNull, 'When the platform last gave a document; null: not yet.'),
  lastFailure: orNull(object({ at: moment, code: text }), 'Of the platform; null: none yet.'),
}

/** `answers`: what it knows is in the answer; `pid` is null while a new one is about to start */
const worker = object({ worker: whole, pid: { type: ['integer', 'null'] }, answers: { type: 'boolean' } })

export const answerSchemas = {
  Connection: object(connection),
  ConnectionPage: pageOf('Connection'),
  StoredConnection: object({
    ...connection,
    check: { anyOf: [ref('Check'), { type: 'null' }], description: 'null where it was not asked for.' },
  }),
  RemovedConnection: object({ id: text, removed: yes }),
  Check: object(proof),
  CheckedConnection: object({ ...proof, checkedAt: moment }),
  Key: object(key),
  KeyPage: pageOf('Key'),
  IssuedKey: object({ key: about(text, 'The facade key itself: it is shown this once.'), ...key }),
  RevokedKey: object({ id: text, revoked: yes, alreadyRevoked: { type: 'boolean' } }),
  Vault: object({
    writes: about(textOrNull, 'Id of the master key that wraps new credentials; null without master keys.'),
    masterKeys: listOf(
      object({
        id: text,
        given: about({ type: 'boolean' }, 'Whether this server has it.'),
        wraps: about({ type: 'integer' }, 'How many credentials need it.'),
      }),
    ),
  }),
  AuditLine: object({
    seq: about({ type: 'integer' }, '1, 2, 3, … without a gap.'),
    at: moment,
    act: about(text, 'Such as `keys.revoke`.'),
    target: about(textOrNull, 'Id of what was acted on.'),
    who: about(
      text,
      '`operator:` and the beginning of the hash of a token, `cli:` and a user, or the id of a facade key.',
    ),
    from: about(text, 'Address, or name of the machine.'),
    requestId: textOrNull,
    outcome: { ...text, enum: ['done', 'denied'] },
    details: about({ type: 'object' }, 'Names, numbers and codes; never a secret.'),
    hash: about(text, 'SHA-256 over the line before and this one, in hex.'),
  }),
  AuditPage: pageOf('AuditLine'),
  ConnectionStatus: object(connectionStatus),
  Status: object({
    version: text,
    node: about(text, 'Version of Node.js.'),
    startedAt: moment,
    uptimeSec: whole,
    ready: about({ type: 'boolean' }, 'Whether the service should get traffic.'),
    connections: about(listOf(ref('ConnectionStatus')), 'Those that are open, by id.'),
    workers: about(
      listOf(worker),
      'The processes that answer callers, and whether each was heard; none: this one does.',
    ),
  }),
  Problem: object({ error: ref('ProblemError') }),
  ProblemError: {
    type: 'object',
    required: ['type', 'code', 'message', 'requestId', 'retryable', 'docUrl'],
    properties: {
      type: { ...text, enum: [...new Set(Object.values(problems).map(({ type }) => type))] },
      code: about(text, 'Finer than the type; more may come.'),
      message: about(text, 'For people.'),
      requestId: about(text, 'Equal to the X-Request-Id header.'),
      retryable: about({ type: 'boolean' }, 'Whether the same request may succeed later.'),
      docUrl: { ...text, format: 'uri-reference', description: 'Page about this code.' },
      param: about(text, 'The parameter or member at fault.'),
      details: {
        type: 'object',
        description: 'For programs; more members may come.',
        properties: {
          allowed: about(listOf(text), 'Names or values that are allowed, at most 20 of them.'),
          nearest: about(text, 'The allowed one that was probably meant.'),
          minimum: { type: 'integer' },
          maximum: { type: 'integer' },
        },
      },
    },
  },
} as const

export type AnswerName = keyof typeof answerSchemas
