// `vitrine keys …`: makes, lists, shows and revokes facade keys, in the store of a service that may be running.
import { type Group, groups } from '../catalogue/define.ts'
import { nearestOf } from '../engine/nearest.ts'
import type { Key, Keys } from '../keys/keys.ts'
import { Problem } from '../problem.ts'
import { openKeyring } from '../wire.ts'
import { Complaint, orComplain } from './complaint.ts'
import { readMoment } from './moment.ts'
import { printJson, printLine, printRows, say } from './output.ts'
import { type ConfigOption, type Loaded, loadSettings } from './settings-file.ts'

interface CreateOptions extends ConfigOption {
  readonly name: string
  readonly connections: string
  readonly groups?: string
  readonly expires?: string
  readonly perMinute?: string
}

async function withKeys<T>({ settings, folder }: Loaded, act: (keys: Keys) => Promise<T>): Promise<T> {
  const { keys, close } = await orComplain(() => openKeyring(settings, folder))
  try {
    return await act(keys)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Complaint(`The store refuses: ${String(error.cause)}.`, { cause: error })
  } finally {
    await close()
  }
}

/** the members of a list, each one of the allowed */
function readNames<T extends string>(option: string, text: string, allowed: readonly T[]): T[] {
  const names = text.split(',').map((part) => {
    const name = part.trim()
    const found = allowed.find((one) => one === name)
    if (found !== undefined) return found
    const nearest = nearestOf(name, allowed)
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
    throw new Complaint(
      `${option}: there is no ${JSON.stringify(name)}.${hint} Known: ${allowed.join(', ') || 'none'}.`,
    )
  })
  return [...new Set(names)]
}

const longestName = 100

function readName(name: string): string {
  if (name.trim() === '' || name.length > longestName || /\p{Cc}/u.test(name))
    throw new Complaint(`--name must say what the key is for, in 1 to ${longestName} characters on one line.`)
  return name
}

function readPerMinute(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new Complaint('--per-minute must be a whole number; 0 means no limit.')
  return Number(text)
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= Date.now() ? 'expired' : 'active'
}

const shown = (key: Key) => ({
  id: key.id,
  name: key.name,
  state: stateOf(key),
  connections: key.connections,
  groups: key.groups,
  perMinute: key.perMinute,
  createdAt: iso(key.createdAt),
  expiresAt: iso(key.expiresAt),
  revokedAt: iso(key.revokedAt),
})

export async function createKey(options: CreateOptions) {
  const loaded = loadSettings(options)
  const connections = readNames('--connections', options.connections, [
    '*',
    ...Object.keys(loaded.settings.connections),
  ])
  const granted: Group[] | undefined =
    options.groups === undefined ? undefined : readNames('--groups', options.groups, groups)
  const wish = {
    name: readName(options.name),
    connections,
    groups: granted,
    expiresAt: options.expires === undefined ? undefined : readMoment(options.expires, Date.now()),
    perMinute: options.perMinute === undefined ? undefined : readPerMinute(options.perMinute),
  }
  await withKeys(loaded, async (keys) => {
    const { key, shown: made } = await keys.issue(wish)
    say(`Key ${made.id} (${made.name}) reads ${made.connections.join(', ')}. It is shown this once:`)
    await printLine(key).catch(async (error: Error) => {
      await keys.revoke(made.id)
      throw new Complaint(`The key could not be printed (${error.message}), so it is revoked.`)
    })
  })
}

export async function listKeys(options: ConfigOption) {
  await withKeys(loadSettings(options), async (keys) => {
    const all = (await keys.list()).map(shown)
    const rows = all.map(({ id, name, state, connections, groups: granted, expiresAt }) => ({
      id,
      name,
      state,
      connections: connections.join(','),
      groups: granted.length === groups.length ? 'all' : granted.join(','),
      expires: expiresAt,
    }))
    printRows(rows, all, 'There are no keys yet. Make one with: vitrine keys create --name … --connections …')
  })
}

const unknownKey = (id: string): Complaint =>
  new Complaint(`There is no key ${JSON.stringify(id)}. The ids are in: vitrine keys list`)

export async function showKey(id: string, options: ConfigOption) {
  await withKeys(loadSettings(options), async (keys) => {
    const key = await keys.find(id)
    if (!key) throw unknownKey(id)
    printJson(shown(key))
  })
}

export async function revokeKey(id: string, options: ConfigOption) {
  await withKeys(loadSettings(options), async (keys) => {
    if (!(await keys.find(id))) throw unknownKey(id)
    const fresh = await keys.revoke(id)
    say(fresh ? `Key ${id} is revoked.` : `Key ${id} was revoked before.`)
  })
}
