import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { checkIssuerId, checkKeyId, fingerprintOf, readPrivateKey } from '../../src/connections/credential.ts'
import { readKeyFile } from '../../src/connections/key-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-key-'))
after(() => rmSync(folder, { recursive: true }))

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const der = key.export({ type: 'pkcs8', format: 'der' })
const sec1Der = key.export({ type: 'sec1', format: 'der' })
const pem = key.export({ type: 'pkcs8', format: 'pem' }) as string
const sec1 = key.export({ type: 'sec1', format: 'pem' }) as string
const body = der.toString('base64')
const wrap = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
const inPem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${wrap(bytes.toString('base64'), 64)}\n-----END ${label}-----\n`
const curve = inPem('EC PARAMETERS', Buffer.from('06082a8648ce3d030107', 'hex'))
const base64 = Buffer.from(pem).toString('base64')

/** the form that the platform hands out: the curve is named once more inside */
const named = Buffer.concat([Buffer.from('308193020100301306072a8648ce3d020106082a8648ce3d0301070479', 'hex'), sec1Der])
/** the scalar alone */
const bare = Buffer.concat([
  Buffer.from('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420', 'hex'),
  der.subarray(36, 68),
])

const ways: Record<string, string> = {
  'as it is': pem,
  'the form that the platform hands out': inPem('PRIVATE KEY', named),
  'without the public part': inPem('PRIVATE KEY', bare),
  'escaped line ends': pem.replaceAll('\n', '\\n'),
  'escaped line ends of Windows': pem.replaceAll('\n', '\\r\\n'),
  'line ends escaped twice': pem.replaceAll('\n', '\\\\n'),
  'escaped and real line ends': pem.replaceAll('\n', '\\n\n'),
  'line ends of Windows': pem.replaceAll('\n', '\r\n'),
  'line ends of old': pem.replaceAll('\n', '\r'),
  'no last line end': pem.trimEnd(),
  'white space around': `\n \t${pem}\n\n  `,
  'white space before each line': pem.replaceAll('\n', '\n    '),
  'a byte order mark': `\uFEFF${pem}`,
  'double quotes': JSON.stringify(pem),
  'single quotes': `'${pem}'`,
  'quotes in quotes and spaces': ` "'${pem}'" `,
  'spaces for line ends': pem.trim().replaceAll('\n', ' '),
  'no line ends': pem.replaceAll('\n', ''),
  'lines of 20': `-----BEGIN PRIVATE KEY-----\n${wrap(body, 20)}\n-----END PRIVATE KEY-----`,
  'text before and after': `Bag Attributes\n  friendlyName: none\n${pem}\nthat was it\n`,
  'base64 of the file': base64,
  'base64 of the file, wrapped': wrap(base64, 76),
  'base64 of the file, wrapped by Windows': wrap(base64, 64).replaceAll('\n', '\r\n'),
  'base64 of the file in quotes': `"${base64}"`,
  'url-safe base64 of the file': Buffer.from(pem).toString('base64url'),
  'base64 of the file with line ends of Windows': Buffer.from(pem.replaceAll('\n', '\r\n')).toString('base64'),
  'base64 of the file with a byte order mark': Buffer.from(`\uFEFF${pem}`).toString('base64'),
  'base64 of the file with escaped line ends': Buffer.from(pem.replaceAll('\n', '\\n')).toString('base64'),
  'base64 of PKCS#8': body,
  'base64 of PKCS#8, wrapped': wrap(body, 64),
  'url-safe base64 of PKCS#8': der.toString('base64url'),
  SEC1: sec1,
  'SEC1 after its curve': curve + sec1,
  'SEC1 before its curve': sec1 + curve,
  'SEC1 on one line': (curve + sec1).replaceAll('\n', ' '),
  'PKCS#8 labelled as SEC1': pem.replaceAll('PRIVATE', 'EC PRIVATE'),
  'base64 of a SEC1 file': Buffer.from(curve + sec1).toString('base64'),
}

for (const [name, text] of Object.entries(ways))
  test(`a private key is read, and written anew in one form: ${name}`, () => {
    const read = readPrivateKey(text)
    assert.equal(read.type, 'private')
    assert.deepEqual(read.export({ type: 'pkcs8', format: 'der' }), der)
    assert.equal(read.asymmetricKeyDetails?.namedCurve, 'prime256v1')
  })

test('attributes that came with a key do not stay', () => {
  // [0] { OID 1.2.840.113549.1.9.20 -> 'x' } behind the key
  const attribute = Buffer.from('a015301306092a864886f70d01091431061e0400780079', 'hex')
  const body = Buffer.concat([der.subarray(3), attribute])
  const carrying = Buffer.concat([Buffer.of(0x30, 0x81, body.length), body])
  assert.deepEqual(readPrivateKey(inPem('PRIVATE KEY', carrying)).export({ type: 'pkcs8', format: 'der' }), der)
})

test('1,000 fresh keys are read back, scalars with leading zeroes among them', () => {
  for (let n = 0; n < 1000; n++) {
    const fresh = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    assert.ok(readPrivateKey(fresh.export({ type: 'pkcs8', format: 'pem' }) as string).equals(fresh))
  }
})

test('a scalar of one, with all its leading zeroes, and the largest one are keys', () => {
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  for (const scalar of [1n, 255n, order - 1n]) {
    const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
    const read = readPrivateKey(Buffer.concat([bare.subarray(0, 35), bytes]).toString('base64'))
    assert.deepEqual(Buffer.from(read.export({ format: 'jwk' }).d ?? '', 'base64url'), bytes)
  }
})

test('a key file is read as the text in it, UTF-16 too', () => {
  const file = join(folder, 'key.p8')
  for (const content of [pem, `\uFEFF${pem}`, Buffer.from(`\uFEFF${pem}`, 'utf16le'), body]) {
    writeFileSync(file, content)
    assert.ok(readKeyFile(file).key().equals(key))
  }
})

test('a key file that cannot be read, is empty or too large is refused in words', () => {
  const file = join(folder, 'other.p8')
  assert.throws(() => readKeyFile(join(folder, 'none')), /^Error: the file cannot be read \(ENOENT\)$/)
  assert.throws(() => readKeyFile(folder), /^Error: the file cannot be read \(EISDIR\)$/)
  writeFileSync(file, '')
  assert.throws(() => readKeyFile(file), /^Error: it is empty$/)
  writeFileSync(file, `${pem}${' '.repeat(9000)}`)
  assert.throws(() => readKeyFile(file), /^Error: it is too large for a key$/)
  // a file without an end
  assert.throws(() => readKeyFile('/dev/zero'), /^Error: it is too large for a key$/)
})

test('the fingerprint is SHA-256 of the public key, whichever way the private one came', () => {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const expected = createHash('sha256').update(spki).digest('hex')
  for (const text of Object.values(ways)) assert.equal(fingerprintOf(readPrivateKey(text)), expected)
})

test('ids of keys and issuers are short plain names', () => {
  for (const check of [checkKeyId, checkIssuerId]) {
    for (const id of ['2X9R4HXF34', 'a', 'a-b_c', '57246542-96fe-1a63-e053-0824d011072a', 'x'.repeat(64)])
      assert.equal(check(id), undefined, id)
    for (const id of ['', 'x'.repeat(65), 'a b', 'a\n', 'a.b', 'ä', 'a"', '../a', 7, null, undefined, ['a']])
      assert.match(check(id) ?? '', /1 to 64 letters/)
  }
})
