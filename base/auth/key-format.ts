// The text of a key: <prefix><kind>_<id>_<secret>_<checksum>. The checksum finds a mistyped key without a lookup; the prefix
// lets scanners find a leaked one.
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type KeyKind = 'live' | 'test'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 12
const secretLength = 43
const checksumLength = 6

function randomText(length: number): string {
  let text = ''
  while (text.length < length)
    // 248 is the last multiple of 62 in a byte: higher bytes would favour the first letters
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  return text
}

function checksumOf(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < checksumLength; i++) {
    text = (alphabet[rest % 62] ?? '') + text
    rest = Math.floor(rest / 62)
  }
  return text
}

export function createKeyFormat(prefix: string) {
  const pattern = new RegExp(`^(${prefix}(?:live|test)_([0-9A-Za-z]{12})_[0-9A-Za-z]{43})_([0-9A-Za-z]{6})$`)
  return {
    pattern,
    makeKey: (kind: KeyKind): { id: string; key: string } => {
      const id = randomText(idLength)
      const body = `${prefix}${kind}_${id}_${randomText(secretLength)}`
      return { id, key: `${body}_${checksumOf(body)}` }
    },
    readKeyId: (key: string): string | undefined => {
      const [, body, id, checksum] = pattern.exec(key) ?? []
      return body !== undefined && checksumOf(body) === checksum ? id : undefined
    },
  }
}
