// Accounts over SQL. E-mails are compared without regard to the case of A to Z.
import type { Database, SqlRow } from '../../../base/store/sql.ts'

export interface AccountRecord {
  readonly id: string
  readonly email: string
  readonly password: string | undefined
  readonly createdAt: number
}

/** ASCII alone: the small letter of the Kelvin sign (U+212A) is `k`, so another person's address would be the same */
export const foldEmail = (email: string): string => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

const accountOf = (row: SqlRow): AccountRecord => ({
  id: row['id'] as string,
  email: row['email'] as string,
  password: (row['password'] as string | null) ?? undefined,
  createdAt: row['created_at'] as number,
})

export function createAccountRows(db: Database) {
  const findBy = async (column: 'id' | 'email', value: string) => {
    const row = await db.one(`SELECT * FROM accounts WHERE ${column} = ?`, [value])
    return row && accountOf(row)
  }
  return {
    async add({ id, email, password, createdAt }: AccountRecord): Promise<boolean> {
      const added = await db.run(
        'INSERT INTO accounts (id, email, password, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        [id, foldEmail(email), password ?? null, createdAt],
      )
      return added === 1
    },
    find: (id: string) => findBy('id', id),
    /** PostgreSQL refuses a text with NUL, and no account has one */
    findByEmail: async (email: string) => (email.includes('\0') ? undefined : findBy('email', foldEmail(email))),
    list: async () => (await db.all('SELECT * FROM accounts ORDER BY created_at, id')).map(accountOf),
  }
}

export type AccountRows = ReturnType<typeof createAccountRows>
