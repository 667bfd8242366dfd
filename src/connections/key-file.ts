// Key files: all of them are read and judged at once, and each becomes a key when it is first signed with. With 10,000 files
// that is a third of a second instead of four.
import { createECDH, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { findKey, fingerprintOf, type Found, keyOf, mostBytes, readFound } from './credential.ts'

export interface KeyFile {
  readonly fingerprint: string
  /** the same one each time */
  readonly key: () => KeyObject
}

/** one for all files: 10,000 of them would be 80 MB for the collector */
const bytes = Buffer.alloc(mostBytes + 1)

/** one byte more than a key may have is read, and no more, whatever the file is */
function readText(file: string): string {
  const open = openSync(file, 'r')
  let length = 0
  try {
    for (let got = -1; got !== 0; length += got) got = readSync(open, bytes, length, bytes.length - length, null)
    return bytes.toString(bytes.readUInt16BE() === 0xfffe ? 'utf16le' : 'utf8', 0, length)
  } finally {
    closeSync(open)
    bytes.fill(0, 0, length)
  }
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex')
const [scalarLength, pointLength] = [32, 65]
const joint = bytesOf('a144034200')
/** what stands before and behind the scalar in a P-256 key, as OpenSSL writes it and as the platform does */
const plainForms = [
  [bytesOf('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420'), joint],
  [
    bytesOf('308193020100301306072a8648ce3d020106082a8648ce3d030107047930770201010420'),
    Buffer.concat([bytesOf('a00a06082a8648ce3d030107'), joint]),
  ],
] as const
const spkiHead = bytesOf('3059301306072a8648ce3d020106082a8648ce3d030107034200')

/** the public point that belongs to a scalar; undefined where it is 0 or not below the order of the curve */
function pointOf(scalar: Buffer): Buffer | undefined {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(scalar)
    return pair.getPublicKey()
  } catch {
    return undefined
  }
}

/**
 * A key in a plain form, whose point is that of its scalar: the long way would find the same, at ten times the cost.
 * Undefined for every other one, good or bad.
 */
function readPlain({ der, type }: Found): KeyFile | undefined {
  const form = plainForms.find(([head, tail]) => der.length === head.length + scalarLength + tail.length + pointLength)
  if (!form || type !== 'pkcs8') return undefined
  const [head, tail] = form
  const scalar = der.subarray(head.length, head.length + scalarLength)
  const pointAt = der.length - pointLength
  if (!der.subarray(0, head.length).equals(head)) return undefined
  if (!der.subarray(head.length + scalarLength, pointAt).equals(tail)) return undefined
  const point = pointOf(scalar)
  if (!point?.equals(der.subarray(pointAt))) return undefined
  // until it is needed the scalar is kept as its key would be: out of the heap
  let [kept, key]: [KeyObject | undefined, KeyObject | undefined] = [createSecretKey(scalar), undefined]
  der.fill(0)
  return {
    fingerprint: hash('sha256', Buffer.concat([spkiHead, point]), 'hex'),
    key() {
      if (!key) {
        const bytes = kept?.export() ?? Buffer.alloc(0)
        key = keyOf(bytes)
        bytes.fill(0)
        kept = undefined
      }
      return key
    },
  }
}

function readLong(found: Found): KeyFile {
  const key = readFound(found)
  return { fingerprint: fingerprintOf(key), key: () => key }
}

/** throws an Error whose message says what is wrong with the file, and nothing of what is in it */
export function readKeyFile(file: string): KeyFile {
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    throw new Error(`the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, { cause: error })
  }
  const found = findKey(text)
  return readPlain(found) ?? readLong(found)
}
