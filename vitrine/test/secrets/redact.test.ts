import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { inspect } from 'node:util'
import { makeRequestId } from '../../../base/web/exchange.ts'
import { makeKey } from '../../src/keys/facade-key.ts'
import { keyInText, redact } from '../../../base/core/redact.ts'
import { product } from '../../src/product.ts'
import { findCanaries, keyCanaries, pemCanaries, tokenCanaries } from '../support/canaries.ts'
import { sized } from './random.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
const sec1 = String(privateKey.export({ type: 'sec1', format: 'pem' }))
const { key } = makeKey('live')
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signature = Buffer.from(Array.from({ length: 64 }, (_, i) => (i * 37 + 11) % 256)).toString('base64url')
const token = `${part({ alg: 'ES256', kid: 'K', typ: 'JWT' })}.${part({ iss: 'x', aud: 'y', exp: 1 })}.${signature}`
const address = 'testerina.probemann@mail.leaky.example'
const operatorToken = 'f00dfacecafebeef0123456789abcdef'

const canaries = [
  ...pemCanaries('pem', pem),
  ...keyCanaries('key', key),
  ...tokenCanaries('token', token),
  { name: 'address', secret: address },
  { name: 'operator token', secret: operatorToken },
  { name: 'password', secret: 'correct-horse-battery' },
]
const bodyOf = (text: string): string => text.replaceAll(/-----[^-]+-----\n/g, '')

const secrets: Readonly<Record<string, string>> = {
  'a private key': pem,
  'a private key in the other form': sec1,
  'a private key without its end': pem.slice(0, 150),
  'the lines of a private key without labels': bodyOf(pem),
  'the lines of the other form without labels': bodyOf(sec1),
  'a private key in one line': bodyOf(pem).replaceAll('\n', ''),
  'a private key in base64url': Buffer.from(bodyOf(pem), 'base64').toString('base64url'),
  'a private key with the line ends of another system': pem.replaceAll('\n', '\r\n'),
  'a private key with escaped line ends': pem.replaceAll('\n', '\\n'),
  'the lines without labels behind an escaped line end': `\\n${bodyOf(pem).replaceAll('\n', '\\n')}`,
  'a private key in a query': encodeURIComponent(pem),
  'a facade key': key,
  'a token of the platform': token,
  'a token in a header': `authorization: Bearer ${token}`,
  'a token of the operator in a header': `Authorization: bearer  ${operatorToken}`,
  'a name and password in a header': `Authorization: Basic ${operatorToken}`,
  'an address': `<${address}>`,
  'the password of a database': 'postgres://vitrine:correct-horse-battery@db.example.com:5432/v',
}

const ways: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => `it said ${secret} and went on`,
  'in JSON': (secret) => JSON.stringify({ reason: 'x', detail: secret }),
  'in JSON in JSON': (secret) => JSON.stringify({ detail: JSON.stringify({ secret }) }),
  'in a stack': (secret) => new Error(`it was ${secret}`).stack ?? '',
  'in an inspected object': (secret) => inspect({ a: { b: [secret] } }),
  'behind a letter of the same word': (secret) => `x=${secret}`,
}

test('every kind of secret is redacted, however it is written', () => {
  for (const [what, secret] of Object.entries(secrets))
    for (const [how, write] of Object.entries(ways)) {
      const text = redact(write(secret))
      assert.deepEqual(findCanaries(text, canaries), [], `${what}, ${how}`)
      assert.match(text, /redacted\]/, `${what}, ${how}`)
    }
})

test('the search of these tests finds every secret that is not redacted', () => {
  for (const [what, secret] of Object.entries(secrets).filter(([what]) => !/other form/.test(what)))
    assert.notDeepEqual(findCanaries(secret, canaries), [], what)
})

test('an address is redacted in all its forms', () => {
  for (const one of [
    address,
    'a@b.co',
    'o.x+tag@mail.x.example.com',
    'josé.pérez@exämple.example',
    "o'brien@example.com",
  ]) {
    const text = redact(`it was ${one}, it said`)
    assert.doesNotMatch(text, /@/, one)
    assert.match(text, /it said$/)
  }
})

