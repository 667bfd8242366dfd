// Reads a file of certificate authorities in PEM. They are trusted beside the standard ones.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const blocks = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g
const certificates = new Set(['CERTIFICATE', 'TRUSTED CERTIFICATE', 'X509 CERTIFICATE'])

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error })
  }
}

function check(pem: string, number: number): string {
  try {
    return new X509Certificate(pem).toString()
  } catch (error) {
    throw new Error(`its certificate number ${number} is damaged`, { cause: error })
  }
}

function certificatesIn(text: string): string[] {
  const found = [...text.matchAll(blocks)]
  if (found.some(([, kind = '']) => kind.endsWith('PRIVATE KEY')))
    throw new Error('it holds a private key, which belongs into no file of authorities')
  const pems = found.flatMap(([pem, kind = '']) => (certificates.has(kind) ? [pem] : []))
  const begun = text.match(/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/g)?.length ?? 0
  if (begun > pems.length) throw new Error('it ends within a certificate')
  if (pems.length === 0) throw new Error('it holds no certificate in PEM (-----BEGIN CERTIFICATE-----)')
  return pems.map((pem, index) => check(pem, index + 1))
}

export interface Authorities {
  readonly count: number
  readonly secureContext: SecureContext
}

/** throws an Error that says what is wrong with the file */
export function readAuthorities(file: string): Authorities {
  const own = certificatesIn(readText(file))
  return { count: own.length, secureContext: createSecureContext({ ca: [...getCACertificates('default'), ...own] }) }
}
