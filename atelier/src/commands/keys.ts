// `atelier keys`: makes API keys for an account, lists and revokes those of all accounts.
import { printLine, printRows, say } from '../../../base/cli/output.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { listedMs } from '../accounts/api-keys.ts'
import { type Scope, scopes as allScopes } from '../accounts/scopes.ts'
import type { ConfigOption } from './settings-file.ts'
import { withCore, withStore } from './with-core.ts'

interface CreateOptions extends ConfigOption {
  readonly account: string
  readonly name: string
  readonly scopes?: string
  readonly expires?: string
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function readSpan(text: string | undefined): number | null {
  if (text === undefined) return null
  const [, count, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new UserError('--expires must be a time such as 90d, 12h or 30m.')
  return Number(count) * (units[unit] ?? 0)
}

function readScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return allScopes
  const wanted = text.split(',')
  const unknown = wanted.find((one) => !(allScopes as readonly string[]).includes(one))
  if (unknown !== undefined) throw new UserError(`There is no scope "${unknown}". Known: ${allScopes.join(', ')}.`)
  return allScopes.filter((one) => wanted.includes(one))
}

export async function createKey({ account: email, name, scopes, expires, ...options }: CreateOptions) {
  const [wanted, spanMs] = [readScopes(scopes), readSpan(expires)]
  const length = Array.from(name).length
  if (length < 1 || length > 64) throw new UserError('--name must have 1 to 64 characters.')
  await withCore(options, async ({ store, keys, now }) => {
    const account = await store.accounts.findByEmail(email)
    if (!account) throw new UserError(`There is no account for ${email}: atelier accounts list shows all.`)
    const expiresAt = spanMs === null ? null : now() + spanMs
    const wish = { account: account.id, name, scopes: wanted, expiresAt, createdBy: 'operator' }
    // the limit of an account is for its holder, not for the operator
    const made = await keys.create(wish, Number.POSITIVE_INFINITY)
    say(`Key ${made.key.id} (${name}). It is shown only this once:`)
    await printLine(made.text)
  })
}

const momentOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

export async function listKeys(options: ConfigOption) {
  await withStore(options, async (store) => {
    const accounts = await store.accounts.list()
    const since = Date.now() - listedMs
    const found = await Promise.all(
      accounts.map(async ({ id: account, email }) =>
        (await store.keys.page(account, since, undefined, Number.MAX_SAFE_INTEGER)).map((key) => ({ email, ...key })),
      ),
    )
    const shown = found.flat().map(({ id, email, name, prefix, scopes, ...times }) => ({
      id,
      email,
      name,
      prefix,
      scopes: scopes.join(' '),
      createdAt: momentOf(times.createdAt),
      lastUsedAt: momentOf(times.lastUsedAt),
      expiresAt: momentOf(times.expiresAt),
      revokedAt: momentOf(times.revokedAt),
    }))
    printRows(shown, shown, 'There is no key yet: atelier keys create makes one.')
  })
}

export async function revokeKey({ key: wanted, ...options }: ConfigOption & { readonly key: string }) {
  await withCore(options, async ({ store, now }) => {
    const key = (await store.keys.findById(wanted)) ?? (await store.keys.findByPrefix(wanted))
    if (!key) throw new UserError('--key: there is no such key. atelier keys list shows the ids and prefixes of all.')
    await store.keys.revoke(key.id, now())
    say(`Key ${key.id} (${key.name}) is revoked. What was begun with it ends within five seconds.`)
  })
}
