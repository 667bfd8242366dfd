// Connections that the operator keeps in the settings. They can be read again while the service runs: all of the new
// ones, or, where one is wrong, all of the old ones.
import type { ConnectionSettings } from '../settings.ts'
import type { Bind, Connection, ShownConnection } from './connection.ts'
import { fingerprintOf, readKeyFile } from './credential.ts'

export type ManagedSettings = Readonly<Record<string, ConnectionSettings>>

export interface Managed {
  find(id: string): Connection | undefined
  list(): ShownConnection[]
  all(): readonly Connection[]
  /** Throws one Error that names every connection whose key cannot be used, and leaves what is served as it was. */
  load(settings: ManagedSettings): void
}

interface Kept {
  readonly connection: Connection
  readonly shown: ShownConnection
}

const shownOf = (id: string, { keyId, issuerId, linkage, tokenScope }: ConnectionSettings) => ({
  id,
  kind: 'managed' as const,
  keyId,
  issuerId: issuerId ?? null,
  linkage: linkage ?? null,
  tokenScope: tokenScope ?? null,
  createdAt: null,
  replacedAt: null,
  lastUsedAt: null,
})

/** for those who only look: without opening anything that would fail */
export function showManaged(settings: ManagedSettings): ShownConnection[] {
  return Object.entries(settings).map(([id, one]) => {
    let fingerprint: string | null = null
    try {
      fingerprint = fingerprintOf(readKeyFile(one.privateKeyFile))
    } catch {
      // the list says so with a null; `check` says why
    }
    return { ...shownOf(id, one), fingerprint }
  })
}

export function createManaged(bind: Bind): Managed {
  // Maps, so that no id resembles a member of an object
  let kept = new Map<string, Kept>()

  function open(id: string, settings: ConnectionSettings): Kept {
    const { keyId, issuerId, privateKeyFile, linkage, tokenScope, cacheSeconds } = settings
    const key = readKeyFile(privateKeyFile)
    const shown = { ...shownOf(id, settings), fingerprint: fingerprintOf(key) }
    const held = kept.get(id)
    const rest = { linkage: linkage === 'asked', ...(cacheSeconds !== undefined && { cacheSeconds }) }
    // nothing has changed, so its tokens stay good
    if (held && JSON.stringify(held.shown) === JSON.stringify(shown))
      return { shown, connection: { ...held.connection, ...rest } }
    const credential = {
      ...{ keyId, key, ...(issuerId !== undefined && { issuerId }) },
      ...(tokenScope && { tokenScope }),
    }
    return { shown, connection: { id, account: issuerId ?? `user ${keyId}`, ...rest, ...bind(credential, id) } }
  }

  return {
    find: (id) => kept.get(id)?.connection,
    list: () => [...kept.values()].map(({ shown }) => shown),
    all: () => [...kept.values()].map(({ connection }) => connection),
    load(settings) {
      const fresh = new Map<string, Kept>()
      const wrong: string[] = []
      for (const [id, one] of Object.entries(settings)) {
        try {
          fresh.set(id, open(id, one))
        } catch (error) {
          wrong.push(`connections.${id}.privateKeyFile (${one.privateKeyFile}): ${(error as Error).message}`)
        }
      }
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
      kept = fresh
    },
  }
}
