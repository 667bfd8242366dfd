// Accounts that the platform distinguishes by token: each answer names its account, so that data of another
// account cannot pass for one's own. A token that its key did not sign is refused, as the platform would.
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { refuse, type Script, send } from '../support/scripted-platform.ts'

export interface Account {
  /** of its connection */
  readonly id: string
  readonly keyId: string
  readonly issuerId: string | undefined
  readonly pem: string
  readonly publicKey: KeyObject
}

export function makeAccount(id: string, keyId: string, issuerId?: string): Account {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { id, keyId, issuerId, publicKey, pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

const readPart = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())

/** the account that signed this token, with the issuer that it says */
function signerOf(token: string, accounts: ReadonlyMap<string, Account>): Account | undefined {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const account = accounts.get(String(readPart(head)['kid']))
  if (!account || readPart(claims)['iss'] !== account.issuerId) return undefined
  const key = { key: account.publicKey, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))
    ? account
    : undefined
}

/** what only this account's platform data holds */
export const wordOf = ({ keyId }: Pick<Account, 'keyId'>): string => `the app of ${keyId}`

/** lists one app, named for the signer; `tokens` keeps every token that came */
export function platformOf(accounts: readonly Account[], tokens: Set<string> = new Set()): Script {
  const byKeyId = new Map(accounts.map((account) => [account.keyId, account]))
  return ({ headers }, res) => {
    const token = String(headers.authorization).replace('Bearer ', '')
    tokens.add(token)
    const account = signerOf(token, byKeyId)
    if (!account) return refuse(res, 401, 'NOT_AUTHORIZED')
    const app = { type: 'apps', id: `app-${account.keyId}`, attributes: { name: wordOf(account) } }
    return send(res, { data: [app], links: { self: 'https://platform/v1/apps' } })
  }
}
