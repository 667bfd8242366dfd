// Certificates for tests of TLS, written byte by byte: Node.js reads them but makes none, and a stored one would expire.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** one element of DER: tag, length, content */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const long = body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...(body.length < 128 ? [body.length] : long)]), body])
}

const list = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes))
const yes = der(0x01, Buffer.from([255]))

const algorithm = list(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)) // ecdsa-with-SHA256
const named = (name: string): Buffer => list(der(0x31, list(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))))
const moment = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
const extension = (id: number, ...value: Uint8Array[]): Buffer => list(oid(0x55, 0x1d, id), ...value)

function nameOf(host: string): Buffer {
  return isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host, 'latin1'))
}

export interface Identity {
  readonly name: string
  readonly key: KeyObject
  readonly cert: string
}

export interface CertificateOptions {
  readonly name: string
  /** the issuer; self-signed if it is left out */
  readonly by?: Identity
  /** the host it is valid for; without one, it is an authority */
  readonly host?: string
  readonly from?: Date
  readonly until?: Date
}

const dayMs = 24 * 3_600_000

export const daysFromNow = (days: number): Date => new Date(Date.now() + days * dayMs)

export function makeIdentity({
  name,
  by,
  host,
  from = daysFromNow(-1),
  until = daysFromNow(1),
}: CertificateOptions): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const purpose =
    host === undefined
      ? extension(0x13, yes, der(0x04, list(yes))) // an authority
      : extension(0x11, der(0x04, list(nameOf(host))))
  const facts = list(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    named(by?.name ?? name),
    list(moment(from), moment(until)),
    named(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, list(purpose)),
  )
  const signature = sign('sha256', facts, by?.key ?? privateKey)
  const bytes = list(facts, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return {
    name,
    key: privateKey,
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}
