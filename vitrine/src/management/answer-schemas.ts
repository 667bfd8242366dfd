// The schemas of the answers of the operator endpoint; `shown.ts` makes the answers. Long because it is a table.
import { groups } from '../catalogue/groups.ts'
import { examinationSchema } from './findings.ts'
import { statusSchemas } from './status-schemas.ts'
import { roles } from './roles.ts'
import { readingSchemas } from './explorer-schemas.ts'
import {
  about,
  type AnswerOf,
  type AnswerSchema,
  flag,
  integer,
  integerOrNull,
  listOf,
  mapOf,
  moment,
  momentOrNull,
  object,
  oneOf,
  oneOfOrNull,
  orNull,
  pageOf,
  ref,
  text,
  textOrNull,
  whole,
  yes,
} from '../../../base/operations/schema.ts'

const source = object({
  settings: about(textOrNull, 'Name of the settings file, or `VITRINE_CONNECTIONS`; null: neither, as in the demo.'),
  privateKeyFile: about(textOrNull, 'Path of its key file as written there; null where the file cannot be read.'),
})

const connection = {
  id: text,
  kind: about(oneOf(['managed', 'hosted']), '`managed`: in the settings file; `hosted`: in the store.'),
  keyId: about(text, 'Id of the signing key at the platform.'),
  issuerId: about(textOrNull, 'null: an individual key.'),
  fingerprint: about(textOrNull, 'SHA-256 of the public key, in hex; null where the key file cannot be read.'),
  linkage: oneOfOrNull(['asked']),
  tokenScope: oneOfOrNull(['request']),
  source: orNull(source, 'Where it is configured; null for hosted ones.'),
  createdAt: about(momentOrNull, 'null for managed ones.'),
  replacedAt: momentOrNull,
  lastUsedAt: about(momentOrNull, 'Up to some minutes late; null: never, or a managed one.'),
}

const proof = {
  ok: about(flag, 'Whether the platform accepts the signing key and answers.'),
  code: about(textOrNull, 'null: accepted; else a code such as `upstream_key_rejected`.'),
  message: text,
}

const check = object(proof)

const key = {
  id: about(text, 'Public part of the key.'),
  name: text,
  note: textOrNull,
  state: oneOf(['active', 'expired', 'revoked']),
  connections: about(listOf(text), 'Ids, or `*` for all.'),
  endedConnections: about(
    listOf(text),
    'Ids among them that it no longer reads: the connection was removed, or has another account now. Create another key.',
  ),
  groups: listOf(oneOf(groups)),
  apps: orNull(listOf(text), 'Ids of the apps that it is for; null: all.'),
  personal: about(flag, 'Whether it is shown personal data.'),
  perMinute: about(integerOrNull, "null: the service's rate; 0: no limit."),
  platformCallsPerHour: about(integerOrNull, 'Its budget of platform calls; null: none.'),
  createdAt: moment,
  expiresAt: about(momentOrNull, 'null: never.'),
  revokedAt: momentOrNull,
  replaces: about(textOrNull, 'Id of the key that this one replaced.'),
  lastUsedAt: about(momentOrNull, 'Up to some minutes late.'),
}

const connectionSchema = object(connection)
const keySchema = object(key)

const stored = {
  ...connection,
  check: orNull(ref<AnswerOf<typeof check>>('Check'), 'null: not requested.'),
}
const issued = { key: about(text, 'The facade key itself, shown only here.'), ...key }

const keyNames = listOf(object({ id: text, name: text }))
const endedKeys = about(keyNames, 'Active keys that named the connection and no longer read it.')

const untoldUntil = about(
  momentOrNull,
  'Until when a replica that reaches neither the store nor Redis may still use the old state; null: all replicas have the change.',
)

