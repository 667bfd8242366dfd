// `vitrine connections …`: hosted connections are added, tried, replaced and removed; those of the settings are shown too.
import type { ShownConnection } from '../connections/connection.ts'
import type { Stored } from '../connections/desk.ts'
import type { Proof } from '../connections/proof.ts'
import type { Key } from '../keys/keys.ts'
import { isoOf } from '../http/moment.ts'
import { namesOf, shownConnection, storedConnection } from '../http/operator/shown.ts'
import { Complaint } from './complaint.ts'
import { confirm } from './confirm.ts'
import { printJson, printRows, say } from './output.ts'
import { type KeySource, readKeySource } from './private-key.ts'
import { inOffice, type Session } from './session.ts'
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

const credentialWish = (options: CredentialOptions) => ({
  keyId: options.keyId,
  issuerId: options.issuerId,
  privateKey: readKeySource(options),
  check: options.check,
})

/** one word, or nothing */
function readWord<T extends string>(option: string, text: string | undefined, word: T): T | undefined {
  if (text !== undefined && text !== word) throw new Complaint(`${option} can only be ${word}.`)
  return text === undefined ? undefined : word
}

function tellProof(id: string, proof: Proof | null) {
  if (proof === null) say(`Connection ${id} was not tried at the platform: vitrine connections check ${id}`)
  else if (!proof.ok) say(`The platform knows the key of ${id}, but: ${proof.message}`)
}

function tellStored(id: string, stored: Stored) {
  printJson(storedConnection(stored))
  tellProof(id, stored.proof)
}

export async function addConnection(id: string, options: AddOptions) {
  const wish = {
    ...{ id, ...credentialWish(options) },
    linkage: readWord('--linkage', options.linkage, 'asked'),
    tokenScope: readWord('--token-scope', options.tokenScope, 'request'),
  }
  await inOffice(options, { act: 'connections.create', target: id }, async ({ desk, actor }) =>
    tellStored(id, await desk.add(wish, actor)),
  )
}

const mostNamed = 20

/** such as `ci (3kTq9ZpW1xYb), dashboard (…)` */
function listKeys(keys: readonly Key[]): string {
  const more = keys.length > mostNamed ? `, and ${keys.length - mostNamed} more` : ''
  return keys
    .slice(0, mostNamed)
    .map(({ id, name }) => `${name} (${id})`)
    .join(', ')
    .concat(more)
}

const tellEnded = (id: string, ended: readonly Key[]) =>
  ended.length > 0 &&
  say(
    `Keys that named ${id} do not read it any more: ${listKeys(ended)}. Those who need it get another: vitrine keys create`,
  )

export async function replaceConnection(id: string, options: CredentialOptions) {
  const wish = credentialWish(options)
  await inOffice(options, { act: 'connections.replace', target: id }, async ({ desk, keys, actor }) => {
    const named = await keys.naming(id)
    const stored = await desk.replace(id, wish, actor)
    tellStored(id, stored)
    if (!stored.isSameAccount) tellEnded(id, named)
  })
}

export async function everyConnection({ desk }: Session): Promise<ShownConnection[]> {
  const all: ShownConnection[] = []
  const limit = 1_000
  for (let after = ''; ; after = all.at(-1)?.id ?? '') {
    const some = await desk.list({ after, limit })
    all.push(...some)
    if (some.length < limit) return all
  }
}

export async function listConnections(options: ConfigOption) {
  await inOffice(options, {}, async (session) => {
    const all = await everyConnection(session)
    const rows = all.map(({ id, kind, keyId, issuerId, fingerprint, lastUsedAt }) => ({
      ...{
        id,
        kind,
        key: keyId,
        issuer: issuerId ?? 'individual',
        fingerprint: fingerprint?.slice(0, 16) ?? 'unreadable',
      },
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
  await inOffice(options, {}, async ({ desk, keys }) =>
    printJson({ ...shownConnection(await desk.show(id)), keys: namesOf(await keys.naming(id)) }),
  )
}

export async function checkConnection(id: string, options: ConfigOption) {
  await inOffice(options, { act: 'connections.check', target: id }, async ({ desk, actor }) => {
    const proof = await desk.check(id, actor)
    printJson({ id, ...proof })
    if (!proof.ok) process.exitCode = 1
  })
}

export async function removeConnection(id: string, options: ConfigOption & { yes: boolean }) {
  await inOffice(options, { act: 'connections.remove', target: id }, async ({ desk, keys, actor }) => {
    const { keyId } = await desk.show(id)
    const named = await keys.naming(id)
    const naming = named.length > 0 ? `Keys that name it: ${listKeys(named)}.` : 'No active key names it.'
    if (!options.yes) await confirm(`This removes connection ${id} (key ${keyId}) at once and for good. ${naming}`, id)
    await desk.remove(id, actor)
    tellEnded(id, named)
    say(`Connection ${id} is removed. Its key at the platform is still valid: revoke it there if nothing else uses it.`)
  })
}
