// `vitrine keys …`: makes, lists, shows, hands over and revokes facade keys, in the store of a service that may be running.
import { groups } from '../catalogue/define.ts'
import { shownKey, shownKeyBy } from '../http/operator/shown.ts'
import { readKeyWish } from '../http/operator/key-wish.ts'
import { isoOf, readSpan } from '../http/moment.ts'
import type { Issued } from '../keys/keys.ts'
import { Complaint } from './complaint.ts'
import { printJson, printLine, printRows, say } from './output.ts'
import { inOffice, type Session } from './session.ts'
import type { ConfigOption } from './settings-file.ts'

interface CreateOptions extends ConfigOption {
  readonly name: string
  readonly note?: string
  readonly connections: string
  readonly groups?: string
  readonly expires?: string
  readonly perMinute?: string
}

const listOf = (text: string | undefined): string[] | undefined =>
  text === undefined ? undefined : [...new Set(text.split(',').map((part) => part.trim()))]

function readPerMinute(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,7}$/.test(text)) throw new Complaint('--per-minute must be a whole number; 0 means no limit.')
  return Number(text)
}

/** a key that nobody could read is a key that nobody should have */
async function printKey({ key, shown: made }: Issued, { keys, actor }: Session) {
  await printLine(key).catch(async (error: Error) => {
    await keys.revoke(made.id, actor)
    throw new Complaint(`The key could not be printed (${error.message}), so it is revoked.`)
  })
}

export async function createKey(options: CreateOptions) {
  const { name, note, expires } = options
  const connections = listOf(options.connections)
  const wish = {
    name,
    note,
    expires,
    connections,
    groups: listOf(options.groups),
    perMinute: readPerMinute(options.perMinute),
  }
  const given = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined))
  await inOffice(options, { act: 'keys.create' }, async (session) => {
    const { keys, loaded } = session
    const known = [...new Set([...Object.keys(loaded.settings.connections), ...(await session.connections.ids())])]
    const issued = await keys.issue(readKeyWish(given, known, session.now()), session.actor)
    const { id, connections: reads } = issued.shown
    say(`Key ${id} (${name}) reads ${reads.join(', ')}. It is shown this once:`)
    await printKey(issued, session)
  })
}

export async function rerollKey(id: string, options: ConfigOption & { overlap: string }) {
  const overlapMs = readSpan('overlap', options.overlap)
  await inOffice(options, { act: 'keys.reroll', target: id }, async (session) => {
    const issued = await session.keys.reroll(id, overlapMs, session.actor)
    const { expiresAt, revokedAt } = await session.keys.show(id)
    const end = revokedAt === null ? `ends at ${isoOf(expiresAt)}` : 'is revoked'
    say(`Key ${issued.shown.id} takes over from ${id}, which ${end}. It is shown this once:`)
    await printKey(issued, session)
  })
}

export async function listKeys(options: ConfigOption) {
  await inOffice(options, {}, async ({ keys, now }) => {
    const found = await keys.list()
    const ended = await keys.endedOf(found)
    const all = found.map((key) => shownKey(key, ended(key), now()))
    const rows = all.map(
      ({ id, name, state, connections, endedConnections, groups: granted, expiresAt, lastUsedAt }) => ({
        id,
        name,
        state,
        connections: connections.map((one) => (endedConnections.includes(one) ? `${one} (ended)` : one)).join(','),
        ...{
          groups: granted.length === groups.length ? 'all' : granted.join(','),
          expires: expiresAt,
          used: lastUsedAt,
        },
      }),
    )
    printRows(rows, all, 'There are no keys yet. Make one with: vitrine keys create --name … --connections …')
  })
}

export async function showKey(id: string, options: ConfigOption) {
  await inOffice(options, {}, async ({ keys, now }) => {
    const shown = await shownKeyBy(keys, await keys.show(id), now())
    printJson(shown)
    const { endedConnections: ended, state } = shown
    if (state === 'active' && ended.length > 0)
      say(
        `It names ${ended.join(', ')}, which was removed or has another account now, and does not read it. If it should, make another key: vitrine keys create --name … --connections …`,
      )
  })
}

export async function revokeKey(id: string, options: ConfigOption) {
  await inOffice(options, { act: 'keys.revoke', target: id }, async ({ keys, actor }) => {
    const fresh = await keys.revoke(id, actor)
    say(fresh ? `Key ${id} is revoked.` : `Key ${id} was revoked before.`)
  })
}
