// Whether the master keys are those of the store, and whether every hosted credential opens with them.
import { openRecord } from '../connections/hosted.ts'
import { checkVault, openVault } from '../connections/vault-source.ts'
import { Unreadable, type Vault } from '../connections/vault.ts'
import { counted } from '../counted.ts'
import { within } from '../office.ts'
import type { Store } from '../store/records.ts'
import { cureOf, judgeTyped, otherThanFile } from './file-check.ts'
import { fail, ok, type Verdict } from './finding.ts'
import type { Patient } from './patient.ts'

/** so many are named */
const mostNamed = 5
const pageSize = 200

const cure =
  'Give all master keys that wrap something, in VITRINE_MASTER_KEYS or masterKeysFile; `vitrine vault status` names them.'

const says = 'The master keys cannot be used.'

const given = ({ reads, writes }: Vault): string => `${counted(reads.length, 'master key')}; ${writes} writes.`

async function judgeAgainst(store: Store, { vault }: Patient): Promise<Verdict> {
  const missing: string[] = []
  await checkVault(store, vault, (event) => {
    if (event.kind === 'master_key_missing') missing.push(event.masterKey)
  })
  if (missing.length > 0)
    return fail('A master key is missing.', { cause: `hosted connections are wrapped by ${missing.join(', ')}`, cure })
  if (vault) return ok(given(vault))
  return ok('There are none, and none are needed: the store holds no hosted connection.')
}

export async function judgeMasterKeys(patient: Patient): Promise<Verdict> {
  const { settings, folder, secrets, look, sound } = patient
  const { masterKeysFile: file } = settings
  const path = file === undefined ? undefined : within(folder, file)
  if (file !== undefined && path !== undefined) {
    const typed = judgeTyped('masterKeysFile', { value: file, path, says })
    const other = otherThanFile(path)
    if (typed) return typed
    if (other !== undefined) return fail(says, { cause: `masterKeysFile (${path}): ${other}`, cure })
  }
  try {
    patient.vault = openVault({ file: path, text: secrets.masterKeys })
    if (look && sound) return await judgeAgainst(look.store, patient)
    const { vault } = patient
    return ok(vault ? `${given(vault)} Whether the store needs others is not known.` : 'There are none.')
  } catch (error) {
    return fail(says, { cause: (error as Error).message, cure: cureOf(error) ?? cure })
  }
}

/** so many are opened in one go, and then those come first who wait meanwhile */
const atOnce = 20

export async function judgeCredentials(patient: Patient, signal: AbortSignal): Promise<Verdict> {
  const { look, vault, hosted, closed } = patient
  if (!look) return ok('There is no hosted connection.')
  for (let after = ''; ;) {
    const rows = await look.store.connections.page({ after, limit: pageSize })
    for (const row of rows) {
      if (hosted.size % atOnce === 0) await new Promise((ok) => setImmediate(ok))
      signal.throwIfAborted()
      hosted.set(row.id, row)
      try {
        openRecord(vault, row)
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        closed.set(row.id, error.message)
      }
    }
    if (rows.length < pageSize) break
    after = rows.at(-1)?.id ?? ''
  }
  patient.isCounted = true
  if (closed.size === 0)
    return ok(hosted.size === 0 ? 'There is no hosted connection.' : `All ${hosted.size} of them open.`)
  const named = [...closed].slice(0, mostNamed).map(([id, reason]) => `${id}: ${reason}`)
  const more = closed.size > mostNamed ? `; and ${closed.size - mostNamed} more` : ''
  return fail(`${counted(closed.size, 'hosted credential')} of ${hosted.size} cannot be opened.`, {
    cause: named.join('; ') + more,
    cure: 'Store the signing key anew: vitrine connections replace <id>. If nobody here changed the row, find out who did.',
  })
}
