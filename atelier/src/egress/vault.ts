// The secrets of one container: what stands for each inside, where it may go, and the authority for the TLS to those hosts.
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { associate, seal, unseal } from '../../../base/core/seal.ts'
import { type Authority, identityFor, makeAuthority } from './certificates.ts'
import { SecretCover } from './secret-cover.ts'
import { ValueFinder } from './value-finder.ts'

/** as it is shown */
export interface SecretPlace {
  readonly hosts: readonly string[]
  /** in small letters */
  readonly header: string
}

export interface Secret extends SecretPlace {
  readonly placeholder: string
  readonly value: string
}

/** longer than any container lives */
const authorityMs = 7 * 24 * 3_600_000

export const makePlaceholder = (): string => `atelier_secret_${randomBytes(16).toString('hex')}`

export class Vault {
  readonly secrets: Readonly<Record<string, Secret>>
  readonly #authority: Authority
  readonly #contexts = new Map<string, SecureContext>()
  #finder: ValueFinder | undefined

  constructor(secrets: Readonly<Record<string, Secret>>, authority: Authority) {
    this.secrets = secrets
    this.#authority = authority
  }

  get certificate(): string {
    return this.#authority.certificate
  }

  of(host: string): readonly Secret[] {
    return Object.values(this.secrets).filter(({ hosts }) => hosts.includes(host))
  }

  /** of answers of a host; one automaton of all values of the container serves every host */
  coverFor(host: string, codedForms: readonly string[]): SecretCover {
    this.#finder ??= new ValueFinder(Object.values(this.secrets).map(({ value }) => value))
    return new SecretCover(this.#finder, Math.max(0, ...this.of(host).map(({ value }) => value.length)), codedForms)
  }

  contextOf(host: string): SecureContext {
    const known = this.#contexts.get(host) ?? createSecureContext(identityFor(host, this.#authority))
    this.#contexts.set(host, known)
    return known
  }

  /** only for this container, so that a row is worth nothing in another's place */
  sealedWith(key: KeyObject, container: string): Buffer {
    const { key: ofAuthority, ...authority } = this.#authority
    const pkcs8 = ofAuthority.export({ type: 'pkcs8', format: 'pem' })
    const content = { secrets: this.secrets, authority: { ...authority, publicKey: undefined, key: pkcs8 } }
    return seal(key, associate('egress', container), Buffer.from(JSON.stringify(content)))
  }
}

export const makeVault = (secrets: Readonly<Record<string, Secret>>, container: string): Vault =>
  new Vault(secrets, makeAuthority(`Atelier ${container}`, Date.now() + authorityMs))

interface Sealed {
  readonly secrets: Readonly<Record<string, Secret>>
  readonly authority: Omit<Authority, 'key' | 'publicKey'> & { readonly key: string }
}

/** undefined: it was sealed with another key, or for another container */
export function openVault(key: KeyObject, container: string, sealed: Uint8Array): Vault | undefined {
  const content = unseal(key, associate('egress', container), sealed)
  if (!content) return undefined
  const { secrets, authority } = JSON.parse(content.toString()) as Sealed
  const privateKey = createPrivateKey(authority.key)
  return new Vault(secrets, { ...authority, key: privateKey, publicKey: createPublicKey(privateKey) })
}
