// A caller of the sandbox: a key pair, signed tokens, and one started sandbox.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts'

export const teamKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const keyId = '2X9R4HXF34'
export const issuerId = '57246542-96fe-1a63-e053-0824d011072a'

export interface TokenParts {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  key?: KeyObject
}

export function signToken(parts: TokenParts = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'ES256', kid: keyId, typ: 'JWT', ...parts.header }
  const claims = { iss: issuerId, iat: now, exp: now + 600, aud: 'appstoreconnect-v1', ...parts.claims }
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const key = { key: parts.key ?? teamKey.privateKey, dsaEncoding: 'ieee-p1363' } as const
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

export interface Linkage {
  type: string
  id: string
}

export interface Resource extends Linkage {
  attributes: Record<string, unknown>
  relationships: Record<string, { data?: Linkage | Linkage[] | null; links?: Record<string, string>; meta?: unknown }>
}

export interface Body<Data> {
  data: Data
  included: Resource[]
  links: { self: string; first?: string; next?: string; related?: string }
  meta: { paging: { total: number; limit: number } }
  errors: { id?: string; status: string; code: string; title: string; detail: string; source?: { parameter: string } }[]
}

export interface Reply<Data> {
  status: number
  headers: Headers
  text: string
  body: Body<Data>
}

export interface Caller {
  sandbox: Sandbox
  get: <Data = Resource[]>(target: string, headers?: Record<string, string>) => Promise<Reply<Data>>
}

export async function withSandbox(
  use: (caller: Caller) => Promise<void>,
  options: Partial<SandboxOptions> = {},
): Promise<void> {
  const sandbox = await startSandbox({ accounts: [{ keyId, issuerId, publicKey: teamKey.publicKey }], ...options })
  const get: Caller['get'] = async (target, headers = {}) => {
    const url = target.startsWith('http') ? target : `${sandbox.url}${target}`
    const reply = await fetch(url, { headers: { authorization: `Bearer ${signToken()}`, ...headers } })
    const text = await reply.text()
    const isJson = /json/.test(reply.headers.get('content-type') ?? '')
    return { status: reply.status, headers: reply.headers, text, body: isJson ? JSON.parse(text) : {} }
  }
  try {
    await use({ sandbox, get })
  } finally {
    await sandbox.close()
  }
}
