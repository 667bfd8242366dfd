// Checks the OpenID Connect provider with which operators sign in: its settings, the file of its secret, and that it answers.
import { OidcError } from '../../../base/auth/oidc-error.ts'
import { within } from '../core/located.ts'
import type { ProviderSignIn } from '../management/operation.ts'
import { openProvider } from '../management/provider-settings.ts'
import { createFetch } from '../platform/proxy/outbound-fetch.ts'
import { fileFix, judgePath } from './file-check.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import type { DoctorInput, Installation } from './installation.ts'

const says = 'Operators cannot sign in with the provider.'
const cure = 'Set what is missing, as the guide to signing in shows, or remove the settings of oidc.'

function judgeSecretFile({ settings, folder }: DoctorInput): Verdict | undefined {
  const file = settings['oidc.clientSecretFile']
  if (file === undefined) return undefined
  return judgePath('oidc.clientSecretFile', { value: file, path: within(folder, file), says, cure })
}

async function judgeAnswer({ provider, title }: ProviderSignIn): Promise<Verdict> {
  try {
    await provider.check()
    return ok(`The provider at ${title} can be used.`)
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    // the service starts without it, and tokens work
    return warn(says, {
      cause: `oidc.issuer: ${error.reason}`,
      cure: 'Check oidc.issuer, and that this machine reaches it. Until then, sign in with an operator token.',
    })
  }
}

export async function judgeSignIn(input: Installation): Promise<Verdict> {
  const { settings, folder, secrets, outbound } = input
  if (settings.operatorListen === 'off') return ok('The operator endpoint is off.')
  const wrong = judgeSecretFile(input)
  if (wrong) return wrong
  let opened: ProviderSignIn | undefined
  try {
    // the key is for sign-ins, and there is none here
    const attemptKey = async () => new Uint8Array(32)
    const send = outbound && createFetch(outbound, settings['upstream.connectMs'])
    opened = await openProvider(settings, { folder, secrets, now: Date.now, attemptKey, send })
  } catch (error) {
    return fail(says, { cause: (error as Error).message, cure: fileFix(error) ?? cure })
  }
  return opened ? judgeAnswer(opened) : ok('No provider for operators is set.')
}
