// Reads master keys, which encrypt the data keys of hosted connections and are never in the store.
// No message contains key bytes: an entry is named by its id, or by its position.
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

export interface MasterKeys {
  /** the active one */
  readonly first: string
  readonly keys: ReadonlyMap<string, KeyObject>
}

const keyBytes = 32

/** shorter than any key in base64, so a key is never taken for an id */
const idForm = /^[\w.-]{1,32}$/

const refuse = (reason: string): never => {
  throw new Error(reason)
}

/** undefined unless the text is the canonical base64 of its bytes */
function fromBase64(text: string): Buffer | undefined {
  const bare = text.replace(/=$/, '')
  const alphabet = /^[A-Za-z0-9+/]{43}$/.test(bare) ? 'base64' : /^[\w-]{43}$/.test(bare) ? 'base64url' : undefined
  if (alphabet === undefined) return undefined
  const bytes = Buffer.from(bare, alphabet)
  if (bytes.toString(alphabet).replace(/=$/, '') === bare) return bytes
  bytes.fill(0)
  return undefined
}

function readEntry(entry: string, place: number): [id: string, key: KeyObject] {
  const colon = entry.indexOf(':')
  const id = entry.slice(0, Math.max(colon, 0)).trim()
  if (!idForm.test(id))
    return refuse(
      `master key ${place} is not ID:BASE64, where an id is 1 to 32 letters, digits, dots, dashes or underscores`,
    )
  const bytes =
    fromBase64(entry.slice(colon + 1).trim()) ?? refuse(`master key ${id} is not ${keyBytes} bytes in base64`)
  try {
    if (bytes.every((byte) => byte === bytes[0]))
      return refuse(`master key ${id} is a placeholder: all its bytes are equal`)
    return [id, createSecretKey(bytes)]
  } finally {
    bytes.fill(0)
  }
}

/** entries of `ID:BASE64`, separated by commas or line ends; the first is active */
export function readMasterKeys(text: string): MasterKeys {
  const lines = text.replace(/^\uFEFF/, '').split(/[\r\n]+/)
  const entries = lines.filter((line) => !line.trimStart().startsWith('#')).flatMap((line) => line.split(','))
  const keys = new Map<string, KeyObject>()
  for (const [at, entry] of entries.filter((entry) => entry.trim() !== '').entries()) {
    const [id, key] = readEntry(entry, at + 1)
    if (keys.has(id)) refuse(`master key ${id} is there twice`)
    for (const [other, before] of keys)
      if (before.equals(key)) refuse(`master keys ${other} and ${id} are the same key`)
    keys.set(id, key)
  }
  const [first] = keys.keys()
  return { first: first ?? refuse('there is no master key'), keys }
}

export const makeMasterKey = (id: string): string =>
  idForm.test(id)
    ? `${id}:${randomBytes(keyBytes).toString('base64')}`
    : refuse('the id of a master key is 1 to 32 letters, digits, dots, dashes or underscores')
