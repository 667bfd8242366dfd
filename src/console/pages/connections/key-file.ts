// A private key as it is handed to the page, from a file or the clipboard: what cannot be one is refused before it is sent.
import { counted } from '../../numbers.ts'

/** larger than any key: the door takes no more either */
const mostBytes = 8_192
/** shorter than any key: somebody types */
const fewestLetters = 20

/** Its text is the secret; the rest may be shown. */
export interface Handed {
  readonly text: string
  /** of the file; undefined where it was pasted */
  readonly name: string | undefined
  readonly bytes: number
}

/** why it is none, as a sentence */
export class NoKey extends Error {}

const refuse = (reason: string): never => {
  throw new NoKey(reason)
}

function requireSize(bytes: number) {
  if (bytes > mostBytes)
    refuse(`It has ${counted(bytes, 'byte')}, which is too large for a key: the platform's has some 250.`)
}

const binary =
  'It is a binary file, such as a certificate (.cer) or a key store (.p12). The key is a text file that ends in .p8.'

const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** undefined: it is no text */
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
    return refuse('It could not be read: is it a folder, or was it moved?')
  }
}

/** throws a NoKey */
export async function readFiles(files: readonly File[]): Promise<Handed> {
  const [file, second] = files
  if (!file) return refuse('There is no file in what was dropped.')
  if (second) return refuse(`These are ${files.length} files: choose the one that holds the key.`)
  requireSize(file.size)
  const bytes = await bytesOf(file)
  const text = isWide(bytes) ? refuse('It is text in UTF-16: save it as UTF-8.') : textOf(bytes)
  bytes.fill(0)
  if (text === undefined) return refuse(binary)
  return { text, name: file.name, bytes: file.size }
}

/** throws a NoKey */
export function readPasted(text: string): Handed {
  const bytes = new TextEncoder().encode(text).length
  if (text.trim().length < fewestLetters) refuse('This is too short for a key: paste the whole text of its file.')
  requireSize(bytes)
  return { text, name: undefined, bytes }
}

/** the platform names the file after the key; a browser numbers what it downloads again */
export const keyIdIn = (name: string | undefined): string | undefined =>
  /^(?:Auth|Api)Key_([A-Za-z0-9]{1,64})(?:[ _-]?\(?\d{1,3}\)?)?\.p8$/i.exec(name ?? '')?.[1]
