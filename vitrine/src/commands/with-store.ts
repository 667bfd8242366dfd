// Runs a command on the store of a service that may be running: opens it, audits refusals, closes it.
import { steadyMs } from '../../../base/core/abort.ts'
import { hostname, userInfo } from 'node:os'
import { subjects } from '../management/operation.ts'
import { type Core, openCore } from '../core/core.ts'
import { Problem } from '../problems.ts'
import type { Actor } from '../../../base/core/audit.ts'
import { UserError, asUserError } from '../../../base/cli/user-error.ts'
import { kebabOf } from '../../../base/cli/kebab.ts'
import { say } from '../../../base/cli/output.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'

export interface StoreSession extends Core {
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

/** request members are options on the command line */
function userErrorOf({ code, message, extras: { param, cause } }: Problem): UserError {
  if (code === 'store_unavailable') return new UserError(`The store is not available: ${String(cause)}.`)
  return new UserError(param === undefined ? message : `--${kebabOf(param)}: ${message}`)
}

export interface AuditedCommand {
  /** set for a change, whose refusal is audited; without it the store is only read */
  readonly act?: string
  readonly target?: string
}

export async function withStore<T>(
  options: ConfigOption,
  intent: AuditedCommand,
  run: (session: StoreSession) => Promise<T>,
): Promise<T> {
  const loaded = loadSettings(options)
  const { settings, folder, secrets, settingsName } = loaded
  const observe = () => {}
  const opening = { folder, secrets, settingsName, observe, now: Date.now, onlyLooks: intent.act === undefined }
  const office = await asUserError(() => openCore(settings, opening))
  const actor = cliActor()
  const notice = intent.act === undefined ? undefined : await startRevocationNotice(loaded, office)
  try {
    return await run({ ...office, actor, loaded })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (intent.act !== undefined) await recordRefusal(office, actor, { act: intent.act, target: intent.target, error })
    throw userErrorOf(error)
  } finally {
    const until = notice?.unpublishedUntil?.()
    if (until !== undefined) say(warningText(until))
    await notice?.close()
    await office.close()
  }
}

const warningText = (until: number): string =>
  `Redis could not be reached. Replicas that reach the store know of this within a second; others may not until ${new Date(until).toISOString()} at the latest.`

/** replicas that cache keys while the store is away must learn of a revocation */
async function startRevocationNotice({ settings }: Loaded, { store }: Core) {
  if (settings.redis === undefined) return undefined
  const { openSharedForCommand } = await import('../replicas/shared.ts')
  return openSharedForCommand({
    redis: settings.redis,
    outageSeconds: settings.storeOutageSeconds,
    store,
    observe: () => {},
    now: Date.now,
    steady: steadyMs,
  })
}

async function recordRefusal(
  { store, now }: Core,
  actor: Actor,
  { act, target = null, error }: { act: string; target: string | null | undefined; error: Problem },
) {
  // other text may be a key typed in place of an id
  const isId = target !== null && subjects[act.startsWith('keys.') ? 'key' : 'connection'].idForm.test(target)
  const kept = isId ? target : null
  const deed = {
    at: now(),
    ...actor,
    act,
    target: kept,
    outcome: 'denied' as const,
    details: { code: error.code },
  }
  // the refusal matters more than its audit line
  await store.audit.append([deed]).catch(() => say('The refusal could not be written to the audit log.'))
}
