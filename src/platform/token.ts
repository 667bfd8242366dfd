// Signed tokens for the platform: one per credential, reused while young. The platform refuses `exp - iat` over 20 minutes
// and an `iat` in its future, so a token is dated a little back and lives for 10.
import { SignJWT } from 'jose'
import type { KeyObject } from 'node:crypto'

export interface Credential {
  readonly keyId: string
  /** absent for an individual key */
  readonly issuerId?: string
  readonly key: KeyObject
}

const lifeSec = 600
const backSec = 30
const reuseSec = 480

interface Signed {
  readonly token: Promise<string>
  readonly issuedSec: number
}

export interface Tokens {
  /** `instead` is the token that the platform has just refused */
  for(credential: Credential, instead?: string): Promise<string>
}

export function createTokens(now: () => number): Tokens {
  const latest = new WeakMap<Credential, Signed>()

  function sign(credential: Credential, nowSec: number): Signed {
    const issuedSec = nowSec - backSec
    const jwt = new SignJWT(credential.issuerId === undefined ? { sub: 'user' } : { iss: credential.issuerId })
      .setProtectedHeader({ alg: 'ES256', kid: credential.keyId, typ: 'JWT' })
      .setIssuedAt(issuedSec)
      .setExpirationTime(issuedSec + lifeSec)
      .setAudience('appstoreconnect-v1')
    const signed = { token: jwt.sign(credential.key), issuedSec }
    latest.set(credential, signed)
    return signed
  }

  function freshest(credential: Credential, nowSec: number): Signed {
    const held = latest.get(credential)
    // a clock set back would make an old token look newborn, so a date in the future counts as stale
    const young = held && nowSec >= held.issuedSec && nowSec - held.issuedSec < reuseSec
    return young ? held : sign(credential, nowSec)
  }

  return {
    async for(credential, instead) {
      const nowSec = Math.floor(now() / 1000)
      const held = freshest(credential, nowSec)
      const token = await held.token
      if (token !== instead) return token
      // of all who were refused with it, the first signs, and the others take what he has signed
      return latest.get(credential) === held ? sign(credential, nowSec).token : freshest(credential, nowSec).token
    },
  }
}
