// How keys, connections and lines of the audit are shown, at the operator's door and by commands; `answers.ts` describes it.
import type { ShownConnection } from '../../connections/connection.ts'
import type { Stored } from '../../connections/desk.ts'
import type { Proof } from '../../connections/proof.ts'
import type { Issued, Key, Keys } from '../../keys/keys.ts'
import type { Anchor, AuditRecord } from '../../store/records.ts'
import { isoOf } from '../moment.ts'

export const shownConnection = ({ createdAt, replacedAt, lastUsedAt, ...rest }: ShownConnection) => ({
  ...{ id: rest.id, kind: rest.kind, keyId: rest.keyId, issuerId: rest.issuerId, fingerprint: rest.fingerprint },
  ...{ linkage: rest.linkage, tokenScope: rest.tokenScope, source: rest.source },
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

/** `ended`: what it names and does not read */
export const shownKey = (key: Key, ended: readonly string[], now: number) => ({
  ...{ id: key.id, name: key.name, note: key.note, state: stateOf(key, now) },
  connections: key.connections,
  endedConnections: ended,
  groups: key.groups,
  perMinute: key.perMinute,
  ...{ createdAt: isoOf(key.createdAt), expiresAt: isoOf(key.expiresAt), revokedAt: isoOf(key.revokedAt) },
  ...{ replaces: key.replaces, lastUsedAt: isoOf(key.lastUsedAt) },
})

/** goes with the answer to an act that takes something away */
export const toldBy = ({ untold }: { untold: () => number | undefined }) => ({ untoldUntil: isoOf(untold() ?? null) })

/** the answer to an act that made or showed one key */
export const shownKeyBy = async (keys: Keys, key: Key, now: number) =>
  shownKey(key, (await keys.endedOf([key]))(key), now)

export const issuedKey = async (keys: Keys, { key, shown }: Issued, now: number) => ({
  key,
  ...(await shownKeyBy(keys, shown, now)),
})

/** of keys that name a connection */
export const namesOf = (keys: readonly Key[]) => keys.map(({ id, name }) => ({ id, name }))

export const auditLine = ({ seq, at, act, target, who, from, requestId, outcome, details, hash }: AuditRecord) => ({
  ...{ seq, at: isoOf(at), act, target, who, from, requestId, outcome, details, hash },
})

/** of an audit that was pruned */
export const auditBeginning = ({ through, fromAt, toAt, prunedAt, line, sealedBy }: Anchor) => ({
  ...{ line: through + 1, prunedAt: isoOf(prunedAt), from: isoOf(fromAt), to: isoOf(toAt), toldBy: line, sealedBy },
})
