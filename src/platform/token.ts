// Signed tokens for the platform: one per credential, or per credential and scope, reused while young. The platform refuses
// `exp - iat` over 20 minutes and an `iat` in its future, so a token is dated a little back and lives for 10.
import { SignJWT } from 'jose/jwt/sign'
import type { KeyObject } from 'node:crypto'
import { createShelves, scopeOf } from './scope.ts'

export interface Credential {
  readonly keyId: string
  /** absent for an individual key */
  readonly issuerId?: string
  readonly key: KeyObject
  /** every token is good for the one GET that it is signed for, and for nothing else */
  readonly tokenScope?: 'request'
}

/** how a token is dated: so long it lives, of which so much is past when it is made */
export const [lifeSec, backSec] = [600, 30]
const reuseSec = 480

interface Signed {
  readonly token: Promise<string>
  /** itself, as soon as it is signed */
  text: string | undefined
  readonly issuedSec: number
}

export interface Tokens {
  /** for a GET of `target`; `instead` is the token that the platform has just refused */
  for(credential: Credential, target: string, instead?: string): Promise<string>
  /** the same at once, where it is signed already */
  ready(credential: Credential, target: string): string | undefined
  /** our clock was found to differ from the platform's: later tokens are dated by the platform's */
  setClock(credential: Credential, offsetMs: number): void
  offsetMs(credential: Credential): number
}

/** A token for everything that the key may do where there is no scope, byte for byte as if scopes did not exist. */
function signToken(credential: Credential, scope: string | undefined, issuedSec: number): Promise<string> {
  const owner = credential.issuerId === undefined ? { sub: 'user' } : { iss: credential.issuerId }
  return new SignJWT(scope === undefined ? owner : { ...owner, scope: [scope] })
    .setProtectedHeader({ alg: 'ES256', kid: credential.keyId, typ: 'JWT' })
    .setIssuedAt(issuedSec)
    .setExpirationTime(issuedSec + lifeSec)
    .setAudience('appstoreconnect-v1')
    .sign(credential.key)
}

/** a clock set back would make an old token look newborn, so a date in the future counts as stale */
const isYoung = ({ issuedSec }: Signed, nowSec: number): boolean => nowSec >= issuedSec && nowSec - issuedSec < reuseSec

const wordsOf = ({ tokenScope }: Credential, target: string): string | undefined =>
  tokenScope === undefined ? undefined : scopeOf(target)

export function createTokens(now: () => number): Tokens {
  const whole = new WeakMap<Credential, Signed>()
  const scoped = createShelves<Credential, Signed>()
  const offsets = new WeakMap<Credential, number>()
  const offsetMs = (credential: Credential): number => offsets.get(credential) ?? 0

  const nowSecOf = (credential: Credential): number => Math.floor((now() + offsetMs(credential)) / 1000)

  const latest = (credential: Credential, scope: string | undefined): Signed | undefined =>
    scope === undefined ? whole.get(credential) : scoped.get(credential, scope)

  function sign(credential: Credential, scope: string | undefined, nowSec: number): Signed {
    const issuedSec = nowSec - backSec
    // kept before it is signed: whoever asks meanwhile waits for the same signature
    const token = signToken(credential, scope, issuedSec)
    const signed: Signed = { token, text: undefined, issuedSec }
    token.then(
      (text) => (signed.text = text),
      () => {},
    )
    if (scope === undefined) whole.set(credential, signed)
    else scoped.set(credential, scope, signed)
    return signed
  }

  function freshest(credential: Credential, scope: string | undefined, nowSec: number): Signed {
    const held = latest(credential, scope)
    return held && isYoung(held, nowSec) ? held : sign(credential, scope, nowSec)
  }

  return {
    async for(credential, target, instead) {
      const nowSec = nowSecOf(credential)
      const scope = wordsOf(credential, target)
      const held = freshest(credential, scope, nowSec)
      const token = await held.token
      if (token !== instead) return token
      // of all who were refused with it, the first signs, and the others take what he has signed
      const isFirst = latest(credential, scope) === held
      return (isFirst ? sign(credential, scope, nowSec) : freshest(credential, scope, nowSec)).token
    },
    ready(credential, target) {
      const held = latest(credential, wordsOf(credential, target))
      return held && isYoung(held, nowSecOf(credential)) ? held.text : undefined
    },
    setClock: (credential, offset) => void offsets.set(credential, offset),
    offsetMs,
  }
}
