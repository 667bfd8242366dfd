// Certificates for the TLS that ends in the proxy, byte by byte: Node.js reads them but makes none. Each container has an authority
// of its own, which signs for the hosts of its secrets and whose key never leaves the service.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const octets = (...parts: readonly Uint8Array[]): Buffer => der(0x04, ...parts)
const bits = (unused: number, bytes: Uint8Array): Buffer => der(0x03, Buffer.from([unused]), bytes)
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const yes = der(0x01, Buffer.from([255]))

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const subject = (name: string): Buffer =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(name)))))
const serverAuthentication = identifier('2b06010505070301')

/** before 2050, as all of these are */
const moment = (ms: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))

const extension = (id: string, isCritical: boolean, value: Uint8Array): Buffer =>
  sequence(identifier(id), ...(isCritical ? [yes] : []), octets(value))

const publicBytes = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const keyId = (key: KeyObject): Buffer => createHash('sha256').update(publicBytes(key)).digest().subarray(0, 20)
const makeKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

interface Facts {
  readonly issuer: string
  readonly name: string
  readonly key: KeyObject
  readonly until: number
  readonly extensions: readonly Buffer[]
}

const clockSkewMs = 24 * 3_600_000

function certify({ issuer, name, key, until, extensions }: Facts, signer: KeyObject): string {
  const facts = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    subject(issuer),
    sequence(moment(Date.now() - clockSkewMs), moment(until)),
    subject(name),
    publicBytes(key),
    der(0xa3, sequence(...extensions, extension('551d0e', false, octets(keyId(key))))),
  )
  const whole = sequence(facts, ecdsaWithSha256, bits(0, sign('sha256', facts, signer)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

export interface Authority {
  readonly name: string
  readonly key: KeyObject
  readonly publicKey: KeyObject
  readonly certificate: string
  readonly until: number
}

export function makeAuthority(name: string, until: number): Authority {
  const { privateKey, publicKey } = makeKeys()
  const extensions = [
    extension('551d13', true, sequence(yes, der(0x02, Buffer.from([0])))),
    // it signs certificates
    extension('551d0f', true, bits(2, Buffer.from([0x04]))),
  ]
  const certificate = certify({ issuer: name, name, key: publicKey, until, extensions }, privateKey)
  return { name, key: privateKey, publicKey, certificate, until }
}

export interface HostIdentity {
  readonly key: string
  readonly cert: string
}

export function identityFor(host: string, { name, key, publicKey: of, until }: Authority): HostIdentity {
  const { privateKey, publicKey } = makeKeys()
  const extensions = [
    extension('551d11', false, sequence(der(0x82, Buffer.from(host, 'latin1')))),
    extension('551d0f', true, bits(7, Buffer.from([0x80]))),
    extension('551d25', false, sequence(serverAuthentication)),
    extension('551d23', false, sequence(der(0x80, keyId(of)))),
  ]
  const cert = certify({ issuer: name, name: 'Atelier egress', key: publicKey, until, extensions }, key)
  return { key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), cert }
}