const sessionSchema = object({
  who: about(
    text,
    '`operator:` and the beginning of the hash of the token, or `oidc:` and a name, as in the audit log.',
  ),
  role: about(oneOf(roles), 'The holder of a token is an administrator.'),
  operations: about(listOf(text), 'Ids of the operations that the role allows.'),
  csrf: about(text, 'Sent as `X-Vitrine-Csrf` with every request that the cookie authenticates.'),
  startedAt: moment,
  endsAt: about(moment, 'At the latest.'),
  idleSec: about(whole, 'How long it may be idle before it ends.'),
  service: object({
    version: text,
    publicUrl: about(
      text,
      'Where callers reach the public endpoint: `publicUrl` of the settings, else where it listens.',
    ),
  }),
})

const waysSchema = object({ provider: about(textOrNull, 'Name of the OpenID Connect provider; null: none.') })

const detail: AnswerSchema<string | number | boolean | null | readonly string[]> = {
  anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, listOf(text)],
}

const auditLine = object({
  seq: about(integer, '1, 2, 3, … without a gap.'),
  at: moment,
  act: about(text, 'Such as `keys.revoke`.'),
  target: about(textOrNull, 'Id of what was acted on.'),
  who: about(
    text,
    '`operator:` and the beginning of the hash of a token, `oidc:` and a name, `cli:` and a user, or the id of a facade key.',
  ),
  from: about(text, 'Address, or name of the machine.'),
  requestId: textOrNull,
  outcome: oneOf(['done', 'denied']),
  details: about(mapOf(detail), 'Names, numbers and codes; never a secret.'),
  hash: about(text, 'SHA-256 over the line before and this one, in hex.'),
})

const auditBeginning = object({
  line: about(whole, 'The first line that was not pruned.'),
  prunedAt: moment,
  from: about(moment, 'When the first of the pruned lines was written.'),
  to: about(moment, 'When the last of them was written.'),
  toldBy: about(whole, 'The line that records it.'),
  sealedBy: about(textOrNull, 'Id of the master key that seals it; null: a secret in the store.'),
})

export const answerSchemas = {
  Connection: connectionSchema,
  ConnectionPage: object(pageOf<AnswerOf<typeof connectionSchema>>('Connection')),
  StoredConnection: object(stored),
  OneConnection: object({
    ...connection,
    keys: about(keyNames, 'Active keys that name it and lose it when it is removed, without keys for all (`*`).'),
  }),
  ReplacedConnection: object({ ...stored, endedKeys, untoldUntil }),
  RemovedConnection: object({ id: text, removed: yes, endedKeys, untoldUntil }),
  Check: check,
  CheckedConnection: object({ ...proof, checkedAt: moment }),
  InspectedKey: object({
    usable: about(flag, 'Whether it is a private key as the platform issues them.'),
    message: text,
    fingerprint: about(textOrNull, 'SHA-256 of the public key, in hex; null where it cannot be used.'),
    usedBy: about(listOf(text), 'Ids of the connections with this key, managed and hosted.'),
  }),
  Key: keySchema,
  KeyPage: object(pageOf<AnswerOf<typeof keySchema>>('Key')),
  IssuedKey: object(issued),
  RerolledKey: object({ ...issued, untoldUntil }),
  RevokedKey: object({ id: text, revoked: yes, alreadyRevoked: flag, untoldUntil }),
  Vault: object({
    writes: about(textOrNull, 'Id of the active master key, which encrypts new credentials; null without master keys.'),
    masterKeys: listOf(
      object({
        id: text,
        given: about(flag, 'Whether this server has it.'),
        wraps: about(integer, 'How many credentials need it.'),
      }),
    ),
  }),
  AuditLine: auditLine,
  AuditBeginning: auditBeginning,
  AuditPage: object({
    ...pageOf<AnswerOf<typeof auditLine>>('AuditLine'),
    begins: orNull(ref<AnswerOf<typeof auditBeginning>>('AuditBeginning'), 'null where nothing was pruned.'),
  }),
  ...statusSchemas,
  Session: sessionSchema,
  SignInWays: waysSchema,
  EndedSession: object({ ended: yes }),
  ...readingSchemas,
  Examination: examinationSchema,
}

type Schemas = typeof answerSchemas
export type Answers = { readonly [Name in keyof Schemas]: AnswerOf<Schemas[Name]> }
