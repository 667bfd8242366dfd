// What a caller wants to reach from a container, and what of it the operator allows.
import { invalid, refuse } from '../problems.ts'
import { isWithin, readHostPattern } from './host-names.ts'

export interface EgressWish {
  /** names, and patterns such as `*.example.com` */
  readonly hosts: readonly string[]
}

export interface WithEgress {
  readonly egress?: EgressWish | null
  readonly network?: 'none' | 'egress'
}

/** in small letters, as it is kept; throws what is wrong with it */
export function settleEgress({ egress, network }: WithEgress, operatorHosts: readonly string[]): EgressWish | null {
  if (!egress) return null
  if (network === 'egress')
    throw invalid('egress', 'is for containers without a network of their own: leave out network, or set it to none')
  const hosts = egress.hosts.map((given, i) => {
    const field = `egress.hosts[${i}]`
    const pattern = readHostPattern(given)
    if (pattern === undefined)
      throw invalid(field, 'must be the name of a host, or *. and the name of a domain; neither an address nor a port')
    if (!isWithin(operatorHosts, pattern)) throw refuse('forbidden', { field })
    return pattern
  })
  return { hosts: [...new Set(hosts)] }
}
