// The checksum of a facade key. It is public, so forged keys have the right one.
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function withChecksum(body: string): string {
  let [rest, text] = [crc32(body), '']
  for (let i = 0; i < 6; i++) [text, rest] = [(alphabet[rest % 62] ?? '') + text, Math.floor(rest / 62)]
  return `${body}_${text}`
}
