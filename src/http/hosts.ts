// Which names a port on loopback answers to. A page of elsewhere whose name was pointed at this machine (DNS rebinding) would
// otherwise be of one origin with it, and its requests would come from an address that is trusted more than others.
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { Problem } from '../problem.ts'

export interface Hosts {
  /** throws a Problem where the request is for another name; `target` as it came */
  check(req: IncomingMessage, target: string): void
}

/** without its port and the dot of a name that is whole; undefined where it is no host */
function nameOf(host: string): string | undefined {
  const [, name] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d*)?$/i.exec(host) ?? []
  return name?.toLowerCase().replace(/\.$/, '')
}

function isOfThisMachine(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true
  const v4 = name.replace(/^\[::ffff:([\d.]+)\]$/, '$1')
  return isIPv4(v4) && v4.startsWith('127.')
}

/** what a target in absolute form asks for, which counts before the field */
const authorityOf = (target: string): string | undefined => /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]

/** for a port on loopback; `ownUrl`: where callers reach it, as the settings have it */
export function createHosts(ownUrl: string | undefined): Hosts {
  const own = ownUrl === undefined ? undefined : nameOf(new URL(ownUrl).host)
  const isOurs = (host: string): boolean => {
    const name = nameOf(host)
    return name !== undefined && (isOfThisMachine(name) || name === own)
  }
  /** nearly every request is for the same one */
  let last: string | undefined
  return {
    check({ headers: { host } }, target) {
      if (host === last && target.startsWith('/')) return
      const asked = [host, authorityOf(target)].filter((one) => one !== undefined)
      // no browser leaves it out
      if (!asked.every(isOurs)) throw new Problem('host_not_allowed')
      last = host
    },
  }
}
