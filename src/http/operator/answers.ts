// The schemas of what the operator's door answers; `shown.ts` shapes it.
import { groups } from '../../catalogue/define.ts'
import { problems } from '../../problem.ts'
import { examinationSchema } from './examination.ts'
import { latelySchemas, self, workers } from './lately-answers.ts'
import { sessionSchema } from './session-answer.ts'
import { readingSchemas } from './reading-schemas.ts'
import { about, flag, listOf, moment, momentOrNull, object, orNull, pageOf, ref } from './schema.ts'
import { text, textOrNull, whole, yes } from './schema.ts'

const source = object({
  settings: about(textOrNull, 'Name of the settings file, or `VITRINE_CONNECTIONS`; null: of neither, as in the demo.'),
  privateKeyFile: about(textOrNull, 'Path of its key file as it stands there; null where the file cannot be read.'),
})

const connection = {
  id: text,
  kind: { ...text, enum: ['managed', 'hosted'], description: 'Kept in the settings file, or in the store.' },
  keyId: about(text, 'Id of the signing key at the platform.'),
  issuerId: about(textOrNull, 'null: an individual key.'),
  fingerprint: about(textOrNull, 'SHA-256 of the public key, in hex; null where the key file cannot be read.'),
  linkage: { type: ['string', 'null'], enum: ['asked', null] },
  tokenScope: { type: ['string', 'null'], enum: ['request', null] },
  source: orNull(source, 'Where the operator keeps it; null for hosted ones.'),
  createdAt: about(momentOrNull, 'null for managed ones.'),
  replacedAt: momentOrNull,
  lastUsedAt: about(momentOrNull, 'Some minutes late; null: never, or a managed one.'),
}

const proof = {
  ok: about(flag, 'Whether the platform accepts the signing key and answers.'),
  code: { type: ['string', 'null'], description: `What it was instead: a code such as \`upstream_key_rejected\`.` },
  message: text,
}

const key = {
  id: about(text, 'Public part of the key.'),
  name: text,
  note: textOrNull,
  state: { ...text, enum: ['active', 'expired', 'revoked'] },
  connections: about(listOf(text), 'Ids, or `*` for all.'),
  endedConnections: about(
    listOf(text),
    'Ids among them that it does not read: the connection was removed, or has another account now. Make another key.',
  ),
  groups: listOf({ ...text, enum: groups }),
  perMinute: { type: ['integer', 'null'], description: "null: the service's rate; 0: no limit." },
  createdAt: moment,
  expiresAt: about(momentOrNull, 'null: never.'),
  revokedAt: momentOrNull,
  replaces: about(textOrNull, 'Id of the key that this one took over from.'),
  lastUsedAt: about(momentOrNull, 'Some minutes late.'),
}

const stored = {
  ...connection,
  check: { anyOf: [ref('Check'), { type: 'null' }], description: 'null where it was not asked for.' },
}
const issued = { key: about(text, 'The facade key itself: it is shown this once.'), ...key }

const keyNames = listOf(object({ id: text, name: text }))
const endedKeys = about(keyNames, 'Active keys that named the connection, and do not read it any more.')

/** of an act that takes something away */
const untoldUntil = about(
  momentOrNull,
  'Until when a replica that reaches neither the store nor who could tell it may go on with what was before; null: all were told.',
)

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
  keyRejected: about(flag, 'Whether the platform refuses the signing key at the moment.'),
  lastAnswerAt: about(momentOrNull, 'When the platform last gave a document; null: not yet.'),
  lastFailure: orNull(object({ at: moment, code: text }), 'Of the platform; null: none yet.'),
}

export const answerSchemas = {
  Connection: object(connection),
  ConnectionPage: pageOf('Connection'),
  StoredConnection: object(stored),
  OneConnection: object({
    ...connection,
    keys: about(
      keyNames,
      'Active keys that name it, and end for it when it is removed. Keys for all (`*`) are not here.',
    ),
  }),
  ReplacedConnection: object({ ...stored, endedKeys, untoldUntil }),
  RemovedConnection: object({ id: text, removed: yes, endedKeys, untoldUntil }),
  Check: object(proof),
  CheckedConnection: object({ ...proof, checkedAt: moment }),
  InspectedKey: object({
    usable: about(flag, 'Whether it is a private key as the platform gives them.'),
    message: text,
    fingerprint: about(textOrNull, 'SHA-256 of the public key, in hex; null where it cannot be used.'),
    usedBy: about(listOf(text), 'Ids of the connections with this key, managed and hosted.'),
  }),
  Key: object(key),
  KeyPage: pageOf('Key'),
  IssuedKey: object(issued),
  RerolledKey: object({ ...issued, untoldUntil }),
  RevokedKey: object({ id: text, revoked: yes, alreadyRevoked: flag, untoldUntil }),
  Vault: object({
    writes: about(textOrNull, 'Id of the master key that wraps new credentials; null without master keys.'),
    masterKeys: listOf(
      object({
        id: text,
        given: about(flag, 'Whether this server has it.'),
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
    details: {
      type: 'object',
      additionalProperties: { anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, listOf(text)] },
      description: 'Names, numbers and codes; never a secret.',
    },
    hash: about(text, 'SHA-256 over the line before and this one, in hex.'),
  }),
  AuditBeginning: object({
    line: about(whole, 'The first line that was not pruned.'),
    prunedAt: moment,
    from: about(moment, 'Of the lines that were pruned then: when the first was written.'),
    to: about(moment, 'And the last.'),
    toldBy: about(whole, 'The line that tells of it.'),
    sealedBy: about(textOrNull, 'Id of the master key that vouches for it; null: a secret that lies in the store.'),
  }),
  AuditPage: pageOf('AuditLine', { begins: orNull(ref('AuditBeginning'), 'null where nothing was pruned.') }),
  ConnectionStatus: object(connectionStatus),
  Status: object({
    ...self,
    connections: about(listOf(ref('ConnectionStatus')), 'Those that are open, by id.'),
    workers,
  }),
  ...latelySchemas,
  Session: sessionSchema,
  EndedSession: object({ ended: yes }),
  ...readingSchemas,
  Examination: examinationSchema,
  Problem: object({ error: ref('ProblemError') }),
  ProblemError: {
    type: 'object',
    required: ['type', 'code', 'message', 'requestId', 'retryable', 'docUrl'],
    properties: {
      type: { ...text, enum: [...new Set(Object.values(problems).map(({ type }) => type))] },
      code: about(text, 'Finer than the type; more may come.'),
      message: about(text, 'For people.'),
      requestId: about(text, 'Equal to the X-Request-Id header.'),
      retryable: about(flag, 'Whether the same request may succeed later.'),
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
