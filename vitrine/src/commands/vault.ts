// `vitrine vault …`: shows which master key encrypts what, rotates master keys, verifies all credentials.
import type { RotationFailure, RotationProgress } from '../connections/rotation.ts'
import { makeMasterKey } from '../connections/master-keys.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { printJson, printRows, say, startProgress } from '../../../base/cli/output.ts'
import { withStore } from './with-store.ts'
import type { ConfigOption } from './settings-file.ts'

export async function vaultStatus(options: ConfigOption) {
  await withStore(options, {}, async ({ rotation }) => {
    const status = await rotation.status()
    const rows = status.masterKeys.map(({ id, given, wraps }) => ({
      'master key': id,
      given: given ? 'yes' : 'NO',
      writes: id === status.writes ? 'yes' : '',
      wraps,
    }))
    printRows(
      rows,
      status,
      'There are no master keys, and nothing is encrypted. Create one with: vitrine vault new-key',
    )
  })
}

function reportFailures(failed: readonly RotationFailure[]) {
  for (const { id, reason } of failed) say(`${id}: ${reason}`)
}

const progressOf =
  (bar: ReturnType<typeof startProgress>) =>
  ({ done, of }: RotationProgress) =>
    bar.show(done, of)

export async function rotateVault(options: ConfigOption) {
  await withStore(options, { act: 'vault.rotate' }, async ({ rotation, actor }) => {
    const bar = startProgress('moved')
    const rotated = await rotation.rotate(actor, progressOf(bar)).finally(bar.end)
    reportFailures(rotated.failed)
    printJson({ ...rotated, status: await rotation.status() })
    if (!rotated.compacted)
      say('Ciphertext of the old master key may remain in the free space of the store: see the guide on the vault.')
    if (rotated.left > 0)
      throw new UserError(
        `${rotated.left} data keys are still encrypted with another master key. Failures are listed above. If a replica with older settings wrote others meanwhile, give it the new master keys and run this again.`,
      )
  })
}

export async function verifyVault(options: ConfigOption) {
  await withStore(options, {}, async ({ rotation }) => {
    const bar = startProgress('opened')
    const verified = await rotation.verify(progressOf(bar)).finally(bar.end)
    reportFailures(verified.failed)
    printJson(verified)
    if (verified.failed.length > 0) throw new UserError(`${verified.failed.length} credentials could not be decrypted.`)
  })
}

export async function newMasterKey({ id }: { id: string }) {
  if (!/^[\w.-]{1,32}$/.test(id)) throw new UserError('--id is 1 to 32 letters, digits, dots, dashes or underscores.')
  say('Keep a copy in a safe place: without it, what it encrypts is lost.')
  process.stdout.write(`${makeMasterKey(id)}\n`)
}
