// Connections that the operator keeps in the settings. They can be read again while the service runs: all of the new
// ones, or, where one is wrong, all of the old ones.
import type { ConnectionSettings } from '../settings.ts'
import type { Line } from '../engine/port.ts'
import { type Bind, type Connection, identityOf, type ShownConnection, type Source } from './connection.ts'
import type { Credential } from './credential.ts'
import { type KeyFile, readKeyFile } from './key-file.ts'

/** with the whole path of the key file */
export interface Located extends ConnectionSettings {
  readonly source: Source
}

export type ManagedSettings = Readonly<Record<string, Located>>

export interface Managed {
  find(id: string): Connection | undefined
  list(): ShownConnection[]
  all(): readonly Connection[]
  /** Throws one Error that names every connection whose key cannot be used, and leaves what is served as it was. */
  load(settings: ManagedSettings): void
  /** the same, but what was opened is served only once the answer is called */
  prepare(settings: ManagedSettings): () => void
}

interface Kept {
  readonly line: Line
  readonly connection: Connection
  readonly shown: ShownConnection
}

/** of the account, not of its key: a team's signing key can be rotated. An individual key has nothing else */
export const accountOf = ({ issuerId, keyId }: Pick<ConnectionSettings, 'issuerId' | 'keyId'>): string =>
  issuerId ?? `user ${keyId}`

const shownOf = (id: string, { keyId, issuerId, linkage, tokenScope, source }: Located) => ({
  id,
  kind: 'managed' as const,
  keyId,
  issuerId: issuerId ?? null,
  linkage: linkage ?? null,
  tokenScope: tokenScope ?? null,
  source,
  createdAt: null,
  replacedAt: null,
  lastUsedAt: null,
})

/** for those who only look: without opening anything that would fail */
export function showManaged(settings: ManagedSettings): ShownConnection[] {
  return Object.entries(settings).map(([id, one]) => {
    const shown = shownOf(id, one)
    try {
      return { ...shown, fingerprint: readKeyFile(one.privateKeyFile).fingerprint }
    } catch {
      // the list says so with a null; `check` says why
      return { ...shown, fingerprint: null, source: { ...one.source, privateKeyFile: null } }
    }
  })
}

const credentialOf = ({ keyId, issuerId, tokenScope }: ConnectionSettings, file: KeyFile): Credential => ({
  ...{ keyId, ...(issuerId !== undefined && { issuerId }), ...(tokenScope && { tokenScope }) },
  // made by the first signature
  get key() {
    return file.key()
  },
})

/** connections of one key may share its file */
function readEachOnce(): (file: string) => KeyFile {
  const known = new Map<string, KeyFile>()
  return (file) => {
    const found = known.get(file) ?? readKeyFile(file)
    known.set(file, found)
    return found
  }
}

export function createManaged(bind: Bind): Managed {
  // Maps, so that no id resembles a member of an object
  let kept = new Map<string, Kept>()

  function open(id: string, settings: Located, file: KeyFile): Kept {
    const { linkage, cacheSeconds } = settings
    const shown = { ...shownOf(id, settings), fingerprint: file.fingerprint }
    const held = kept.get(id)
    const rest = { linkage: linkage === 'asked', ...(cacheSeconds !== undefined && { cacheSeconds }) }
    // nothing has changed, so its tokens stay good; the key may have moved
    const identity = identityOf('managed', JSON.stringify({ ...shown, source: null }))
    const isSame = held?.connection.identity === identity
    const line = isSame ? held.line : bind(credentialOf(settings, file), id, identity)
    return { shown, line, connection: { id, account: accountOf(settings), identity, ...rest, ...line } }
  }

  function prepare(settings: ManagedSettings): () => void {
    const fresh = new Map<string, Kept>()
    const wrong: string[] = []
    const read = readEachOnce()
    for (const [id, one] of Object.entries(settings)) {
      try {
        fresh.set(id, open(id, one, read(one.privateKeyFile)))
      } catch (error) {
        wrong.push(`connections.${id}.privateKeyFile (${one.privateKeyFile}): ${(error as Error).message}`)
      }
    }
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
    return () => (kept = fresh)
  }

  return {
    find: (id) => kept.get(id)?.connection,
    list: () => [...kept.values()].map(({ shown }) => shown),
    all: () => [...kept.values()].map(({ connection }) => connection),
    prepare,
    load: (settings) => prepare(settings)(),
  }
}
