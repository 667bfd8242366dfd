// The public keys that callers may give for a session: one line as in authorized_keys, without options.
import { createPublicKey } from 'node:crypto'
import { type Problem, refuse } from '../problems.ts'

const mostLetters = 8_192
const rsaBits = { least: 3_072, most: 16_384 }

const wrong = (reason: string): Problem => refuse('invalid_public_key', { reason })

/** all content of a key is texts with their lengths in front */
function partsOf(blob: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < blob.length;) {
    const end = at + 4 <= blob.length ? at + 4 + blob.readUInt32BE(at) : Infinity
    if (end > blob.length) throw wrong('its content is incomplete')
    parts.push(blob.subarray(at + 4, end))
    at = end
  }
  return parts
}

/** bits of a positive number in its shortest form; 0: it is none */
function bitsOf(number: Buffer): number {
  const [first = 0x80, second = 0] = number
  if (first >= 0x80 || (first === 0 && second < 0x80)) return 0
  return (number.length - 1) * 8 + (32 - Math.clz32(first))
}

function checkRsa([exponent = Buffer.of(), modulus = Buffer.of(), ...rest]: Buffer[]) {
  const isOdd = (number: Buffer) => ((number.at(-1) ?? 0) & 1) === 1
  const isExponent = bitsOf(exponent) >= 2 && bitsOf(exponent) <= 32 && isOdd(exponent)
  if (rest.length > 0 || !isExponent || !isOdd(modulus)) throw wrong('its content is not that of an RSA key')
  const bits = bitsOf(modulus)
  if (bits < rsaBits.least) throw wrong(`an RSA key must have ${rsaBits.least} bits or more`)
  if (bits > rsaBits.most) throw wrong(`an RSA key must have at most ${rsaBits.most} bits`)
}

function checkEd25519([key, ...rest]: Buffer[]) {
  if (key?.length !== 32 || rest.length > 0) throw wrong('its content is not that of an ed25519 key')
}

const checkEcdsa =
  (name: string, crv: string, bytes: number) =>
  ([curve, point = Buffer.of(), ...rest]: Buffer[]) => {
    const failure = wrong(`its content is not that of a key on ${name}`)
    if (curve?.toString('latin1') !== name || rest.length > 0) throw failure
    if (point.length !== 1 + 2 * bytes || point[0] !== 4) throw failure
    const x = point.subarray(1, 1 + bytes).toString('base64url')
    const y = point.subarray(1 + bytes).toString('base64url')
    try {
      createPublicKey({ key: { kty: 'EC', crv, x, y }, format: 'jwk' })
    } catch {
      throw failure
    }
  }

const checks = new Map<string, (parts: Buffer[]) => void>([
  ['ssh-ed25519', checkEd25519],
  ['ecdsa-sha2-nistp256', checkEcdsa('nistp256', 'P-256', 32)],
  ['ecdsa-sha2-nistp384', checkEcdsa('nistp384', 'P-384', 48)],
  ['ecdsa-sha2-nistp521', checkEcdsa('nistp521', 'P-521', 66)],
  ['ssh-rsa', checkRsa],
])

/** the key without its comment; throws `invalid_public_key` */
export function readPublicKey(text: string): string {
  if (text.length > mostLetters) throw wrong(`it must have at most ${mostLetters} characters`)
  const [, type = '', base64 = ''] = /^([a-z0-9-]+) ([A-Za-z0-9+/]+={0,2})(?: [^\p{Cc}]*)?$/u.exec(text) ?? []
  if (base64 === '') throw wrong('it must be one line: type, base64 and an optional comment')
  const check = checks.get(type)
  if (!check) throw wrong('its type is not accepted')
  const blob = Buffer.from(base64, 'base64')
  if (blob.toString('base64') !== base64) throw wrong('its content is not base64')
  const [name, ...parts] = partsOf(blob)
  if (name?.toString('latin1') !== type) throw wrong('its content has another type')
  check(parts)
  return `${type} ${base64}`
}
