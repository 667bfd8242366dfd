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
  const { settings, folder, secrets, settingsName } = loaded
  const observe = () => {}
  const office = await orComplain(() => openOffice(settings, { folder, secrets, settingsName, observe, now: Date.now }))
  const actor = cliActor()
  const others = intent.act === undefined ? undefined : await tellOthers(loaded, office)
  try {
    return await run({ ...office, actor, loaded })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (intent.act !== undefined) await noteDenial(office, actor, { act: intent.act, target: intent.target, error })
    throw complaintOf(error)
  } finally {
    const until = others?.untold?.()
    if (until !== undefined) say(untoldWords(until))
    await others?.close()
    await office.close()
  }
}

const untoldWords = (until: number): string =>
  `Redis could not be told of this. Every server that reaches the store knows it within a second; one that the store cannot be reached from may not, until ${new Date(until).toISOString()} at the latest.`

/** servers that believe what they found lately, while the store is away, hear of what is taken away here */
async function tellOthers({ settings }: Loaded, { store }: Office) {
  if (settings.redis === undefined) return undefined
  const { attendCommand } = await import('../replicas/shared.ts')
  return attendCommand({
    ...{ redis: settings.redis, outageSeconds: settings.storeOutageSeconds, store },
    ...{ observe: () => {}, now: Date.now, steady: () => performance.now() },
  })
}

async function noteDenial(
  { store, now }: Office,
  actor: Actor,
  { act, target = null, error }: { act: string; target: string | null | undefined; error: Problem },
) {
  // what has no possible form of an id may be a key that was put in its place
  const isId = target !== null && idForms[act.startsWith('keys.') ? 'key' : 'connection'].test(target)
  const kept = isId ? target : null
  const deed = {
    at: now(),
    ...actor,
    act,
    target: kept,
    outcome: 'denied' as const,
    details: { code: error.code },
  }
  // why it was refused matters more than that this could not be noted
  await store.audit.append([deed]).catch(() => say('The refusal could not be written to the audit.'))
}
