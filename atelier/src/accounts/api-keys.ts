// API keys: atl_<8 id>_<43 secret>_<6 checksum>. Only an HMAC of a key is stored; the checksum refuses a mistyped one
// without the store.
import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Observe } from '../events.ts'
import { makeId } from '../ids.ts'
import { product } from '../product.ts'
import { checksumOf, keyForm } from './key-text.ts'
import type { KeyRecord, KeyRows } from '../store/key-rows.ts'
import { refuse } from '../problems.ts'
import type { Scope } from './scopes.ts'

const letters = '0123456789abcdefghijklmnopqrstuvwxyz'
/** `lastUsedAt` is true to within a minute */
const usedEveryMs = 30_000
/** revoked keys stay listed for 30 days */
export const listedMs = 30 * 24 * 60 * 60_000

export interface NewKey {
  readonly id?: string
  readonly account: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
  readonly createdBy: string
}

export interface ApiKeysOptions {
  readonly rows: KeyRows
  /** of the installation */
  readonly secret: Uint8Array
  readonly now: () => number
  readonly observe: Observe
}

const isLiving = ({ revokedAt, expiresAt }: KeyRecord, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

export function createApiKeys({ rows, secret, now, observe }: ApiKeysOptions) {
  const digestOf = (text: string): Buffer => createHmac('sha256', secret).update(text).digest()
  const noDigest = digestOf('none')
  const usedAt = new Map<string, number>()

  function noteUse({ id }: KeyRecord) {
    const at = now()
    if (at - (usedAt.get(id) ?? 0) < usedEveryMs) return
    if (usedAt.size > 10_000) usedAt.clear()
    usedAt.set(id, at)
    rows.used(id, at).catch(() => observe({ kind: 'refused', code: 'last_used', reason: 'the store did not take it' }))
  }

  return {
    /** the key's text is shown once */
    async create(wanted: NewKey, most: number): Promise<{ readonly key: KeyRecord; readonly text: string }> {
      const id = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
      const prefix = `${product.keyPrefix}${id}`
      const body = `${prefix}_${randomBytes(32).toString('base64url')}`
      const text = `${body}_${checksumOf(body)}`
      const key: KeyRecord = {
        id: makeId('key'),
        ...wanted,
        prefix,
        digest: digestOf(text),
        createdAt: now(),
        lastUsedAt: null,
        revokedAt: null,
      }
      const current = await rows.add(key, most)
      if (current !== undefined) throw refuse('quota_exceeded', { resource: 'keys', limit: most, current })
      return { key, text }
    },

    /** undefined: it is no living key */
    async authenticate(authorization: string | undefined): Promise<KeyRecord | undefined> {
      const [, text = ''] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? []
      const [, prefix, , , checksum] = keyForm.exec(text) ?? []
      if (prefix === undefined || checksumOf(text.slice(0, -7)) !== checksum) return undefined
      const key = await rows.findUnrevoked(prefix)
      const isOurs = timingSafeEqual(digestOf(text), key?.digest ?? noDigest)
      if (!key || !isOurs || !isLiving(key, now())) return undefined
      noteUse(key)
      return key
    },

    page: (account: string, after: Parameters<KeyRows['page']>[2], limit: number) =>
      rows.page(account, now() - listedMs, after, limit),

    async revoke(account: string, id: string): Promise<void> {
      const key = await rows.find(account, id)
      if (!key) throw refuse('key_not_found')
      await rows.revoke(id, now())
    },

    livingOf: (ids: readonly string[]) => rows.livingOf(ids, now()),
    forget: () => rows.forget(now() - listedMs),
  }
}

export type ApiKeys = ReturnType<typeof createApiKeys>
