// `vitrine connections …`: adds, checks, replaces and removes hosted connections; lists managed ones too.
import { idHint, oddIds } from '../connection-settings.ts'
import type { ShownConnection } from '../connections/connection.ts'
import type { StoredConnection } from '../connections/connection-admin.ts'
import type { KeyCheck } from '../connections/key-check.ts'
import type { FacadeKey } from '../keys/keys.ts'
import { isoOf } from '../../../base/core/moment.ts'
import { keyNames, shownConnection, storedConnection } from '../management/shown.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { kebabOf } from '../../../base/cli/kebab.ts'
import { confirm } from '../../../base/cli/confirm.ts'
import { printJson, printRows, say } from '../../../base/cli/output.ts'
import { type KeySource, readKeySource } from './key-source.ts'
import { withStore, type StoreSession } from './with-store.ts'
import type { ConfigOption } from './settings-file.ts'

interface CredentialOptions extends ConfigOption, KeySource {
  readonly keyId: string
  readonly issuerId?: string
  readonly check: boolean
}

interface AddOptions extends CredentialOptions {
  readonly linkage?: string
  readonly tokenScope?: string
}

function credentialInput({ keyId, issuerId, check, ...source }: CredentialOptions) {
  const [odd] = oddIds({ keyId, issuerId })
  if (odd !== undefined) throw new UserError(`--${kebabOf(odd)}: ${idHint(odd)}`)
  return { keyId, issuerId, privateKey: readKeySource(source), check }
}

function readWord<T extends string>(option: string, text: string | undefined, word: T): T | undefined {
  if (text !== undefined && text !== word) throw new UserError(`${option} can only be ${word}.`)
  return text === undefined ? undefined : word
}

function reportCheck(id: string, check: KeyCheck | null) {
  if (check === null) say(`Connection ${id} was not checked at the platform: vitrine connections check ${id}`)
  else if (!check.ok) say(`The platform knows the key of ${id}, but: ${check.message}`)
}

function printStored(id: string, stored: StoredConnection) {
  printJson(storedConnection(stored))
  reportCheck(id, stored.check)
}

export async function addConnection(id: string, options: AddOptions) {
  const input = {
    id,
    ...credentialInput(options),
    linkage: readWord('--linkage', options.linkage, 'asked'),
    tokenScope: readWord('--token-scope', options.tokenScope, 'request'),
  }
  await withStore(options, { act: 'connections.create', target: id }, async ({ connectionAdmin: desk, actor }) =>
    printStored(id, await desk.add(input, actor)),
  )
}

const mostNamed = 20

/** such as `ci (3kTq9ZpW1xYb), dashboard (…)` */
function listKeys(keys: readonly FacadeKey[]): string {
  const more = keys.length > mostNamed ? `, and ${keys.length - mostNamed} more` : ''
  return keys
    .slice(0, mostNamed)
    .map(({ id, name }) => `${name} (${id})`)
    .join(', ')
    .concat(more)
}

const reportEndedGrants = (id: string, ended: readonly FacadeKey[]) =>
  ended.length > 0 &&
  say(
    `Keys that named ${id} do not read it any more: ${listKeys(ended)}. Create new keys if needed: vitrine keys create`,
  )

export async function replaceConnection(id: string, options: CredentialOptions) {
  const input = credentialInput(options)
  await withStore(
    options,
    { act: 'connections.replace', target: id },
    async ({ connectionAdmin: desk, keys, actor }) => {
      const named = await keys.naming(id)
      const stored = await desk.replace(id, input, actor)
      printStored(id, stored)
      if (!stored.isSameAccount) reportEndedGrants(id, named)
    },
  )
}

export async function everyConnection({ connectionAdmin: desk }: StoreSession): Promise<ShownConnection[]> {
  const all: ShownConnection[] = []
  const limit = 1_000
  for (let after = ''; ; after = all.at(-1)?.id ?? '') {
    const some = await desk.list({ after, limit })
    all.push(...some)
    if (some.length < limit) return all
  }
}

export async function listConnections(options: ConfigOption) {
  await withStore(options, {}, async (session) => {
    const all = await everyConnection(session)
    const rows = all.map(({ id, kind, keyId, issuerId, fingerprint, lastUsedAt }) => ({
      id,
      kind,
      key: keyId,
      issuer: issuerId ?? 'individual',
      fingerprint: fingerprint?.slice(0, 16) ?? 'unreadable',
      used: isoOf(lastUsedAt),
    }))
    printRows(
      rows,
      all.map(shownConnection),
      'There are no connections yet. Add one with: vitrine connections add <id> …',
    )
  })
}

export async function showConnection(id: string, options: ConfigOption) {
  await withStore(options, {}, async ({ connectionAdmin: desk, keys }) =>
    printJson({ ...shownConnection(await desk.show(id)), keys: keyNames(await keys.naming(id)) }),
  )
}

export async function checkConnection(id: string, options: ConfigOption) {
  await withStore(options, { act: 'connections.check', target: id }, async ({ connectionAdmin: desk, actor }) => {
    const check = await desk.check(id, actor)
    printJson({ id, ...check })
    if (!check.ok) process.exitCode = 1
  })
}

export async function removeConnection(id: string, options: ConfigOption & { yes: boolean }) {
  await withStore(
    options,
    { act: 'connections.remove', target: id },
    async ({ connectionAdmin: desk, keys, actor }) => {
      const { keyId } = await desk.show(id)
      const named = await keys.naming(id)
      const naming = named.length > 0 ? `Keys that name it: ${listKeys(named)}.` : 'No active key names it.'
      if (!options.yes)
        await confirm(`This removes connection ${id} (key ${keyId}) at once and permanently. ${naming}`, id)
      await desk.remove(id, actor)
      reportEndedGrants(id, named)
      say(
        `Connection ${id} is removed. Its key at the platform is still valid: revoke it there if nothing else uses it.`,
      )
    },
  )
}
