// Why a sign-in with an OpenID Connect provider failed. The reason is for the operator's log: fixed words and codes of the
// protocol, never a token, a code, a claim or a secret.

/** `unavailable`: the provider, or how it is configured; `denied`: its answer is no; `invalid`: its answer proves nothing */
export type OidcFault = 'unavailable' | 'denied' | 'invalid'

export class OidcError extends Error {
  readonly fault: OidcFault
  readonly reason: string

  constructor(fault: OidcFault, reason: string) {
    super(`sign-in with the provider: ${reason}`)
    this.fault = fault
    this.reason = reason
  }
}
