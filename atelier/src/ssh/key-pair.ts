// Makes ed25519 key pairs in OpenSSH's form (PROTOCOL.key of OpenSSH). Not by the library: now and then it makes one that
// nobody can read.
import { generateKeyPairSync, randomBytes } from 'node:crypto'

const type = 'ssh-ed25519'
const blockBytes = 8

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function textOf(content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([numberOf(bytes.length), bytes])
}

export interface KeyPair {
  readonly privateKey: string
  /** type and base64 */
  readonly publicKey: string
}

export function makeKeyPair(): KeyPair {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const publicBlob = Buffer.concat([textOf(type), textOf(point)])
  // a reader sees by the same four bytes twice that it could decrypt what is not encrypted here
  const check = randomBytes(4)
  const secret = [check, check, publicBlob, textOf(Buffer.concat([seed, point])), textOf('')]
  const length = secret.reduce((sum, part) => sum + part.length, 0)
  const padding = Array.from({ length: (blockBytes - (length % blockBytes)) % blockBytes }, (_, at) => at + 1)
  const content = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(textOf),
    numberOf(1),
    textOf(publicBlob),
    textOf(Buffer.concat([...secret, Buffer.from(padding)])),
  ])
  const lines = content.toString('base64').replace(/.{70}(?!$)/g, '$&\n')
  return {
    privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`,
    publicKey: `${type} ${publicBlob.toString('base64')}`,
  }
}
