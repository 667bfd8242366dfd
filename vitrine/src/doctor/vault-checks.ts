// Checks that the master keys fit the store, and that every hosted credential can be decrypted with them.
import { openCredential } from '../connections/hosted.ts'
import { checkVault, openVault } from '../connections/vault-source.ts'
import { UnreadableCredential, type Vault } from '../connections/vault.ts'
import { counted } from '../../../base/core/plural.ts'
import { within } from '../core/located.ts'
import type { Store } from '../store/store.ts'
import { fileFix, judgePath } from './file-check.ts'
import { fail, ok, type Verdict } from './finding.ts'
import type { Installation } from './installation.ts'

const mostNamed = 5
const pageSize = 200

const cure =
  'Set all master keys that are in use, in VITRINE_MASTER_KEYS or masterKeysFile. `vitrine vault status` lists them.'

const says = 'The master keys cannot be used.'

const given = ({ reads, writes }: Vault): string => `${counted(reads.length, 'master key')}; ${writes} is active.`

async function judgeAgainst(store: Store, { vault }: Installation): Promise<Verdict> {
  const missing: string[] = []
  await checkVault(store, vault, (event) => {
    if (event.kind === 'master_key_missing') missing.push(event.masterKey)
  })
  if (missing.length > 0)
    return fail('A master key is missing.', {
      cause: `hosted connections are encrypted with ${missing.join(', ')}`,
      cure,
    })
  if (vault) return ok(given(vault))
  return ok('No master key is set, and none is needed: the store holds no hosted connection.')
}

export async function judgeMasterKeys(installation: Installation): Promise<Verdict> {
  const { settings, folder, secrets, openStore: look, isSchemaCurrent: sound } = installation
  const { masterKeysFile: file } = settings
  const path = file === undefined ? undefined : within(folder, file)
  const wrong =
    file !== undefined && path !== undefined && judgePath('masterKeysFile', { value: file, path, says, cure })
  if (wrong) return wrong
  try {
    installation.vault = openVault({ file: path, text: secrets.masterKeys })
    if (look && sound) return await judgeAgainst(look.store, installation)
    const { vault } = installation
    return ok(vault ? `${given(vault)} Whether the store needs others is not known.` : 'No master key is set.')
  } catch (error) {
    return fail(says, { cause: (error as Error).message, cure: fileFix(error) ?? cure })
  }
}

const atOnce = 20

export async function judgeCredentials(installation: Installation, signal: AbortSignal): Promise<Verdict> {
  const { openStore: look, vault, hosted, unreadable: closed } = installation
  if (!look) return ok('There is no hosted connection.')
  for (let after = ''; ;) {
    const rows = await look.store.connections.page({ after, limit: pageSize })
    for (const row of rows) {
      if (hosted.size % atOnce === 0) await new Promise((ok) => setImmediate(ok))
      signal.throwIfAborted()
      hosted.set(row.id, row)
      try {
        openCredential(vault, row)
      } catch (error) {
        if (!(error instanceof UnreadableCredential)) throw error
        closed.set(row.id, error.message)
      }
    }
    if (rows.length < pageSize) break
    after = rows.at(-1)?.id ?? ''
  }
  installation.isStoreRead = true
  if (closed.size === 0)
    return ok(hosted.size === 0 ? 'There is no hosted connection.' : `All ${hosted.size} can be decrypted.`)
  const named = [...closed].slice(0, mostNamed).map(([id, reason]) => `${id}: ${reason}`)
  const more = closed.size > mostNamed ? `; and ${closed.size - mostNamed} more` : ''
  return fail(`${counted(closed.size, 'hosted credential')} of ${hosted.size} cannot be decrypted.`, {
    cause: named.join('; ') + more,
    cure: 'Store the signing key again: vitrine connections replace <id>. If nobody here changed the row, find out who did.',
  })
}
