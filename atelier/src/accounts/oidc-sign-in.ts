// Signs in through an OpenID Connect provider: the account of an identity, at first sight that of its verified e-mail or a new one.
import { resolve } from 'node:path'
import { createOidcAttempts, type OidcAttempts } from '../../../base/auth/oidc-attempts.ts'
import { createOidcProvider, type OidcIdentity, type OidcProvider } from '../../../base/auth/oidc-provider.ts'
import { openClientSecret } from '../../../base/auth/oidc-settings.ts'
import { makeId } from '../ids.ts'
import { Problem } from '../problems.ts'
import type { OidcSettings } from '../settings.ts'
import type { Store } from '../store/store.ts'

export const callbackPath = '/auth/oidc/callback'

export interface OidcSignIn {
  readonly provider: OidcProvider
  readonly attempts: OidcAttempts
  /** how the sign-in page calls the provider */
  readonly title: string
  /** id of the account; throws a Problem if the identity has none */
  accountOf(identity: OidcIdentity): Promise<string>
}

export interface OidcSignInParts {
  readonly settings: OidcSettings
  readonly publicUrl: string
  /** relative paths of the settings start here */
  readonly folder: string
  readonly store: Pick<Store, 'identities' | 'secret'>
  readonly now: () => number
}

export const providerOf = ({ settings, publicUrl, folder, now }: Omit<OidcSignInParts, 'store'>): OidcProvider =>
  createOidcProvider({
    issuer: settings.issuer,
    clientId: settings.clientId,
    readSecret: openClientSecret({
      fixed: settings.clientSecret,
      file: settings.clientSecretFile === undefined ? undefined : resolve(folder, settings.clientSecretFile),
      names: { fixed: 'ATELIER_OIDC_CLIENT_SECRET', file: 'oidc.clientSecretFile' },
    }),
    scope: 'openid email',
    claims: ['email', 'email_verified'],
    redirectUri: `${publicUrl}${callbackPath}`,
    now,
  })

/** The flag counts only for the e-mail beside it. Only a boolean is proof: the text "false" would count as true. */
function verifiedEmailOf({ sources }: OidcIdentity): string | undefined {
  const source = sources.find((one) => 'email' in one && 'email_verified' in one)
  const { email, email_verified: isVerified } = source ?? {}
  const isEmail = typeof email === 'string' && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) && email.length <= 254
  return isEmail && isVerified === true ? email : undefined
}

export async function createOidcSignIn(parts: OidcSignInParts): Promise<OidcSignIn> {
  const { settings, publicUrl, store, now } = parts
  return {
    provider: providerOf(parts),
    attempts: createOidcAttempts({
      key: await store.secret('oidc'),
      redirectUri: `${publicUrl}${callbackPath}`,
      now,
    }),
    title: new URL(settings.issuer).host,
    async accountOf(identity) {
      const { issuer, subject } = identity
      const known = await store.identities.find({ issuer, subject })
      if (known !== undefined) return known
      const newAccount = settings.createAccounts ? makeId('acc') : undefined
      const wish = { issuer, subject, email: verifiedEmailOf(identity), newAccount, at: now() }
      const account = await store.identities.join(wish)
      if (account !== undefined) return account
      throw new Problem('forbidden', {
        message:
          'No account belongs to this identity. Ask the operator for an account with the e-mail that the provider has verified.',
        details: { reason: 'no_account' },
      })
    },
  }
}
