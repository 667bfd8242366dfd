// Opaque ids: a kind and 26 characters of 0-9a-z that hold 128 random bits.
import { randomBytes } from 'node:crypto'

export type IdKind = 'acc' | 'ct' | 'img' | 'chk' | 'ex' | 'ssh' | 'key'

const length = 26

export function makeId<Kind extends IdKind>(kind: Kind): `${Kind}_${string}` {
  const number = BigInt(`0x${randomBytes(16).toString('hex')}`)
  return `${kind}_${number.toString(36).padStart(length, '0')}`
}

export const isId = (kind: IdKind, text: string): boolean => new RegExp(`^${kind}_[0-9a-z]{${length}}$`).test(text)
