// Identities at an OpenID Connect provider: issuer and subject name one account, and an account has at most one.
import type { Database, Sql } from '../../../base/store/sql.ts'
import { foldEmail } from './account-rows.ts'

export interface IdentityName {
  readonly issuer: string
  readonly subject: string
}

export interface FirstSight extends IdentityName {
  /** that the provider has verified; undefined: none */
  readonly email: string | undefined
  /** id of the account that is made if none is joined; undefined: none may be made */
  readonly newAccount: string | undefined
  readonly at: number
}

/** no one can own an address below `.invalid` (RFC 2606): it only says which account has no verified e-mail */
const unverifiedEmail = (account: string): string => `${account}@unverified.invalid`

async function findAccount(sql: Sql, { issuer, subject }: IdentityName): Promise<string | undefined> {
  const row = await sql.one('SELECT account FROM identities WHERE issuer = ? AND subject = ?', [issuer, subject])
  return row?.['account'] as string | undefined
}

async function makeAccount(sql: Sql, { newAccount, at }: FirstSight, email: string | undefined) {
  if (newAccount === undefined) return undefined
  await sql.run('INSERT INTO accounts (id, email, password, created_at) VALUES (?, ?, NULL, ?)', [
    newAccount,
    email ?? unverifiedEmail(newAccount),
    at,
  ])
  return newAccount
}

/** the account to join: that of the verified e-mail, if it has no identity yet; else a new one */
async function chooseAccount(sql: Sql, wish: FirstSight): Promise<string | undefined> {
  const email = wish.email && foldEmail(wish.email)
  if (email === undefined) return makeAccount(sql, wish, undefined)
  const holder = (await sql.one('SELECT id FROM accounts WHERE email = ?', [email]))?.['id'] as string | undefined
  if (holder === undefined) return makeAccount(sql, wish, email)
  const taken = await sql.one('SELECT 1 AS taken FROM identities WHERE account = ?', [holder])
  return taken ? makeAccount(sql, wish, undefined) : holder
}

export function createIdentityRows(db: Database) {
  return {
    find: (name: IdentityName) => findAccount(db, name),
    /** undefined: no account may be joined or made */
    join: (wish: FirstSight): Promise<string | undefined> =>
      db.transaction(async (sql) => {
        const known = (await findAccount(sql, wish)) ?? undefined
        if (known !== undefined) return known
        const account = await chooseAccount(sql, wish)
        if (account === undefined) return undefined
        const { issuer, subject, at } = wish
        await sql.run('INSERT INTO identities (issuer, subject, account, created_at) VALUES (?, ?, ?, ?)', [
          issuer,
          subject,
          account,
          at,
        ])
        return account
      }),
  }
}

export type IdentityRows = ReturnType<typeof createIdentityRows>
