// Reads the value of a setting from JSON or from the text of an environment variable.
// Each reader throws an Error with the expected form, and never repeats the value.

import { isIP } from 'node:net'

export interface Address {
  readonly host: string
  readonly port: number
}

export const shownAddress = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

export const isLoopback = ({ host }: Address): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

export class WrongValue extends Error {
  /** names of the members from the value down to the one at fault */
  readonly within: readonly string[]

  constructor(wanted: string, within: readonly string[]) {
    super(wanted)
    this.within = within
  }
}

export const wrong = (wanted: string, within: readonly string[] = []): never => {
  throw new WrongValue(wanted, within)
}

function readAddressOr(value: unknown, wanted: string): Address {
  const [, v6, v4, digits] = /^(?:\[([0-9a-fA-F:]+)\]|([\w.-]+)):(\d{1,5})$/.exec(String(value)) ?? []
  const host = v6 ?? v4
  const port = Number(digits)
  return host !== undefined && port <= 65_535 ? { host, port } : wrong(wanted)
}

export const readAddress = (value: unknown): Address =>
  readAddressOr(value, 'must be HOST:PORT, such as 127.0.0.1:8080')

export const readAddressOrOff = (value: unknown): Address | 'off' =>
  value === 'off' ? value : readAddressOr(value, 'must be HOST:PORT, such as 127.0.0.1:8081, or off')

export const readWhole =
  (least: number, most: number) =>
  (value: unknown): number => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    return Number.isInteger(number) && (number as number) >= least && (number as number) <= most
      ? (number as number)
      : wrong(`must be a whole number from ${least} to ${most}`)
  }

/** http or https: a proxy may terminate TLS */
export const readOrigin =
  (example: string) =>
  (value: unknown): string => {
    const url = URL.parse(String(value))
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    return isOrigin ? url.origin : wrong(`must be an origin without a path, such as ${example}`)
  }

export function readStore(value: unknown): string {
  const text = String(value)
  const known = /^sqlite:./.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
  return known ? text : wrong('must be sqlite:PATH or postgres://USER@HOST/DATABASE')
}

export function readRedis(value: unknown): string {
  const text = String(value)
  const { protocol, pathname, search, hash, hostname } = URL.canParse(text) ? new URL(text) : new URL('none://')
  const isOne = /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d{0,4})?$/.test(pathname) && !search && !hash
  return isOne
    ? text
    : wrong('must be redis://HOST:PORT, or rediss:// over TLS, with /DB behind it where it is not the first')
}

export const readPath = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : wrong('must be the path of a file')

export const readYesOrNo = (value: unknown): boolean =>
  value === true || value === 'true'
    ? true
    : value === false || value === 'false'
      ? false
      : wrong('must be true or false')

export function readChoice<T extends string>(...choices: T[]): (value: unknown) => T {
  return (value) => choices.find((choice) => choice === value) ?? wrong(`must be one of ${choices.join(', ')}`)
}

const withoutPrefix = /^[\da-fA-F.:]{2,45}$/

export function readNetworks(value: unknown): readonly string[] {
  const all: unknown = typeof value === 'string' ? value.split(',').filter(Boolean) : value
  const wanted = 'must be a list of addresses or networks, such as 10.0.3.0/28'
  if (!Array.isArray(all)) return wrong(wanted)
  for (const one of all) {
    const [address = '', bits, more] = String(one).split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
    if (!withoutPrefix.test(address) || isIP(address) === 0 || !isNetwork || more !== undefined) return wrong(wanted)
  }
  return all as string[]
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return wrong('must be JSON')
  }
}
