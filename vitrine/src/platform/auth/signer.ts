// The token of each platform call: one per credential, or per credential and scope, reused while young; and what a 401 means
// for it: a passing fault, a clock that differs, or a rejected signing key.
import type { KeyObject } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import { Problem } from '../../problems.ts'
import { readHttpDate } from '../retry/retry-after.ts'
import { createScopedCache, scopeOf } from './scope.ts'

export interface Credential {
  readonly keyId: string
  readonly issuerId?: string
  readonly key: KeyObject
  readonly tokenScope?: 'request'
}

/** The platform refuses a token with a future `iat` or over 20 minutes of life: ours are dated 30 s back and live 10 minutes. */
export const [lifeSec, backSec] = [600, 30]
const reuseSec = 480

interface Signed {
  readonly token: Promise<string>
  text: string | undefined
  readonly issuedSec: number
}

export type Tokens = ReturnType<typeof createTokens>

function signToken(credential: Credential, scope: string | undefined, issuedSec: number): Promise<string> {
  const owner = credential.issuerId === undefined ? { sub: 'user' } : { iss: credential.issuerId }
  return new SignJWT(scope === undefined ? owner : { ...owner, scope: [scope] })
    .setProtectedHeader({ alg: 'ES256', kid: credential.keyId, typ: 'JWT' })
    .setIssuedAt(issuedSec)
    .setExpirationTime(issuedSec + lifeSec)
    .setAudience('appstoreconnect-v1')
    .sign(credential.key)
}

/** a date in the future counts as stale: our clock was set back since */
const isYoung = ({ issuedSec }: Signed, nowSec: number): boolean => nowSec >= issuedSec && nowSec - issuedSec < reuseSec

const neededScope = ({ tokenScope }: Credential, target: string): string | undefined =>
  tokenScope === undefined ? undefined : scopeOf(target)

export function createTokens(now: () => number) {
  const unscoped = new WeakMap<Credential, Signed>()
  const scoped = createScopedCache<Credential, Signed>()
  const offsets = new WeakMap<Credential, number>()
  const offsetMs = (credential: Credential): number => offsets.get(credential) ?? 0

  const nowSecOf = (credential: Credential): number => Math.floor((now() + offsetMs(credential)) / 1000)

  const latest = (credential: Credential, scope: string | undefined): Signed | undefined =>
    scope === undefined ? unscoped.get(credential) : scoped.get(credential, scope)

  /** cached before it is signed, so that calls at the same time share one signature */
  function sign(credential: Credential, scope: string | undefined, nowSec: number): Signed {
    const issuedSec = nowSec - backSec
    const token = signToken(credential, scope, issuedSec)
    const signed: Signed = { token, text: undefined, issuedSec }
    token.then(
      (text) => (signed.text = text),
      () => {},
    )
    if (scope === undefined) unscoped.set(credential, signed)
    else scoped.set(credential, scope, signed)
    return signed
  }

  function freshest(credential: Credential, scope: string | undefined, nowSec: number): Signed {
    const cached = latest(credential, scope)
    return cached && isYoung(cached, nowSec) ? cached : sign(credential, scope, nowSec)
  }

  return {
    async for(credential: Credential, target: string, instead?: string): Promise<string> {
      const nowSec = nowSecOf(credential)
      const scope = neededScope(credential, target)
      const cached = freshest(credential, scope, nowSec)
      const token = await cached.token
      if (token !== instead) return token
      // of all calls refused with this token, the first signs a new one for the others
      const isFirst = latest(credential, scope) === cached
      return (isFirst ? sign(credential, scope, nowSec) : freshest(credential, scope, nowSec)).token
    },
    ready(credential: Credential, target: string): string | undefined {
      const cached = latest(credential, neededScope(credential, target))
      return cached && isYoung(cached, nowSecOf(credential)) ? cached.text : undefined
    },
    setClock: (credential: Credential, offset: number) => void offsets.set(credential, offset),
    offsetMs,
  }
}

export const [longPauseMs, shortPauseMs, recentMs] = [30_000, 2_000, 60_000]
/** a smaller difference of the clocks does no harm, since tokens are dated back by more */
export const harmlessMs = 20_000
/** a date that is further off is the platform's mistake and no difference of clocks */
export const absurdMs = 24 * 3_600_000

export interface SignerOptions {
  readonly credential: Credential
  readonly tokens: Tokens
  readonly now: () => number
  readonly steady: () => number
  readonly paused: (pauseSec: number) => void
  readonly skewed: (offsetSec: number) => void
}

function offsetIn(date: string | undefined, now: number): number | undefined {
  const platformMs = readHttpDate(date)
  const offset = platformMs === undefined ? Number.NaN : platformMs - now
  return Math.abs(offset) < absurdMs ? offset : undefined
}

export class Signer {
  readonly #options: SignerOptions
  #good: string | undefined
  #goodAt = Number.NEGATIVE_INFINITY
  #spent: string | undefined
  #pausedUntil = 0

  constructor(options: SignerOptions) {
    this.#options = options
  }

  check() {
    if (this.isRejected())
      throw new Problem('upstream_key_rejected', { cause: 'the platform refused the key a moment ago' })
  }

  token(target: string): string | Promise<string> {
    const { credential, tokens } = this.#options
    const ready = tokens.ready(credential, target)
    return ready !== undefined && ready !== this.#spent ? ready : tokens.for(credential, target, this.#spent)
  }

  accepted(token: string) {
    this.#goodAt = this.#options.steady()
    this.#good = token
    this.#pausedUntil = 0
  }

  /** for the one retry after a 401: the same token if it was good before, else a new one */
  again(target: string, refused: string, date: string | undefined): string | Promise<string> {
    const { credential, tokens } = this.#options
    const isSkewed = this.#adjustClock(date)
    return this.#good === refused && !isSkewed ? refused : tokens.for(credential, target, refused)
  }

  rejected(token: string) {
    const { steady, paused } = this.#options
    const pauseMs = steady() - this.#goodAt < recentMs ? shortPauseMs : longPauseMs
    this.#goodAt = Number.NEGATIVE_INFINITY
    this.#good = undefined
    this.#spent = token
    this.#pausedUntil = steady() + pauseMs
    paused(pauseMs / 1_000)
  }

  isRejected(): boolean {
    return this.#options.steady() < this.#pausedUntil
  }

  #adjustClock(date: string | undefined): boolean {
    const { credential, tokens, now, skewed } = this.#options
    const offset = offsetIn(date, now())
    if (offset === undefined || Math.abs(offset - tokens.offsetMs(credential)) <= harmlessMs) return false
    tokens.setClock(credential, offset)
    skewed(Math.round(offset / 1_000))
    return true
  }
}
