// A private key from a file or the clipboard: what cannot be one is refused before it is sent.
import { counted } from '../../../../../base/console/format.ts'

/** larger than any key: the API takes no more either */
const mostBytes = 8_192
const fewestLetters = 20

export interface UploadedKey {
  readonly text: string
  /** undefined: it was pasted */
  readonly name: string | undefined
  readonly bytes: number
}

/** its message is for the operator */
export class UnusableKey extends Error {}

const refuse = (reason: string): never => {
  throw new UnusableKey(reason)
}

function requireSize(bytes: number) {
  if (bytes > mostBytes)
    refuse(`The file has ${counted(bytes, 'byte')}, which is too large for a key: a key has about 250.`)
}

const binary =
  'This is a binary file, such as a certificate (.cer) or a key store (.p12). The key is a text file ending in .p8.'

const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** undefined: not text */
function textOf(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /[^\P{Cc}\s]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    return refuse('The file could not be read. Is it a folder, or was it moved?')
  }
}

/** throws an UnusableKey */
export async function readFiles(files: readonly File[]): Promise<UploadedKey> {
  const [file, second] = files
  if (!file) return refuse('No file was dropped.')
  if (second) return refuse(`You provided ${files.length} files: choose the one that holds the key.`)
  requireSize(file.size)
  const bytes = await bytesOf(file)
  const text = isWide(bytes) ? refuse('The file is encoded as UTF-16: save it as UTF-8.') : textOf(bytes)
  bytes.fill(0)
  if (text === undefined) return refuse(binary)
  return { text, name: file.name, bytes: file.size }
}

/** throws an UnusableKey */
export function readPasted(text: string): UploadedKey {
  const bytes = new TextEncoder().encode(text).length
  if (text.trim().length < fewestLetters) refuse('Too short for a key: paste the whole text of its file.')
  requireSize(bytes)
  return { text, name: undefined, bytes }
}

/** the platform names the file after the key; a browser numbers repeated downloads */
export const keyIdIn = (name: string | undefined): string | undefined =>
  /^(?:Auth|Api)Key_([A-Za-z0-9]{1,64})(?:[ _-]?\(?\d{1,3}\)?)?\.p8$/i.exec(name ?? '')?.[1]
