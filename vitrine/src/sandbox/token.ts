// Finds the account of a bearer token, as strictly as the platform does.
import { type KeyObject, verify } from 'node:crypto'

import { notAuthorized } from './refusal.ts'

export interface Account {
  readonly keyId: string
  // Without one the key is an individual key: no issuer, the subject is the word `user`.
  readonly issuerId?: string
  readonly publicKey: KeyObject
}

type Claims = Readonly<Record<string, unknown>>

const audience = 'appstoreconnect-v1'
const longestLifeSeconds = 1200
const clockLeewaySeconds = 60

export function identifyCaller(accounts: readonly Account[], authorization: string | undefined, nowMs: number) {
  const token = /^bearer +(?<token>[\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.groups?.['token']
  if (token === undefined) throw notAuthorized()
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = readPart(head)
  const account = accounts.find((each) => each.keyId === header['kid'])
  if (account === undefined || header['alg'] !== 'ES256' || header['typ'] !== 'JWT') throw notAuthorized()
  const key = { key: account.publicKey, dsaEncoding: 'ieee-p1363' } as const
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))
  const claims = readPart(body)
  if (!isSigned || !areClaimsGood(claims, account, nowMs / 1000)) throw notAuthorized()
  return { keyId: account.keyId, scope: claims['scope'] }
}

function readPart(part: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Claims
  } catch {
    throw notAuthorized()
  }
  throw notAuthorized()
}

function areClaimsGood(claims: Claims, account: Account, now: number): boolean {
  const { aud, iss, sub, iat, exp } = claims
  const isOwner = account.issuerId === undefined ? iss === undefined && sub === 'user' : iss === account.issuerId
  if (!isOwner || aud !== audience || typeof iat !== 'number' || typeof exp !== 'number') return false
  return exp > now && exp - iat <= longestLifeSeconds && iat <= now + clockLeewaySeconds
}