test('of a server URL with a user, only the password is redacted', () => {
  for (const scheme of ['postgres', 'postgresql', 'redis', 'rediss']) {
    const url = (secret: string) => `it was ${scheme}://vitrine${secret}@db.example.com:1234/v, it said`
    assert.equal(redact(url('')), url(''))
    assert.equal(redact(url(':correct-horse-battery')), url(':[redacted]'))
  }
  for (const text of [`mailto://${address}`, `redis:/${address}`, `redis://x/${address}`, `redis://x@y.z ${address}`])
    assert.doesNotMatch(redact(text), /example/, text)
})

test('ordinary lines are unchanged', () => {
  const lines = [
    {
      kind: 'started',
      url: 'http://127.0.0.1:8080',
      operatorUrl: 'http://[::1]:8081',
      connections: 3,
      node: 'v26.10.0',
    },
    { kind: 'answered', requestId: makeRequestId(), method: 'GET', operation: 'listApps', from: '::ffff:10.1.2.3' },
    { kind: 'answered', keyId: 'A1b2C3d4E5f6', connection: 'studio.eu-1', status: 503, code: 'connection_unreadable' },
    { kind: 'unreadable', connection: 'studio', reason: 'its credential cannot be decrypted: the row was altered' },
    { fingerprint: 'a3f5'.repeat(16), hash: '0123456789abcdef'.repeat(4) },
    {
      reason: 'connections.acme.privateKeyFile (/etc/vitrine/AuthKey_2X9R4HXF34.p8): the file cannot be read (ENOENT)',
    },
    { reason: 'the store postgres://vitrine@db:5432/v cannot be opened: timeout' },
    { reason: 'postgresql://vitrine@db.example.com:5432/v: timeout' },
    { place: 'redis://vitrine@redis.example.com:6379', reason: 'connect ETIMEDOUT' },
    { stack: 'Error: x\n    at act (file:///opt/fastify@5.12.8/lib/reply.js:10:20)\n    at Bearer.of (node:net:1:2)' },
    { reason: 'there is no "filter[name]" here; nearest: filter[names] — see /errors/unknown_parameter' },
  ]
  for (const line of lines) assert.equal(redact(JSON.stringify(line)), JSON.stringify(line))
  for (let i = 0; i < 20_000; i++) {
    const id = makeRequestId()
    assert.equal(redact(id), id)
  }
})

const repeated = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const hostile = [
  'a',
  '-',
  '-----',
  '@',
  'a@',
  'a@b.',
  'a@b.c',
  '.',
  ' ',
  '\n',
  '\\n',
  'eyJ',
  'eyJ-',
  'eyJ.',
  'eyJaaaaaaaa.a',
  'M',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----x-----END ',
  '-----END PRIVATE KEY',
  'MIGHAgEAM',
  'MHcCAQEE\n',
  'Bearer ',
  'Bearer  ',
  'basic aaaaaaa"',
  'postgres://',
  'postgres://a:',
  'postgres://a:b/',
  'redis://a@',
  'redis://a@b.c',
  'vtr_live_',
  'vtr_test_A1b2C3d4E5f6_',
  key.slice(0, -1),
  'é',
  'a.',
  '+',
  '%',
  '\0',
]

/** milliseconds for so much of it */
function timeOf(text: string, length: number): number {
  const long = `${repeated(text, length / 2)}.${repeated(`${text}-`, length / 2)}`
  const startedAt = performance.now()
  redact(long)
  return performance.now() - startedAt
}

test('a megabyte of any text is searched in time', () => {
  for (const text of hostile) {
    // quadratic growth shows here, before it would take minutes
    const short = timeOf(text, 50_000)
    assert.ok(short < 400, `${JSON.stringify(text)} takes ${short} ms for 50 kB`)
    const long = timeOf(text, sized(1_000_000, 200_000))
    assert.ok(long < 4_000, `${JSON.stringify(text)} takes ${long} ms`)
  }
})

test('the pattern that SECURITY.md gives to scanners is the one that redacts the log', () => {
  const given = /Facade keys match `([^`]+)`/.exec(readFileSync('SECURITY.md', 'utf8'))?.[1] ?? ''
  assert.equal(given, keyInText.source.replace('([a-z]{2,8})_', product.keyPrefix).replaceAll('(?:', '('))
  const pattern = new RegExp(`^${given}$`)
  const anywhere = new RegExp(given)
  for (let i = 0; i < 2_000; i++) {
    assert.match(makeKey('live').key, pattern)
    assert.match(makeKey('test').key, pattern)
    assert.doesNotMatch(makeRequestId(), anywhere)
  }
})
