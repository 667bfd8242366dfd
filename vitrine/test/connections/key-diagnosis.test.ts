// What is no signing key, and the words of each refusal. Long, because every mistake has its line.
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomBytes, randomInt } from 'node:crypto'
import test from 'node:test'
import { readPrivateKey } from '../../src/connections/credential.ts'

const wrap = (text: string) => text.replace(/.{64}/g, '$&\n')
const inPem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${wrap(bytes.toString('base64'))}\n-----END ${label}-----\n`
const pkcs8 = (key: KeyObject): Buffer => key.export({ type: 'pkcs8', format: 'der' })
const onCurve = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey
const pemOf = (key: KeyObject): string => inPem('PRIVATE KEY', pkcs8(key))

const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const der = pkcs8(key)
const pem = pemOf(key)
const sec1 = key.export({ type: 'sec1', format: 'pem' }) as string
const spki = publicKey.export({ type: 'spki', format: 'der' })
const rsaDer = rsa.privateKey.export({ type: 'pkcs1', format: 'der' })
/** what no key or tool of this test makes: a certificate of P-256, by OpenSSL, and the head of a key store */
const selfSigned = Buffer.from(
  'MIIBbDCCAROgAwIBAgIUa0AChjl8gxb96oxucjD3FqX9unIwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBeDAeFw0yNjExMjExNzE1MTNaFw0yNjExMzAxNzE1MTNaMAwxCjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQJ2BfITUII1s4QQHBmhvDKKHCn3Ce/z0K6kPGSXhLzM8zbFa1jaEjzjpHgmOF4dwU8y1/Z/8vwvkbn0gJ85RmBo1MwUTAdBgNVHQ4EFgQU0W2vftSL4whTvvfXaWtsqXrBGzQwHwYDVR0jBBgwFoAU0W2vftSL4whTvvfXaWtsqXrBGzQwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAbRPcKU0p/lP0r91NKbeaa4yFlMQXq4XJBw05WdnxbNQIgUag1jMLH4b3q6OSrk5GSFxdghRdCAmf0m0lhkdqHx6s=',
  'base64',
)
const keyStore = Buffer.concat([Buffer.from('3082010a020103', 'hex'), randomBytes(263)])
const locked = { cipher: 'aes-256-cbc', passphrase: 'open sesame' } as const
const lockedDer = key.export({ type: 'pkcs8', format: 'der', ...locked })
// OpenSSL's own form of a locked key
const lockedSec1 = key.export({ type: 'sec1', format: 'pem', ...locked }) as string

const replaced = (at: number, bytes: Buffer): Buffer =>
  Buffer.concat([der.subarray(0, at), bytes, der.subarray(at + bytes.length)])
const scalar = (hex: string): string => inPem('PRIVATE KEY', replaced(36, Buffer.from(hex.padStart(64, '0'), 'hex')))
const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'
const nextOrder = order.replace(/1$/, '2')
const foreignPoint = pkcs8(onCurve('P-256')).subarray(73)
/** the inner sequence ends before the public part, which the parser then passes over */
const hiding = inPem(
  'PRIVATE KEY',
  Buffer.concat([der.subarray(0, 30), Buffer.of(0x25), replaced(40, Buffer.alloc(8, 7)).subarray(31)]),
)
const headless = (pem: string) => pem.slice(pem.indexOf('\n') + 1)
const endless = (pem: string) => pem.slice(0, pem.indexOf('-----END'))

const none = /^it holds no private key in PEM form$/
const damaged = /^it is truncated or damaged$/
const headMissing = /^it is truncated: its first line is missing$/
const endMissing = /^it is truncated: its last line is missing$/
const json = /^it is JSON, and there is no private key in it$/
const binary =
  /^it is a binary file, such as a certificate \(\.cer\) or a key store \(\.p12\), and not the text of a key$/
const rich = /^it is a document in RTF: save it as plain text$/
const fileName = /^it is the name of a file: what is in that file is needed$/
const id = /^it is an id, not a key$/
const publicOne = /^it is a public key, not a private one$/
const certificate = /^it is a certificate, not a private key$/
const encrypted = /^the key is encrypted: it is needed without a passphrase$/
const apart = /^its private and its public part do not belong together$/
const outOfRange = /^its private part is 0 or beyond the order of its curve$/

const refusals: readonly [name: string, text: string, reason: RegExp][] = [
  ['nothing', '', /^it is empty$/],
  ['white space', ' \r\n\t ', /^it is empty$/],
  ['empty quotes', ' "" ', /^it is empty$/],
  ['a key and 8 kB of white space', pem + ' '.repeat(8192), /^it is too large for a key$/],
  ['8 kB in letters of two bytes', 'ä'.repeat(4097), /^it is too large for a key$/],
  ['10 MB', 'A'.repeat(10_000_000), /^it is too large for a key$/],
  ['words', 'CANARY of a text that is no key', none],
  ['letters that happen to be base64', 'CANARYCANARY', none],
  ['JSON of a key', JSON.stringify(key.export({ format: 'jwk' })), json],
  ['a settings file', JSON.stringify({ connections: { a: { privateKeyFile: 'a.p8' } } }, null, 2), json],
  ['random bytes in base64', Buffer.concat([Buffer.of(1), randomBytes(137)]).toString('base64'), none],
  ['the path of a key', '/etc/vitrine/AuthKey_2X9R4HXF34.p8', fileName],
  ['the id of a key', '2X9R4HXF34', id],
  ['the id of an issuer', '57246542-96fe-1a63-e053-0824d0110001', id],
  ['a token', `${randomBytes(30).toString('base64url')}.${randomBytes(90).toString('base64url')}`, none],
  [
    'a token of the platform',
    `eyJhbGciOiJFUzI1NiJ9.${randomBytes(30).toString('base64url')}.c2ln`,
    /^it is a token, not/,
  ],
  ['a facade key', `vtr_live_${'a'.repeat(12)}_${'b'.repeat(43)}_${'c'.repeat(6)}`, /^it is a facade key, /],
  ['a web page', '<!doctype html><title>Sign in</title>', /^it is a page or another document, not a key$/],
  ['the bytes of a key, read as text', der.toString('utf8'), binary],
  ['the bytes of a certificate, read as text', selfSigned.toString('utf8'), binary],
  ['the bytes of a certificate, a letter for each', selfSigned.toString('latin1'), binary],
  ['a certificate in base64', selfSigned.toString('base64'), certificate],
  ['a key store in base64', keyStore.toString('base64'), /^it is a key store \(\.p12\), not a private key$/],
  ['a key of RSA in base64', rsaDer.toString('base64'), /^it is a key of type rsa, not EC$/],
  ['text in UTF-16, read as UTF-8', Buffer.from(`\uFEFF${pem}`, 'utf16le').toString('utf8'), /^it is text in UTF-16: /],
  ['a document in RTF', `{\\rtf1\\ansi ${pem.replaceAll('\n', '\\\n')}}`, rich],
  ['a public key of OpenSSH', `ecdsa-sha2-nistp256 AAAA${randomBytes(90).toString('base64')} me`, publicOne],
  ['only a curve', inPem('EC PARAMETERS', Buffer.from('06082a8648ce3d030107', 'hex')), none],
  ['a public key', inPem('PUBLIC KEY', spki), publicOne],
  ['a public key in base64', spki.toString('base64'), publicOne],
  ['a public key of RSA', rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }) as string, publicOne],
  ['a public key labelled as private', inPem('PRIVATE KEY', spki), publicOne],
  ['a certificate', inPem('CERTIFICATE', randomBytes(300)), certificate],
  ['a key with a certificate', pem + inPem('CERTIFICATE', randomBytes(300)), certificate],
  [
    'a request for a certificate',
    inPem('CERTIFICATE REQUEST', randomBytes(99)),
    /^it is a request for a certificate, not a private key$/,
  ],
  ['parameters of another kind', inPem('DH PARAMETERS', randomBytes(99)), /^it is something else than a private key$/],
  ['an encrypted key', inPem('ENCRYPTED PRIVATE KEY', lockedDer), encrypted],
  ['an encrypted key labelled as plain', inPem('PRIVATE KEY', lockedDer), encrypted],
  ['an encrypted key in base64', lockedDer.toString('base64'), encrypted],
  ['an encrypted key of old', lockedSec1, encrypted],
  ['a key of RSA', pemOf(rsa.privateKey), /^it is a key of type rsa, not EC$/],
  [
    'a key of RSA of old',
    rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string,
    /^it is a key of type rsa/,
  ],
  ['a key of Ed25519', pemOf(generateKeyPairSync('ed25519').privateKey), /^it is a key of type ed25519, not EC$/],
  [
    'a key of X25519',
    pkcs8(generateKeyPairSync('x25519').privateKey).toString('base64'),
    /^it is a key of type x25519/,
  ],
  ['a key of OpenSSH', inPem('OPENSSH PRIVATE KEY', randomBytes(200)), /^it is a key in the form of OpenSSH/],
  ['P-384', pemOf(onCurve('P-384')), /^it lies on the curve secp384r1, not on P-256$/],
  ['P-521', pemOf(onCurve('P-521')), /^it lies on the curve secp521r1, not on P-256$/],
  ['P-224', pemOf(onCurve('P-224')), /^it lies on the curve secp224r1, not on P-256$/],
  ['secp256k1', pemOf(onCurve('secp256k1')), /^it lies on the curve secp256k1, not on P-256$/],
  [
    'secp256k1 in SEC1',
    onCurve('secp256k1').export({ type: 'sec1', format: 'pem' }) as string,
    /^it lies on .* secp256k1/,
  ],
  ['brainpool', pemOf(onCurve('brainpoolP256r1')), /^it lies on the curve brainpoolP256r1, not on P-256$/],
  ['two keys', pem + pemOf(onCurve('P-256')), /^it holds more than one private key$/],
  ['one key twice, in two forms', pem + sec1, /^it holds more than one private key$/],
  ['no first line', headless(pem), headMissing],
  ['no last line', endless(pem), endMissing],
  ['half of the lines', pem.slice(0, pem.length / 2), endMissing],
  ['a key and half of another', pem + endless(pem), endMissing],
  ['labels that differ', pem.replace('END PRIVATE', 'END EC PRIVATE'), damaged],
  ['dashes that are missing', pem.replaceAll('-----', '----'), damaged],
  ['dashes that an editor made long', pem.replaceAll('-----', '—'), /^its dashes were changed, as editors do: /],
  ['no body', '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n', damaged],
  ['a letter too few', pem.replace(/.\n-----END/, '\n-----END'), damaged],
  ['a line too few', pem.replace(/\n.{64}\n/, '\n'), damaged],
  ['a letter beside the alphabet', pem.replace('MIGH', 'MI*H'), damaged],
  ['a byte after the key', inPem('PRIVATE KEY', Buffer.concat([der, Buffer.of(0)])), damaged],
  ['a byte less in base64', der.subarray(0, -1).toString('base64'), damaged],
  ['SEC1 labelled as PKCS#8', sec1.replaceAll('EC PRIVATE', 'PRIVATE'), damaged],
  ['a point beside the curve', inPem('PRIVATE KEY', replaced(80, randomBytes(8))), damaged],
  ['the public part of another key', inPem('PRIVATE KEY', replaced(73, foreignPoint)), apart],
  ['a changed scalar, with lengths that hide the public part', hiding, apart],
  ['a scalar of one beside another public part', scalar('01'), apart],
  ['a scalar of 0', scalar('0'), outOfRange],
  ['a scalar that is the order', scalar(order), outOfRange],
  ['a scalar above the order', scalar(nextOrder), outOfRange],
  ['the largest scalar of all', scalar('ff'.repeat(32)), outOfRange],
]

/** what was thrown, which is a plain Error and holds no stretch of the text */
function refusalOf(text: string): string | undefined {
  try {
    readPrivateKey(text)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Error)
    assert.equal(error.constructor, Error)
    assert.deepEqual([Object.keys(error), error.cause], [[], undefined])
    const { message } = error
    for (let at = 0; at + 12 <= message.length; at++) assert.ok(!text.includes(message.slice(at, at + 12)), message)
    return message
  }
}

for (const [name, text, reason] of refusals)
  test(`it is refused as a private key, for its own reason: ${name}`, () => {
    assert.match(refusalOf(text) ?? 'it was taken', reason)
  })

test('hostile texts at the ceiling are refused at once', () => {
  const units = ['-----BEGIN A-----', '\\', '"', '=', '-----', '-----BEGIN PRIVATE KEY-----', '\\r', ' ', "'\n"]
  for (const unit of units) {
    const text = unit.repeat(8192 / unit.length)
    const started = performance.now()
    assert.notEqual(refusalOf(text), undefined)
    assert.ok(performance.now() - started < 250, unit)
  }
})

const damages: readonly ((text: string, at: number) => string)[] = [
  (text, at) => text.slice(0, at) + String.fromCharCode(randomInt(32, 127)) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(at, at + 4) + text.slice(at),
  (text, at) => text.slice(0, at) + randomBytes(6).toString('base64') + text.slice(at + 8),
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(0, at) + text.slice(at + randomInt(1, 40)),
]

test('10,000 random damages give the same key or a plain refusal, never another key', () => {
  let refused = 0
  for (let n = 0; n < 10_000; n++) {
    const whole = [pem, sec1, der.toString('base64'), Buffer.from(pem).toString('base64')][n % 4] ?? ''
    const text = damages[n % damages.length]?.(whole, randomInt(whole.length)) ?? ''
    if (refusalOf(text) === undefined) assert.ok(readPrivateKey(text).equals(key), 'another key')
    else refused++
  }
  assert.ok(refused > 5000, `${refused} were refused`)
})

test('10,000 random damages of the bytes give the same key or a plain refusal, never another key', () => {
  for (let n = 0; n < 10_000; n++) {
    const bytes = Buffer.from(der)
    for (let k = randomInt(1, 4); k > 0; k--) bytes[randomInt(bytes.length)] = randomInt(256)
    const text = bytes.toString('base64')
    if (refusalOf(text) === undefined) assert.ok(readPrivateKey(text).equals(key), 'another key')
  }
})
