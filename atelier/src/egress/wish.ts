// What a caller wants to reach from a container and which secrets go along, and what of it the operator allows.
import { invalid, refuse } from '../problems.ts'
import { isWithin, readHostName, readHostPattern } from './host-names.ts'
import { makePlaceholder, type Secret } from './vault.ts'

export interface EgressWish {
  /** names, and patterns such as `*.example.com` */
  readonly hosts: readonly string[]
}

export interface SecretWish {
  readonly value: string
  readonly hosts: readonly string[]
  readonly header?: string
}

export interface WithEgress {
  readonly egress?: EgressWish | null
  readonly secrets?: Readonly<Record<string, SecretWish>>
  readonly network?: 'none' | 'egress'
  readonly env?: Readonly<Record<string, string>>
}

export interface SettledEgress {
  readonly hosts: readonly string[]
  readonly secrets: Readonly<Record<string, Secret>>
}

/** they say where a request goes or how long it is, or belong to one connection */
const ownHeaders =
  /^(?:host|content-length|content-type|transfer-encoding|connection|te|trailer|upgrade|expect|keep-alive|range|if-range|accept-encoding|proxy-.*)$/

function readHosts(field: string, given: readonly string[], read: typeof readHostName, allowed: readonly string[]) {
  return given.map((one, i) => {
    const known = read(one)
    if (known === undefined)
      throw invalid(`${field}[${i}]`, 'must be the name of a host, without a port; neither an address nor a URL')
    if (!isWithin(allowed, known)) throw refuse('not_opened', { field: `${field}[${i}]` })
    return known
  })
}

function settleSecret(
  name: string,
  { value, hosts, header = 'authorization' }: SecretWish,
  allowed: readonly string[],
): Secret {
  const field = `secrets.${name}`
  const known = header.toLowerCase()
  if (ownHeaders.test(known)) throw invalid(`${field}.header`, 'must be a header that carries a credential')
  const names = readHosts(`${field}.hosts`, hosts, readHostName, allowed)
  return { value, header: known, hosts: [...new Set(names)], placeholder: makePlaceholder() }
}

/** in small letters, as it is kept; null: the container reaches nothing. Throws what is wrong with the wish. */
export function settleEgress(wish: WithEgress, allowed: readonly string[]): SettledEgress | null {
  const { egress, secrets = {}, network, env = {} } = wish
  const field = egress ? 'egress' : 'secrets'
  if (!egress && Object.keys(secrets).length === 0) return null
  if (network === 'egress')
    throw invalid(field, 'is for containers without a network of their own: leave out network, or set it to none')
  for (const name of Object.keys(secrets))
    if (Object.hasOwn(env, name)) throw invalid(`secrets.${name}`, 'has the name of a variable in env')
  const hosts = readHosts('egress.hosts', egress?.hosts ?? [], readHostPattern, allowed)
  const settled = Object.entries(secrets).map(([name, one]) => [name, settleSecret(name, one, allowed)] as const)
  const ofSecrets = settled.flatMap(([, one]) => one.hosts)
  return { hosts: [...new Set([...hosts, ...ofSecrets])], secrets: Object.fromEntries(settled) }
}
