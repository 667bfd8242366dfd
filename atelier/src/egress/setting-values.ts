// Reads the settings of the proxy, from JSON or from texts with commas.
import { isIP } from 'node:net'
import { wrong } from '../../../base/core/setting-values.ts'
import { readNetwork } from './addresses.ts'
import { readHostPattern } from './host-names.ts'

function readList<T>(read: (value: unknown) => T | undefined, wanted: string) {
  return (value: unknown): readonly T[] => {
    const all: unknown = typeof value === 'string' ? value.split(',').filter((one) => one !== '') : value
    const known = Array.isArray(all) ? all.map(read) : [undefined]
    return known.every((one) => one !== undefined) ? known : wrong(wanted)
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const readHosts = readList(
  (value) => (value === '*' ? value : readHostPattern(textOf(value))),
  'must be a list of names such as api.example.com or *.example.com, or of * alone',
)

export const readPorts = readList((value) => {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return Number.isInteger(port) && (port as number) > 0 && (port as number) <= 65_535 ? (port as number) : undefined
}, 'must be a list of ports such as 443')

export const readOpenNetworks = readList(
  (value) => readNetwork(textOf(value)),
  'must be a list of networks such as 10.0.3.0/24; link-local ones and those of metadata cannot be opened',
)

export const readResolvers = readList((value) => {
  const [, host = ''] = /^(?:\[?([^\]]+?)\]?)(?::\d{1,5})?$/.exec(textOf(value)) ?? []
  return isIP(host) > 0 || isIP(textOf(value)) > 0 ? textOf(value) : undefined
}, 'must be a list of addresses of DNS servers, such as 10.0.0.53 or [fd00::53]:53')
