// SSH sessions: the right to log in to one container, with one key, for a limited time.
import type { Containers } from '../containers/containers.ts'
import { refuse } from '../problems.ts'
import type { SshSessionRecord, SshSessionRows } from '../store/ssh-session-rows.ts'
import { makeKeyPair } from './key-pair.ts'
import { readPublicKey } from './public-key.ts'

export const standardTtlSeconds = 600

export interface SshWish {
  readonly containerId: string
  readonly publicKey?: string | null
  readonly ttlSeconds?: number
}

export interface SshSessionsOptions {
  readonly rows: SshSessionRows
  readonly containers: Pick<Containers, 'running'>
  /** sessions of a container */
  readonly most: number
  readonly now: () => number
}

export interface SshOwner {
  /** of the session */
  readonly id: string
  readonly account: string
  readonly keyId: string
}

export function createSshSessions({ rows, containers, most, now }: SshSessionsOptions) {
  return {
    /** `privateKey` is null where the caller gave a public key */
    async create({ id, account, keyId }: SshOwner, wish: SshWish) {
      const { containerId, publicKey: given = null, ttlSeconds = standardTtlSeconds } = wish
      const own = given === null ? undefined : { privateKey: null, publicKey: readPublicKey(given) }
      const container = await containers.running(account, containerId)
      const { privateKey, publicKey } = own ?? makeKeyPair()
      const at = now()
      const endsAt = Math.min(at + ttlSeconds * 1_000, container.expiresAt)
      const session: SshSessionRecord = {
        id,
        container: container.id,
        account,
        keyId,
        publicKey,
        endsAt,
      }
      const current = await rows.add(session, most, at)
      if (current === undefined) return { session, privateKey }
      const firstEnd = (await rows.firstEnd(container.id, at)) ?? at
      const retryAfterSec = Math.max(1, Math.ceil((firstEnd - at) / 1_000))
      throw refuse('ssh_limit', { limit: most, current }, { retryAfterSec })
    },
    async find(id: string): Promise<SshSessionRecord | undefined> {
      const session = await rows.find(id)
      return session && session.endsAt > now() ? session : undefined
    },
  }
}

export type SshSessions = ReturnType<typeof createSshSessions>
