// What is handed in by mistake in place of a signing key, and what is said of it: never anything of the text itself.
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'

export const isDamaged = 'it is truncated or damaged'
export const isEncrypted = 'the key is encrypted: it is needed without a passphrase'
const isNone = 'it holds no private key in PEM form'
const isPublic = 'it is a public key, not a private one'
const isCertificate = 'it is a certificate, not a private key'
const isRsa = 'it is a key of type rsa, not EC'

/** by the labels of PEM */
const labels: readonly [RegExp, string][] = [
  [/PUBLIC KEY$/, isPublic],
  [/CERTIFICATE$/, isCertificate],
  [/CERTIFICATE REQUEST$/, 'it is a request for a certificate, not a private key'],
  [/^ENCRYPTED PRIVATE KEY$/, isEncrypted],
  [/^RSA PRIVATE KEY$/, isRsa],
  [/^OPENSSH PRIVATE KEY$/, 'it is a key in the form of OpenSSH, not in PKCS#8'],
]

export const whatIsLabelled = (label: string): string =>
  labels.find(([form]) => form.test(label))?.[1] ?? 'it is something else than a private key'

/** of a text whose lines of PEM have no partner */
export function whatIsMissing(rest: string): string {
  const [begins, ends] = [rest.includes('-----BEGIN '), rest.includes('-----END ')]
  if (begins === ends) return isDamaged
  return `it is truncated: its ${begins ? 'last' : 'first'} line is missing`
}

/** an editor's own format, in which the lines of a key may well stand */
export const isRichText = (text: string): boolean => /^\s*\{\\rtf/.test(text)
export const richText = 'it is a document in RTF: save it as plain text'

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** of texts without any line of PEM; the first that fits counts */
const texts: readonly [(text: string) => boolean, string][] = [
  [(text) => text.includes('-\0-\0-'), 'it is text in UTF-16: save it as UTF-8'],
  [
    (text) => /[^\P{Cc}\s]|\uFFFD/u.test(text),
    'it is a binary file, such as a certificate (.cer) or a key store (.p12), and not the text of a key',
  ],
  [
    (text) => /[—–]/.test(text) && text.includes('PRIVATE KEY'),
    'its dashes were changed, as editors do: use the file as it came',
  ],
  [isJson, 'it is JSON, and there is no private key in it'],
  [(text) => text.startsWith('<'), 'it is a page or another document, not a key'],
  [(text) => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text), 'it is a token, not a key'],
  [
    (text) => text.startsWith('vtr_'),
    'it is a facade key, which callers of this service hold: the signing key is needed',
  ],
  [(text) => /^(?:ssh|ecdsa)-\S+ AAAA/.test(text), isPublic],
  [(text) => /^[A-Z\d]{10}$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text), 'it is an id, not a key'],
  [(text) => /^[^\n]{1,300}\.(?:p8|pem|key)$/i.test(text), 'it is the name of a file: what is in that file is needed'],
]

export const whatIsWritten = (text: string): string => texts.find(([fits]) => fits(text))?.[1] ?? isNone

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** after the head of the sequence, a version that no private key has */
const isKeyStore = (der: Buffer): boolean => der.subarray(2, 8).includes(Buffer.from('020103', 'hex'))

/** why these whole bytes are no private key */
export function whatIsEncoded(der: Buffer): string {
  // the object identifiers of PKCS#5 stand at the head of every encrypted PKCS#8
  if (der.subarray(0, 40).includes(Buffer.from('2a864886f70d0105', 'hex'))) return isEncrypted
  if (attempt(() => createPublicKey({ key: der, format: 'der', type: 'spki' }))) return isPublic
  // the parser takes the form of EC by this name too
  const old = attempt(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }))
  if (old?.asymmetricKeyType === 'rsa') return isRsa
  if (attempt(() => new X509Certificate(der))) return isCertificate
  return isKeyStore(der) ? 'it is a key store (.p12), not a private key' : isDamaged
}
