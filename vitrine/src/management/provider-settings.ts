// The OpenID Connect provider of operators, from the settings. What is wrong with it stops the start.
import { createOidcAttempts } from '../../../base/auth/oidc-attempts.ts'
import type { OidcProviderOptions } from '../../../base/auth/oidc-provider.ts'
import { createProviderCredential, roleOfIdentity } from '../../../base/auth/oidc-operators.ts'
import { isSafeUrl, openClientSecret } from '../../../base/auth/oidc-settings.ts'
import { type Secrets, within } from '../core/located.ts'
import type { ProviderSignIn } from './operation.ts'
import { callbackPath } from './provider-operations.ts'
import { roles } from './roles.ts'
import { product } from '../product.ts'
import type { Settings } from '../settings.ts'

interface ProviderOptions {
  readonly folder: string
  readonly secrets: Secrets
  readonly now: () => number
  /** of the installation */
  readonly attemptKey: () => Promise<Uint8Array>
  readonly send?: OidcProviderOptions['send']
}

const members = ['oidc.issuer', 'oidc.clientId', 'oidc.clientSecretFile', 'oidc.roles'] as const

function requireSettings(settings: Settings, { secrets }: ProviderOptions) {
  const {
    operatorUrl,
    'oidc.issuer': issuer,
    'oidc.clientId': clientId,
    'oidc.clientSecretFile': file,
    'oidc.roles': given,
  } = settings
  if (operatorUrl === undefined || !isSafeUrl(operatorUrl))
    throw new Error(
      'operatorUrl: sign-in with a provider needs the https origin of the console, to which the provider sends browsers back; plain http is for loopback alone',
    )
  if (issuer === undefined) throw new Error('oidc.issuer: is required where another setting of oidc is given')
  if (clientId === undefined) throw new Error('oidc.clientId: is required with oidc.issuer')
  if (given === undefined) throw new Error('oidc.roles: is required with oidc.issuer, or nobody could sign in')
  if (file === undefined && secrets.oidcClientSecret === undefined)
    throw new Error('oidc.clientSecretFile: the secret is required, there or in VITRINE_OIDC_CLIENT_SECRET')
  return { operatorUrl, issuer, clientId, file, given }
}

export async function openProvider(settings: Settings, options: ProviderOptions): Promise<ProviderSignIn | undefined> {
  const { folder, secrets, now, attemptKey, send } = options
  if (members.every((name) => settings[name] === undefined) && secrets.oidcClientSecret === undefined) return undefined
  const { operatorUrl, issuer, clientId, file, given } = requireSettings(settings, options)
  const readSecret = openClientSecret({
    fixed: secrets.oidcClientSecret,
    file: file === undefined ? undefined : within(folder, file),
    names: { fixed: 'VITRINE_OIDC_CLIENT_SECRET', file: 'oidc.clientSecretFile' },
  })
  const [redirectUri, roleClaim] = [`${operatorUrl}${callbackPath}`, settings['oidc.roleClaim']]
  const strongestFirst = roles.toReversed().map((role) => [role, given[role] ?? []] as const)
  // only where there is a provider: the library takes time to load
  const { createOidcProvider } = await import('../../../base/auth/oidc-provider.ts')
  return {
    title: new URL(issuer).host,
    nameClaim: settings['oidc.nameClaim'],
    provider: createOidcProvider({
      issuer,
      clientId,
      readSecret,
      scope: settings['oidc.scope'],
      claims: [settings['oidc.nameClaim'], roleClaim.split('.', 1)[0] ?? roleClaim],
      redirectUri,
      now,
      send,
    }),
    attempts: createOidcAttempts({ key: await attemptKey(), redirectUri, now }),
    roleOf: (identity) => roleOfIdentity(identity, roleClaim, strongestFirst),
    credential: createProviderCredential(product.name, issuer, () => readSecret() ?? ''),
  }
}
