// `vitrine vault …`: which master key wraps what, the move to a new one, and the proof that everything opens.
import type { Failure, Progress } from '../connections/rotation.ts'
import { makeMasterKey } from '../connections/master-keys.ts'
import { Complaint } from './complaint.ts'
import { printJson, printLine, printRows, say, startProgress } from './output.ts'
import { inOffice } from './session.ts'
import type { ConfigOption } from './settings-file.ts'

export async function vaultStatus(options: ConfigOption) {
  await inOffice(options, {}, async ({ rotation }) => {
    const status = await rotation.status()
    const rows = status.masterKeys.map(({ id, given, wraps }) => ({
      ...{ 'master key': id, given: given ? 'yes' : 'NO', writes: id === status.writes ? 'yes' : '', wraps },
    }))
    printRows(rows, status, 'There are no master keys, and nothing is sealed. Make one with: vitrine vault new-key')
  })
}

function tellFailures(failed: readonly Failure[]) {
  for (const { id, reason } of failed) say(`${id}: ${reason}`)
}

const progressOf =
  (bar: ReturnType<typeof startProgress>) =>
  ({ done, of }: Progress) =>
    bar.show(done, of)

export async function rotateVault(options: ConfigOption) {
  await inOffice(options, { act: 'vault.rotate' }, async ({ rotation, actor }) => {
    const bar = startProgress('moved')
    const rotated = await rotation.rotate(actor, progressOf(bar)).finally(bar.end)
    tellFailures(rotated.failed)
    printJson({ ...rotated, status: await rotation.status() })
    if (!rotated.compacted)
      say('What the old master key wrapped may still lie in the free space of the store: see the guide on the vault.')
    if (rotated.left > 0)
      throw new Complaint(
        `${rotated.left} data keys are still under another master key. Where they failed, see above; where a server with older settings wrote them meanwhile, give it the new master keys and run this again.`,
      )
  })
}

export async function verifyVault(options: ConfigOption) {
  await inOffice(options, {}, async ({ rotation }) => {
    const bar = startProgress('opened')
    const verified = await rotation.verify(progressOf(bar)).finally(bar.end)
    tellFailures(verified.failed)
    printJson(verified)
    if (verified.failed.length > 0) throw new Complaint(`${verified.failed.length} credentials do not open.`)
  })
}

export async function newMasterKey({ id }: { id: string }) {
  if (!/^[\w.-]{1,32}$/.test(id)) throw new Complaint('--id is 1 to 32 letters, digits, dots, dashes or underscores.')
  say('Keep a copy in a safe place: what it seals cannot be opened without it.')
  await printLine(makeMasterKey(id))
}
