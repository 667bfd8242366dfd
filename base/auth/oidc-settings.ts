// Settings of a provider: their readers, and the secret of the client.
import { readFileSync } from 'node:fs'
import { isLoopback, wrong } from '../core/setting-values.ts'

/** plain http only to a loopback host: a name that leads elsewhere would show the secret to the network */
export function isSafeUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return false
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback({ host, port: 0 }))
}

export function readIssuer(value: unknown): string {
  const url = URL.parse(String(value))
  return url && isSafeUrl(url.href) && !url.search && !url.hash
    ? String(value)
    : wrong('must be the https address of the provider, without a query; plain http on a loopback host alone')
}

const secretForm = /^[ -~]{1,512}$/

export interface ClientSecretPlace {
  readonly fixed: string | undefined
  readonly file: string | undefined
  /** how messages call both */
  readonly names: { readonly fixed: string; readonly file: string }
}

/** Reads the secret, and answers what reads it anew. Throws an Error that never quotes it. */
export function openClientSecret({ fixed, file, names }: ClientSecretPlace): () => string | undefined {
  if (fixed !== undefined && file !== undefined)
    throw new Error(`${names.fixed} and ${names.file} are both given: which one counts must not be a guess`)
  const form = 'the secret must be one line of at most 512 visible ASCII characters'
  if (fixed !== undefined && !secretForm.test(fixed)) throw new Error(`${names.fixed}: ${form}`)
  if (file === undefined) return () => fixed
  let known: string
  const read = () => {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (!secretForm.test(text)) throw new Error(`${names.file} (${file}): ${form}`)
    return text
  }
  try {
    known = read()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(code === undefined ? message : `${names.file} (${file}) cannot be read (${code})`, { cause: error })
  }
  return () => {
    try {
      known = read()
    } catch {
      // being replaced: the one before counts
    }
    return known
  }
}
