// People whom a provider names: who they are in the audit, and which role their claims give them.
import { createHash, createHmac } from 'node:crypto'
import type { ValidToken } from './operator-token.ts'
import type { OidcIdentity } from './oidc-provider.ts'

const prefix = 'oidc:'
/** no spaces, no control or direction characters: a name looks like no other in a listing */
const nameForm = /^[^\p{C}\p{Z}]{1,150}$/u

export const isProviderName = (who: unknown): boolean => typeof who === 'string' && who.startsWith(prefix)

/** the name of the claim, or the subject if that is none; the subject is in the audit line of the sign-in */
export function nameOfIdentity({ claims, subject }: OidcIdentity, claim: string): string {
  const name = claims[claim]
  return `${prefix}${typeof name === 'string' && nameForm.test(name) ? name : subject.replaceAll(/[\p{C}\p{Z}]/gu, '_').slice(0, 150)}`
}

/** a claim by its name, or by its path: `realm_access.roles` */
export function readClaim(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((node, part) => {
    const isObject = typeof node === 'object' && node !== null && Object.hasOwn(node, part)
    return isObject ? (node as Record<string, unknown>)[part] : undefined
  }, claims)
}

/** `roles`: the most powerful one first, each with the values of the claim that give it */
export function roleOfIdentity<Role extends string>(
  { claims }: OidcIdentity,
  claim: string,
  roles: readonly (readonly [Role, readonly string[]])[],
): Role | undefined {
  const given = new Set<unknown>([readClaim(claims, claim)].flat())
  return roles.find(([, values]) => values.some((value) => given.has(value)))?.[0]
}

/** stands for all sessions of the provider: with another secret, or without the provider, they end */
export function createProviderCredential(name: string, issuer: string, readSecret: () => string) {
  let known: { readonly secret: string; readonly token: ValidToken } | undefined
  return (): ValidToken => {
    const secret = readSecret()
    if (known?.secret === secret) return known.token
    const hmacOf = (use: string) => createHmac('sha256', secret).update(`${name} ${use} ${issuer}`).digest()
    const digest = createHash('sha256').update(hmacOf('sessions of a provider 1')).digest()
    known = { secret, token: { digest, sealing: hmacOf('sealing with the secret of a provider 1'), ofProvider: true } }
    return known.token
  }
}
