// Recognises what is often given in place of a signing key, and says so without quoting the text.
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { attempt } from '../../../base/core/attempt.ts'

export const damaged = 'it is truncated or damaged'
export const encrypted = 'the key is encrypted: it is needed without a passphrase'
const isNone = 'it holds no private key in PEM form'
const isPublic = 'it is a public key, not a private one'
const isCertificate = 'it is a certificate, not a private key'
const isRsa = 'it is a key of type rsa, not EC'

const labels: readonly [RegExp, string][] = [
  [/PUBLIC KEY$/, isPublic],
  [/CERTIFICATE$/, isCertificate],
  [/CERTIFICATE REQUEST$/, 'it is a request for a certificate, not a private key'],
  [/^ENCRYPTED PRIVATE KEY$/, encrypted],
  [/^RSA PRIVATE KEY$/, isRsa],
  [/^OPENSSH PRIVATE KEY$/, 'it is a key in the form of OpenSSH, not in PKCS#8'],
]

export const diagnosePemLabel = (label: string): string =>
  labels.find(([form]) => form.test(label))?.[1] ?? 'it is something else than a private key'

/** for text with an unmatched PEM line */
export function diagnosePemLines(rest: string): string {
  const [begins, ends] = [rest.includes('-----BEGIN '), rest.includes('-----END ')]
  if (begins === ends) return damaged
  return `it is truncated: its ${begins ? 'last' : 'first'} line is missing`
}

export const looksLikeRtf = (text: string): boolean => /^\s*\{\\rtf/.test(text)
export const rtf = 'it is a document in RTF: save it as plain text'

const isJson = (text: string): boolean => typeof attempt(() => JSON.parse(text)) === 'object'

/** for text without PEM lines; the first match counts */
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

export const diagnoseText = (text: string): string => texts.find(([fits]) => fits(text))?.[1] ?? isNone

/** a version that no private key has, after the head of the sequence */
const isKeyStore = (der: Buffer): boolean => der.subarray(2, 8).includes(Buffer.from('020103', 'hex'))

/** why this DER is not a private key */
export function diagnoseDer(der: Buffer): string {
  // every encrypted PKCS#8 begins with object identifiers of PKCS#5
  if (der.subarray(0, 40).includes(Buffer.from('2a864886f70d0105', 'hex'))) return encrypted
  if (attempt(() => createPublicKey({ key: der, format: 'der', type: 'spki' }))) return isPublic
  // the parser accepts SEC1 under this name too
  const old = attempt(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }))
  if (old?.asymmetricKeyType === 'rsa') return isRsa
  if (attempt(() => new X509Certificate(der))) return isCertificate
  return isKeyStore(der) ? 'it is a key store (.p12), not a private key' : damaged
}
