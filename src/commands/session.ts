// One act of the command line on the store of a service that may be running: opened, done, told, closed.
import { hostname, userInfo } from 'node:os'
import { idForms } from '../http/operator/operation.ts'
import { type Office, openOffice } from '../office.ts'
import { Problem } from '../problem.ts'
import type { Actor } from '../store/records.ts'
import { Complaint, orComplain } from './complaint.ts'
import { kebabOf } from './kebab.ts'
import { say } from './output.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'

export interface Session extends Office {
  readonly actor: Actor
  readonly loaded: Loaded
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // a container's user may have no name
    return String(process.getuid?.() ?? 'unknown')
  }
}

export const cliActor = (): Actor => ({ who: `cli:${userName()}`, from: hostname(), requestId: null })

/** the members of a request are options here */
function complaintOf({ code, message, extras: { param, cause } }: Problem): Complaint {
  if (code === 'store_unavailable') return new Complaint(`The store refuses: ${String(cause)}.`)
  return new Complaint(param === undefined ? message : `--${kebabOf(param)}: ${message}`)
}

export interface Intent {
  /** the audit's word for it, where it changes something: a refusal is kept there too */
  readonly act?: string
  readonly target?: string
}

export async function inOffice<T>(
  options: ConfigOption,
  intent: Intent,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const loaded = loadSettings(options)
  const { settings, folder, secrets } = loaded
  const observe = () => {}
  const office = await orComplain(() => openOffice(settings, { folder, secrets, observe, now: Date.now }))
  const actor = cliActor()
  try {
    return await run({ ...office, actor, loaded })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (intent.act !== undefined) await noteDenial(office, actor, { act: intent.act, target: intent.target, error })
    throw complaintOf(error)
  } finally {
    await office.close()
  }
}

async function noteDenial(
  { store }: Office,
  actor: Actor,
  { act, target = null, error }: { act: string; target: string | null | undefined; error: Problem },
) {
  // what has no possible form of an id may be a key that was put in its place
  const isId = target !== null && idForms[act.startsWith('keys.') ? 'key' : 'connection'].test(target)
  const kept = isId ? target : null
  const deed = {
    at: Date.now(),
    ...actor,
    act,
    target: kept,
    outcome: 'denied' as const,
    details: { code: error.code },
  }
  // why it was refused matters more than that this could not be noted
  await store.audit.append([deed]).catch(() => say('The refusal could not be written to the audit.'))
}
