// Reads a signing key from text in whatever form it arrives, and verifies it.
// No message contains any of the text: what was pasted may be part of a secret.
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  hash,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { attempt } from '../../../base/core/attempt.ts'
import {
  damaged,
  encrypted,
  looksLikeRtf,
  rtf,
  diagnoseDer,
  diagnosePemLabel,
  diagnosePemLines,
  diagnoseText,
} from './key-diagnosis.ts'

export const maxKeyFileBytes = 8192

const refuse = (reason: string): never => {
  throw new Error(reason)
}
export type EncodedKey = { readonly der: Buffer; readonly type: 'pkcs8' | 'sec1' }

/** undoes the escapes and quotes of environment variables, JSON, shells and editors */
function unmangle(text: string): string {
  let clean = text.replace(/^\uFEFF/, '').replace(/\\{1,2}r\\{1,2}n|\\{1,2}[nr]/g, '\n')
  for (let layer = 0; layer < 3; layer++) clean = clean.trim().replace(/^(["'`])([\s\S]*)\1$/, '$2')
  return clean.trim()
}

const unpad = (base64: string): string => base64.replace(/={1,2}$/, '')

/** undefined unless the text is the canonical base64 of its bytes, in either alphabet */
function fromBase64(text: string): Buffer | undefined {
  const bare = unpad(text.replace(/\s/g, '')).replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Buffer.from(bare, 'base64')
  return unpad(bytes.toString('base64')) === bare ? bytes : undefined
}

function findBlock(pem: string): EncodedKey {
  const block = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g
  const blocks = [...pem.matchAll(block)].map(([, label = '', body = '']) => ({ label, body }))
  const rest = pem.replace(block, '')
  if (rest.includes('-----')) return refuse(diagnosePemLines(rest))
  const isOurs = (label: string) => label === 'PRIVATE KEY' || label === 'EC PRIVATE KEY'
  const other = blocks.find(({ label }) => !isOurs(label) && label !== 'EC PARAMETERS')
  if (other) return refuse(diagnosePemLabel(other.label))
  const [key, second] = blocks.filter(({ label }) => isOurs(label))
  if (key === undefined) return refuse(diagnoseText(pem))
  if (second) return refuse('it holds more than one private key')
  if (/Proc-Type|DEK-Info/.test(key.body)) return refuse(encrypted)
  return { der: fromBase64(key.body) ?? refuse(damaged), type: key.label === 'PRIVATE KEY' ? 'pkcs8' : 'sec1' }
}

export function decodeKey(text: string): EncodedKey {
  if (Buffer.byteLength(text) > maxKeyFileBytes) return refuse('it is too large for a key')
  if (looksLikeRtf(text)) return refuse(rtf)
  const clean = unmangle(text)
  if (clean === '') return refuse('it is empty')
  const noKey = () => refuse(diagnoseText(text.trim()))
  const isPem = (some: string) => /-----(BEGIN|END) /.test(some)
  if (isPem(clean)) return findBlock(clean)
  if (/BEGIN|PRIVATE KEY/.test(clean) && clean.includes('--')) return refuse(damaged)
  const bytes = fromBase64(clean) ?? noKey()
  const inner = unmangle(bytes.toString())
  if (isPem(inner)) return findBlock(inner)
  return bytes[0] === 0x30 ? { der: bytes, type: 'pkcs8' } : noKey()
}

/** the parser would ignore bytes after the sequence */
function isWhole(der: Buffer): boolean {
  const first = der[1] ?? 0
  const more = first < 0x80 ? 0 : first - 0x80
  if (der[0] !== 0x30 || more > 2 || der.length < 2 + more) return false
  return der.length === 2 + more + (more === 0 ? first : der.readUIntBE(2, more))
}

function parse({ der, type }: EncodedKey): KeyObject {
  if (!isWhole(der)) return refuse(damaged)
  return attempt(() => createPrivateKey({ key: der, format: 'der', type })) ?? refuse(diagnoseDer(der))
}

export const pkcs8Head = Buffer.from('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420', 'hex')
export const publicPartHead = Buffer.from('a144034200', 'hex')

/** throws if the scalar is 0 or not below the order of the curve */
export function keyFromScalar(scalar: Buffer): KeyObject {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(scalar)
  const der = Buffer.concat([pkcs8Head, scalar, publicPartHead, pair.getPublicKey()])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  der.fill(0)
  return key
}

/** Rebuilds the key from its scalar: the parser checks neither the scalar nor whether the public part belongs to it. */
function rebuild(given: KeyObject, der: Buffer): KeyObject {
  const sec1 = attempt(() => given.export({ format: 'der', type: 'sec1' })) ?? refuse(damaged)
  if ((sec1[1] ?? 0) >= 0x80) return refuse('it spells out the parameters of its curve instead of naming it')
  // the scalar, after the heads of the sequence and the version
  const key = attempt(() => keyFromScalar(sec1.subarray(7, 39)))
  sec1.fill(0)
  if (key === undefined) return refuse('its private part is 0 or beyond the order of its curve')
  const [own, text] = [createPublicKey(key), randomBytes(32)]
  const x = own.export({ type: 'spki', format: 'der' }).subarray(27, 59)
  const shown = attempt(() => createPublicKey(given))
  const belongs = shown?.equals(own) && verify('sha256', text, shown, sign('sha256', text, key))
  // this many bytes hold a public part; an altered length could hide it from the parser
  if (belongs && (der.length < 80 || der.includes(x))) return key
  return refuse('its private and its public part do not belong together')
}

/** Throws an Error that says why this is not a P-256 private key. */
export const readPrivateKey = (text: string): KeyObject => readEncodedKey(decodeKey(text))

export function readEncodedKey(found: EncodedKey): KeyObject {
  try {
    const key = parse(found)
    if (key.asymmetricKeyType !== 'ec') return refuse(`it is a key of type ${key.asymmetricKeyType}, not EC`)
    const curve = key.asymmetricKeyDetails?.namedCurve ?? 'of its own parameters'
    if (curve !== 'prime256v1') return refuse(`it lies on the curve ${curve}, not on P-256`)
    return rebuild(key, found.der)
  } finally {
    found.der.fill(0)
  }
}

export const fingerprintOf = (key: KeyObject): string =>
  hash('sha256', createPublicKey(key).export({ type: 'spki', format: 'der' }), 'hex')

/** what is wrong with a key id or issuer id: it goes into the head of a token */
export const checkKeyId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
    ? undefined
    : 'must be 1 to 64 letters, digits, dashes or underscores'
export const checkIssuerId = checkKeyId
