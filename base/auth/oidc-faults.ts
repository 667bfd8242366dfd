// What the library's errors mean for a sign-in.
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi'
import { OidcError } from './oidc-error.ts'

/** an error code of the protocol; a provider could send anything here */
const codeOf = (text: string): string => (/^[a-z_]{1,40}$/.test(text) ? text : 'an unknown error')

/** codes of the library where the answer of an endpoint is none that the protocol knows */
const unusable: ReadonlySet<string> = new Set([
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
])

/** the library's messages are fixed texts; what it found is in `cause`, which stays here */
export function toOidcError(error: unknown): OidcError {
  if (error instanceof OidcError) return error
  if (error instanceof AuthorizationResponseError) return new OidcError('denied', codeOf(error.error))
  if (error instanceof ResponseBodyError) {
    // the code is used, expired or another client's; everything else is about this client
    const fault = error.error === 'invalid_grant' ? 'invalid' : 'unavailable'
    return new OidcError(fault, `the token endpoint answers ${codeOf(error.error)}`)
  }
  const { code, message } = error as { readonly code?: unknown; readonly message: string }
  if (typeof code !== 'string' || !code.startsWith('OAUTH_')) throw error
  return new OidcError(unusable.has(code) ? 'unavailable' : 'invalid', message)
}
