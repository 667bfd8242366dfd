import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import ssh2 from 'ssh2'
import { openHostKey } from '../../src/ssh/host-key.ts'
import { makeKeyPair } from '../../src/ssh/key-pair.ts'
import { readPublicKey } from '../../src/ssh/public-key.ts'

const made = (type: 'ecdsa' | 'rsa', bits = 256): string =>
  ssh2.utils.generateKeyPairSync(type, { bits } as { bits: 256 }).public.trim()

const ed25519 = makeKeyPair().publicKey
const lineOf = (...parts: (string | Buffer)[]): string => {
  const [type = ''] = parts
  const content = parts.map((part) => {
    const bytes = Buffer.from(part as string)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  })
  return `${String(type)} ${Buffer.concat(content).toString('base64')}`
}

const refused = (text: string, why: string) =>
  assert.throws(() => readPublicKey(text), { code: 'invalid_public_key' }, why)

test('every accepted type is taken, and its comment left out', () => {
  for (const key of [ed25519, made('ecdsa', 256), made('ecdsa', 384), made('ecdsa', 521), made('rsa', 3_072)]) {
    const line = key.split(' ').slice(0, 2).join(' ')
    assert.equal(readPublicKey(line), line)
    assert.equal(readPublicKey(`${line} a comment, ünd more`), line)
  }
})

test('what is no line with a key is refused', () => {
  const [type = '', base64 = ''] = ed25519.split(' ')
  const lines = {
    empty: '',
    'two lines': `${ed25519}\n${ed25519}`,
    'a line end': `${ed25519}\n`,
    options: `command="id" ${ed25519}`,
    'a space in front': ` ${ed25519}`,
    'no content': type,
    'another type': `ssh-rsa ${base64}`,
    'a certificate': `ssh-ed25519-cert-v01@openssh.com ${base64}`,
    'a control character': `${type} ${base64} a\u0000b`,
    'base64 in another spelling': `${type} ${base64.slice(0, -1)}=${base64.slice(-1)}`,
    'a private key': '-----BEGIN OPENSSH PRIVATE KEY-----',
    'too long': `${ed25519} ${'c'.repeat(10_000)}`,
    dss: 'ssh-dss AAAAB3NzaC1kc3MAAAA=',
  }
  for (const [why, line] of Object.entries(lines)) refused(line, why)
})

test('content that is no such key is refused', () => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const point = (...parts: string[]) =>
    Buffer.concat([Buffer.of(4), ...parts.map((one) => Buffer.from(one, 'base64url'))])
  const curve = 'ecdsa-sha2-nistp256'
  assert.ok(readPublicKey(lineOf(curve, 'nistp256', point(x, y))))
  refused(lineOf(curve, 'nistp256', point(x, x)), 'a point off the curve')
  refused(lineOf(curve, 'nistp384', point(x, y)), 'another curve')
  refused(lineOf(curve, 'nistp256', point(x)), 'half a point')
  refused(lineOf(curve, 'nistp256', point(x, y), 'more'), 'more content')
  refused(lineOf('ssh-ed25519', Buffer.alloc(31)), 'a short key')
  refused(lineOf('ssh-ed25519', Buffer.alloc(32), ''), 'an empty text behind it')
  const blob = Buffer.from(ed25519.split(' ')[1] ?? '', 'base64')
  for (let length = 0; length < blob.length; length++)
    refused(`ssh-ed25519 ${blob.subarray(0, length).toString('base64')}`, `cut at ${length}`)
  const modulus = (bytes: number, first = 0x80) => Buffer.concat([Buffer.of(0, first), Buffer.alloc(bytes - 1, 0xff)])
  const e = Buffer.of(1, 0, 1)
  assert.ok(readPublicKey(lineOf('ssh-rsa', e, modulus(384))))
  refused(lineOf('ssh-rsa', e, modulus(383)), 'fewer bits')
  refused(lineOf('ssh-rsa', e, modulus(384, 0x7f)), '3071 bits behind a needless 0')
  refused(lineOf('ssh-rsa', e, modulus(2_049)), 'more bits than anyone has')
  refused(lineOf('ssh-rsa', e, modulus(384).subarray(1)), 'a negative number')
  refused(lineOf('ssh-rsa', Buffer.of(2), modulus(384)), 'an even exponent')
  refused(lineOf('ssh-rsa', Buffer.of(1), modulus(384)), 'an exponent of 1')
  refused(lineOf('ssh-rsa', e), 'no modulus')
})

test('every key pair that is made can be read, and its halves belong together', async () => {
  for (let at = 0; at < 2_000; at++) {
    const { privateKey, publicKey } = makeKeyPair()
    const key = ssh2.utils.parseKey(privateKey)
    assert.ok(!(key instanceof Error))
    assert.equal(`${key.type} ${key.getPublicSSH().toString('base64')}`, readPublicKey(publicKey))
    assert.ok(key.verify('text', key.sign('text')))
  }
  const folder = await mkdtemp(join(tmpdir(), 'atelier-key-pair-'))
  try {
    const { privateKey, publicKey } = makeKeyPair()
    await writeFile(join(folder, 'id'), privateKey, { mode: 0o600 })
    assert.equal(execFileSync('ssh-keygen', ['-y', '-f', join(folder, 'id')], { encoding: 'utf8' }).trim(), publicKey)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the host key is made once, closed to others, and refused where it is open or broken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-host-key-'))
  try {
    const file = join(folder, 'data/host')
    const first = openHostKey(file)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.match(first.publicKey, /^ssh-ed25519 [\w+/]+=*$/)
    assert.match(first.fingerprint, /^SHA256:[\w+/]{43}$/)
    assert.deepEqual(openHostKey(file), first)
    const whole = await readFile(file, 'utf8')
    await chmod(file, 0o644)
    assert.throws(() => openHostKey(file), /ssh\.hostKeyFile.*read by others/)
    await chmod(file, 0o600)
    for (const broken of [
      '',
      'nonsense',
      whole.slice(0, 100),
      `${ed25519}\n`,
      ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private,
    ]) {
      await writeFile(file, broken)
      assert.throws(() => openHostKey(file), /ssh\.hostKeyFile.*no ed25519 private key/)
      assert.equal(await readFile(file, 'utf8'), broken)
    }
    assert.throws(() => openHostKey(folder), /ssh\.hostKeyFile.*cannot be read \(EISDIR\)/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
