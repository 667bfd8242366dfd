// Opens the vault that an installation is given, and checks that it is the one its store was encrypted with.
import { readFileSync } from 'node:fs'
import type { Observe } from '../events.ts'
import { Problem } from '../problems.ts'
import type { Store } from '../store/store.ts'
import { type MasterKeys, readMasterKeys } from './master-keys.ts'
import { createVault, type Vault } from './vault.ts'

export interface MasterKeySource {
  readonly file: string | undefined
  readonly text: string | undefined
}

function readSource({ file, text }: MasterKeySource): MasterKeys | undefined {
  if (file !== undefined && text !== undefined)
    throw new Error('VITRINE_MASTER_KEYS and masterKeysFile are both given: which one counts must not be a guess')
  try {
    if (file !== undefined) return readMasterKeys(readFileSync(file, 'utf8'))
    return text === undefined ? undefined : readMasterKeys(text)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const name = file === undefined ? 'VITRINE_MASTER_KEYS' : `masterKeysFile (${file})`
    const why = code === undefined ? (error as Error).message : `it cannot be read (${code})`
    throw new Error(`${name}: ${why}`, { cause: error })
  }
}

export function openVault(source: MasterKeySource): Vault | undefined {
  const masterKeys = readSource(source)
  return masterKeys && createVault(masterKeys)
}

const proofName = (id: string): string => `master-key:${id}`
const wrongMasterKey = (id: string): string =>
  `The master key "${id}" is not the one that this store knows by that name. Give the right one, or the new one another name.`

/** before any write: what a wrong master key encrypts could not be decrypted again */
export async function checkMasterKeyProof(store: Store, vault: Vault) {
  const proof = vault.proofOf(vault.writes)
  const kept = await store.secret(proofName(vault.writes), proof)
  if (Buffer.compare(kept, proof) !== 0) throw new Problem('vault_closed', { message: wrongMasterKey(vault.writes) })
}

interface WatchedVault {
  readonly store: Pick<Store, 'connections'>
  readonly vault: () => Vault | undefined
  readonly steady: () => number
}

/** probes come several times a second, and rotation changes the rows */
const cachedMs = 1_000

/** rejects while the store holds hosted connections and none can be decrypted; keeps its result while the store is down */
export function watchVault({ store, vault, steady }: WatchedVault): () => Promise<void> {
  let wrappedBy: Promise<readonly string[]> = Promise.resolve([])
  let askedAt = -Infinity
  return async () => {
    if (steady() - askedAt > cachedMs) {
      askedAt = steady()
      const before = wrappedBy
      wrappedBy = store.connections.wrappedBy().then(
        (counts) => [...counts.keys()],
        () => before,
      )
    }
    const ids = await wrappedBy
    if (ids.length === 0 || ids.some((id) => vault()?.reads.includes(id))) return
    throw new Problem('connection_unreadable', {
      message: 'None of the hosted connections can be opened.',
      cause: `they are wrapped by ${ids.join(', ')}, and none of these is given`,
    })
  }
}

/** Throws if the store was encrypted with other master keys, or needs some and none are given. */
export async function checkVault(store: Store, vault: Vault | undefined, observe: Observe) {
  for (const id of vault?.reads ?? []) {
    const kept = await store.recall(proofName(id))
    if (kept && vault && Buffer.compare(kept, vault.proofOf(id)) !== 0) throw new Error(wrongMasterKey(id))
  }
  const counts = await store.connections.wrappedBy()
  if (counts.size > 0 && !vault)
    throw new Error(
      `The store holds hosted connections, and there are no master keys to open them with. Set VITRINE_MASTER_KEYS or masterKeysFile to those with the ids: ${[...counts.keys()].join(', ')}.`,
    )
  for (const [id, wraps] of counts)
    if (!vault?.reads.includes(id)) observe({ kind: 'master_key_missing', masterKey: id, connections: wraps })
}
