// `vitrine keys …`: creates, lists, shows, rerolls and revokes facade keys in the store of a service.
import { groups } from '../catalogue/define.ts'
import { shownKey, shownKeyBy } from '../management/shown.ts'
import { readExpiry, readKeyWish } from '../management/key-wish.ts'
import { isoOf, readSpan } from '../../../base/core/moment.ts'
import type { IssuedKey } from '../keys/keys.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { printJson, printLine, printRows, say } from '../../../base/cli/output.ts'
import { withStore, type StoreSession } from './with-store.ts'
import type { ConfigOption } from './settings-file.ts'

interface CreateOptions extends ConfigOption {
  readonly name: string
  readonly note?: string
  readonly connections: string
  readonly groups?: string
  readonly expires?: string
  readonly apps?: string
  readonly personal?: boolean
  readonly perMinute?: string
  readonly platformCallsPerHour?: string
}

const listOf = (text: string | undefined): string[] | undefined =>
  text === undefined ? undefined : [...new Set(text.split(',').map((part) => part.trim()))]

function readPerMinute(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,7}$/.test(text)) throw new UserError('--per-minute must be a whole number; 0 means no limit.')
  return Number(text)
}

function readBudget(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UserError('--platform-calls-per-hour must be a whole number from 1 on.')
  return Number(text)
}

/** revokes a key that could not be printed */
async function printKey({ key, shown: made }: IssuedKey, { keys, actor }: StoreSession) {
  await printLine(key).catch(async (error: Error) => {
    await keys.revoke(made.id, actor)
    throw new UserError(`The key could not be printed (${error.message}), so it is revoked.`)
  })
}

const endText = (expiresAt: number | null): string =>
  expiresAt === null ? 'It does not expire.' : `It expires at ${isoOf(expiresAt)}.`

export async function createKey(options: CreateOptions) {
  const { name, note, expires, personal } = options
  const connections = listOf(options.connections)
  const wish = {
    name,
    note,
    expires,
    personal,
    connections,
    groups: listOf(options.groups),
    apps: listOf(options.apps),
    perMinute: readPerMinute(options.perMinute),
    platformCallsPerHour: readBudget(options.platformCallsPerHour),
  }
  const given = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined))
  await withStore(options, { act: 'keys.create' }, async (session) => {
    const { keys, loaded } = session
    const known = [...new Set([...Object.keys(loaded.settings.connections), ...(await session.connections.ids())])]
    const issued = await keys.issue(readKeyWish(given, known, session.now()), session.actor)
    const { id, connections: reads, expiresAt } = issued.shown
    say(`Key ${id} (${name}) reads ${reads.join(', ')}. ${endText(expiresAt)} It is shown only this once:`)
    await printKey(issued, session)
  })
}

interface RerollOptions extends ConfigOption {
  readonly overlap: string
  readonly expires?: string
}

export async function rerollKey(id: string, options: RerollOptions) {
  const { overlap, expires } = options
  const overlapMs = readSpan('overlap', overlap)
  await withStore(options, { act: 'keys.reroll', target: id }, async (session) => {
    const expiresAt = expires === undefined ? undefined : readExpiry(expires, session.now())
    const issued = await session.keys.reroll(id, overlapMs, session.actor, expiresAt)
    const old = await session.keys.show(id)
    const { id: successor, expiresAt: end } = issued.shown
    const oldEnd = old.revokedAt === null ? `ends at ${isoOf(old.expiresAt)}` : 'is revoked'
    const hint = expires === undefined && end !== null ? ' as that one would have (--expires sets another end)' : ''
    say(
      `Key ${successor} replaces ${id}, which ${oldEnd}. ${endText(end).slice(0, -1)}${hint}. It is shown only this once:`,
    )
    await printKey(issued, session)
  })
}

export async function listKeys(options: ConfigOption) {
  await withStore(options, {}, async ({ keys, now }) => {
    const found = await keys.list()
    const ended = await keys.endedOf(found)
    const all = found.map((key) => shownKey(key, ended(key), now()))
    const rows = all.map(({ id, name, state, connections, endedConnections, groups: granted, apps, ...rest }) => ({
      id,
      name,
      state,
      connections: connections.map((one) => (endedConnections.includes(one) ? `${one} (ended)` : one)).join(','),
      groups: granted.length === groups.length ? 'all' : granted.join(','),
      apps: apps === null ? 'all' : apps.join(','),
      personal: rest.personal ? 'yes' : 'no',
      calls: rest.platformCallsPerHour === null ? 'any' : `${rest.platformCallsPerHour}/h`,
      expires: rest.expiresAt,
      used: rest.lastUsedAt,
    }))
    printRows(rows, all, 'There are no keys yet. Create one with: vitrine keys create --name … --connections …')
  })
}

export async function showKey(id: string, options: ConfigOption) {
  await withStore(options, {}, async ({ keys, now }) => {
    const shown = await shownKeyBy(keys, await keys.show(id), now())
    printJson(shown)
    const { endedConnections: ended, state } = shown
    if (state === 'active' && ended.length > 0)
      say(
        `It names ${ended.join(', ')}, which was removed or belongs to another account now, and cannot be read. Create another key if needed: vitrine keys create --name … --connections …`,
      )
  })
}

export async function revokeKey(id: string, options: ConfigOption) {
  await withStore(options, { act: 'keys.revoke', target: id }, async ({ keys, actor }) => {
    const fresh = await keys.revoke(id, actor)
    say(fresh ? `Key ${id} is revoked.` : `Key ${id} was revoked before.`)
  })
}
