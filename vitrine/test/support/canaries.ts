// Secrets that must not appear in any output, and a search for them: plain, in base64 at each offset, in base64url,
// in hex, percent-encoded and escaped for JSON; the whole secret or any twelve letters of it.

export interface Canary {
  readonly name: string
  readonly secret: string | Uint8Array
  /** stretches of twelve letters in this text are no finds */
  readonly except?: string
}

const window = 12

/** base64 after zero, one or two other bytes, without the letters that they share */
function base64s(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // the last letter may contain bits of the following byte
    return shifted.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1)
  })
}

const percent = (bytes: Buffer): string => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const unicode = (text: string): string =>
  text
    .split('')
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

function formsOf(secret: string | Uint8Array): string[] {
  const bytes = Buffer.from(secret as string)
  const plain = typeof secret === 'string' ? secret : bytes.toString('latin1')
  const texts = [plain, JSON.stringify(plain).slice(1, -1), JSON.stringify(JSON.stringify(plain)).slice(3, -3)]
  const encoded = typeof secret === 'string' ? [encodeURIComponent(secret), secret.replaceAll(/\s/g, '')] : []
  const base = base64s(bytes)
  const url = base.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  const hex = bytes.toString('hex')
  const pairs = [
    percent(bytes),
    percent(bytes).toUpperCase(),
    unicode(plain),
    Buffer.from(plain, 'utf16le').toString('latin1'),
  ]
  return [...texts, ...encoded, ...base, ...url, hex, hex.toUpperCase(), ...pairs]
}

function windowsOf(form: string, least: number): Set<string> {
  const found = new Set<string>()
  for (let at = 0; at + least <= form.length; at++) found.add(form.slice(at, at + least))
  return found
}

const indexed = new WeakMap<readonly Canary[], Map<string, string>>()

function indexOf(canaries: readonly Canary[]): Map<string, string> {
  const known = indexed.get(canaries)
  if (known) return known
  const index = new Map<string, string>()
  for (const { name, secret, except = '' } of canaries) {
    const said = new Set(formsOf(except).flatMap((form) => [...windowsOf(form, window)]))
    for (const form of formsOf(secret))
      for (const some of windowsOf(form, window)) if (!said.has(some) && new Set(some).size > 3) index.set(some, name)
  }
  indexed.set(canaries, index)
  return index
}

/** names the canaries found and where, without repeating their text */
export function findCanaries(text: string | Uint8Array, canaries: readonly Canary[]): string[] {
  const index = indexOf(canaries)
  const plain = typeof text === 'string' ? text : Buffer.from(text).toString('latin1')
  const found = new Map<string, number>()
  for (let at = 0; at + window <= plain.length; at++) {
    const name = index.get(plain.slice(at, at + window))
    if (name !== undefined && !found.has(name)) found.set(name, at)
  }
  return [...found].map(([name, at]) => `${name} at ${at}`)
}

/** a signing key: its text, its bytes, and its scalar without the header that all keys share */
export function pemCanaries(name: string, pem: string): Canary[] {
  const [label = '', ...lines] = pem.trim().split('\n')
  const body = lines.slice(0, -1).join('\n')
  const der = Buffer.from(body, 'base64')
  if (!label.startsWith('-----BEGIN PRIVATE KEY') || der.length !== 138) throw new Error('not a PKCS#8 of P-256')
  const scalar = der.subarray(headBytes, headBytes + 32)
  const headLetters = (headBytes / 3) * 4
  return [
    { name: `${name}, its text`, secret: body.slice(headLetters) },
    { name: `${name}, its base64`, secret: body.replaceAll('\n', '').slice(headLetters) },
    { name: `${name}, its scalar`, secret: scalar },
    { name: `${name}, its scalar in hex`, secret: scalar.toString('hex') },
  ]
}

const headBytes = 36

/** a facade key: its id may be public */
export const keyCanaries = (name: string, key: string): Canary[] => [
  { name, secret: key.replace(/^vtr_(live|test)_[0-9A-Za-z]{12}_/, '') },
]

/** a platform token: its header and common claims are public, its signature is secret */
export const tokenCanaries = (name: string, token: string): Canary[] => [
  { name, secret: token.slice(token.lastIndexOf('.') + 1) },
]

/** `id:base64` each, as text and as bytes; or any other text */
export function secretCanaries(name: string, text: string): Canary[] {
  const keys = text.split(/[,\n]/).flatMap((entry) => /^[\w.-]+:([A-Za-z0-9+/]{43}=?)$/.exec(entry.trim())?.[1] ?? [])
  if (keys.length === 0) return [{ name, secret: text }]
  return keys.flatMap((key) => [
    { name, secret: key },
    { name: `${name}, its bytes`, secret: Buffer.from(key, 'base64') },
  ])
}
