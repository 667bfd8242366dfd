// Keys, connections and audit lines as the operator endpoint and the commands show them; `answer-schemas.ts` describes them.
import type { Group } from '../catalogue/define.ts'
import type { ShownConnection } from '../connections/connection.ts'
import type { StoredConnection } from '../connections/connection-admin.ts'
import type { KeyCheck } from '../connections/key-check.ts'
import type { IssuedKey, FacadeKey, Keys } from '../keys/keys.ts'
import type { Anchor, AuditRecord } from '../../../base/core/audit.ts'
import { isoOf } from '../../../base/core/moment.ts'
import { described } from '../../../base/operations/schema.ts'
import { answerSchemas } from './answer-schemas.ts'

export const shownConnection = (connection: ShownConnection) =>
  described(answerSchemas.Connection, {
    ...connection,
    createdAt: isoOf(connection.createdAt),
    replacedAt: isoOf(connection.replacedAt),
    lastUsedAt: isoOf(connection.lastUsedAt),
  })

const shownCheck = (check: KeyCheck) => described(answerSchemas.Check, check)
export const checkedAt = (check: KeyCheck, now: number) => ({ ...shownCheck(check), checkedAt: isoOf(now) })
export const storedConnection = ({ shown, check }: StoredConnection) => ({
  ...shownConnection(shown),
  check: check && shownCheck(check),
})

function stateOf({ revokedAt, expiresAt }: FacadeKey, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

/** `ended`: connections that it names and no longer reads */
export const shownKey = (key: FacadeKey, ended: readonly string[], now: number) =>
  described(answerSchemas.Key, {
    ...key,
    state: stateOf(key, now),
    endedConnections: ended,
    groups: key.groups as readonly Group[],
    createdAt: isoOf(key.createdAt),
    expiresAt: isoOf(key.expiresAt),
    revokedAt: isoOf(key.revokedAt),
    lastUsedAt: isoOf(key.lastUsedAt),
  })

/** in answers to acts that revoke or remove something */
export const unpublishedState = ({ unpublishedUntil }: { unpublishedUntil: () => number | undefined }) => ({
  untoldUntil: isoOf(unpublishedUntil() ?? null),
})

export const shownKeyBy = async (keys: Keys, key: FacadeKey, now: number) =>
  shownKey(key, (await keys.endedOf([key]))(key), now)

export const issuedKey = async (keys: Keys, { key, shown }: IssuedKey, now: number) => ({
  key,
  ...(await shownKeyBy(keys, shown, now)),
})

export const keyNames = (keys: readonly FacadeKey[]) => keys.map(({ id, name }) => ({ id, name }))

export const auditLine = (line: AuditRecord) => described(answerSchemas.AuditLine, { ...line, at: isoOf(line.at) })

export const auditBeginning = ({ through, fromAt, toAt, prunedAt, line, sealedBy }: Anchor) => ({
  line: through + 1,
  prunedAt: isoOf(prunedAt),
  from: isoOf(fromAt),
  to: isoOf(toAt),
  toldBy: line,
  sealedBy,
})
