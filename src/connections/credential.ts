// A signing key for the platform: read from text in whatever state it arrives, proved, and held as a key object only.
// No message says anything of the text: what was pasted may be half of a secret.
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
import {
  isDamaged,
  isEncrypted,
  isRichText,
  richText,
  whatIsEncoded,
  whatIsLabelled,
  whatIsMissing,
  whatIsWritten,
} from './mistaken-key.ts'

export interface Credential {
  readonly keyId: string
  /** absent for an individual key */
  readonly issuerId?: string
  /** each token is good for the one request that it was made for */
  readonly tokenScope?: 'request'
  readonly key: KeyObject
}

/** larger than any key file */
export const mostBytes = 8192

const refuse = (reason: string): never => {
  throw new Error(reason)
}
export type Found = { readonly der: Buffer; readonly type: 'pkcs8' | 'sec1' }

/** undoes what environment variables, JSON, shells and editors do to a text */
function unmangle(text: string): string {
  let clean = text.replace(/^\uFEFF/, '').replace(/\\{1,2}r\\{1,2}n|\\{1,2}[nr]/g, '\n')
  for (let layer = 0; layer < 3; layer++) clean = clean.trim().replace(/^(["'`])([\s\S]*)\1$/, '$2')
  return clean.trim()
}

const unpad = (base64: string): string => base64.replace(/={1,2}$/, '')

/** the bytes of base64 in either alphabet; undefined where the text is not the one text of its bytes */
function fromBase64(text: string): Buffer | undefined {
  const bare = unpad(text.replace(/\s/g, '')).replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Buffer.from(bare, 'base64')
  return unpad(bytes.toString('base64')) === bare ? bytes : undefined
}

/** the one private key among the PEM blocks */
function findBlock(pem: string): Found {
  const block = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g
  const blocks = [...pem.matchAll(block)].map(([, label = '', body = '']) => ({ label, body }))
  const rest = pem.replace(block, '')
  if (rest.includes('-----')) return refuse(whatIsMissing(rest))
  const isOurs = (label: string) => label === 'PRIVATE KEY' || label === 'EC PRIVATE KEY'
  const other = blocks.find(({ label }) => !isOurs(label) && label !== 'EC PARAMETERS')
  if (other) return refuse(whatIsLabelled(other.label))
  const [key, second] = blocks.filter(({ label }) => isOurs(label))
  if (key === undefined) return refuse(whatIsWritten(pem))
  if (second) return refuse('it holds more than one private key')
  if (/Proc-Type|DEK-Info/.test(key.body)) return refuse(isEncrypted)
  return { der: fromBase64(key.body) ?? refuse(isDamaged), type: key.label === 'PRIVATE KEY' ? 'pkcs8' : 'sec1' }
}

/** the bytes of the one key in a text; throws an Error that says why there is none */
export function findKey(text: string): Found {
  if (Buffer.byteLength(text) > mostBytes) return refuse('it is too large for a key')
  if (isRichText(text)) return refuse(richText)
  const clean = unmangle(text)
  if (clean === '') return refuse('it is empty')
  const noKey = () => refuse(whatIsWritten(text.trim()))
  const isPem = (some: string) => /-----(BEGIN|END) /.test(some)
  if (isPem(clean)) return findBlock(clean)
  if (/BEGIN|PRIVATE KEY/.test(clean) && clean.includes('--')) return refuse(isDamaged)
  const bytes = fromBase64(clean) ?? noKey()
  const inner = unmangle(bytes.toString())
  if (isPem(inner)) return findBlock(inner)
  return bytes[0] === 0x30 ? { der: bytes, type: 'pkcs8' } : noKey()
}

/** whether one sequence takes up all the bytes: the parser would pass over what follows it */
function isWhole(der: Buffer): boolean {
  const first = der[1] ?? 0
  const more = first < 0x80 ? 0 : first - 0x80
  if (der[0] !== 0x30 || more > 2 || der.length < 2 + more) return false
  return der.length === 2 + more + (more === 0 ? first : der.readUIntBE(2, more))
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

function parse({ der, type }: Found): KeyObject {
  if (!isWhole(der)) return refuse(isDamaged)
  return attempt(() => createPrivateKey({ key: der, format: 'der', type })) ?? refuse(whatIsEncoded(der))
}

const head = Buffer.from('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420', 'hex')
const joint = Buffer.from('a144034200', 'hex')

/** the key of this scalar in the one canonical form; throws where it is 0 or not below the order of the curve */
export function keyOf(scalar: Buffer): KeyObject {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(scalar)
  const der = Buffer.concat([head, scalar, joint, pair.getPublicKey()])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  der.fill(0)
  return key
}

/** The same key made anew from its scalar: the parser checks neither that nor whether the public part is its own. */
function rebuild(given: KeyObject, der: Buffer): KeyObject {
  const sec1 = attempt(() => given.export({ format: 'der', type: 'sec1' })) ?? refuse(isDamaged)
  if ((sec1[1] ?? 0) >= 0x80) return refuse('it spells out the parameters of its curve instead of naming it')
  // past the heads of the sequence, the version and the scalar, which is written in its full length
  const key = attempt(() => keyOf(sec1.subarray(7, 39)))
  sec1.fill(0)
  if (key === undefined) return refuse('its private part is 0 or beyond the order of its curve')
  const [own, text] = [createPublicKey(key), randomBytes(32)]
  const x = own.export({ type: 'spki', format: 'der' }).subarray(27, 59)
  const shown = attempt(() => createPublicKey(given))
  const belongs = shown?.equals(own) && verify('sha256', text, shown, sign('sha256', text, key))
  // so many bytes hold a public part; an altered length could have hidden it from the parser
  if (belongs && (der.length < 80 || der.includes(x))) return key
  return refuse('its private and its public part do not belong together')
}

/** Throws an Error whose message says why this is no P-256 private key, and nothing of what it holds. */
export const readPrivateKey = (text: string): KeyObject => readFound(findKey(text))

/** wipes what it was given */
export function readFound(found: Found): KeyObject {
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

/** SHA-256 of the public key, in hex */
export const fingerprintOf = (key: KeyObject): string =>
  hash('sha256', createPublicKey(key).export({ type: 'spki', format: 'der' }), 'hex')

/** what is wrong with it; it goes into the head of a token, and nowhere into a path */
export const checkKeyId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
    ? undefined
    : 'must be 1 to 64 letters, digits, dashes or underscores'
export const checkIssuerId = checkKeyId
