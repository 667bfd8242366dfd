import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { findCanaries, keyCanaries, pemCanaries, secretCanaries, tokenCanaries } from '../support/canaries.ts'
import { makeKey } from '../../src/keys/facade-key.ts'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { makeAccount } from './accounts.ts'

const { pem } = makeAccount('x', 'x')
const secret = `se"cret\n${randomBytes(18).toString('base64')}/+é`
const canaries = [{ name: 'it', secret }]

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const forms: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': JSON.stringify,
  'in JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 behind one byte': (text) => Buffer.from(`x${text}`).toString('base64'),
  'in base64 behind two bytes': (text) => Buffer.from(`xy${text}`).toString('base64'),
  'in base64 among others': (text) => Buffer.from(`said: ${text}, it said`).toString('base64'),
  'in base64url': (text) => Buffer.from(`x${text}`).toString('base64url'),
  'in hex': (text) => Buffer.from(text).toString('hex'),
  'in large hex': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'in a query': encodeURIComponent,
  'percent-encoded as a whole': percent,
  'in escapes of JSON': (text) => text.replaceAll(/./gs, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in two bytes a letter': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
}

test('the search finds a secret in every form', () => {
  for (const [how, write] of Object.entries(forms)) {
    assert.notDeepEqual(findCanaries(`before ${write(secret)} behind`, canaries), [], how)
  }
  assert.deepEqual(findCanaries(`before ${secret.slice(0, 11)} behind`, canaries), [])
})

test('the search finds any twelve letters of a secret, and bytes as text', () => {
  const letters = randomBytes(30).toString('hex')
  for (let at = 0; at + 12 <= letters.length; at++)
    assert.equal(findCanaries(`<${letters.slice(at, at + 12)}>`, [{ name: 'it', secret: letters }]).length, 1)
  const bytes = randomBytes(32)
  for (const text of [bytes, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')])
    assert.notDeepEqual(findCanaries(text, [{ name: 'it', secret: bytes }]), [])
})

test('the search finds a signing key in every form, and ignores what all keys have in common', () => {
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
  const scalar = der.subarray(36, 68)
  const all = pemCanaries('pem', pem)
  for (const text of [pem, der, der.toString('hex'), der.toString('base64url'), scalar, scalar.toString('hex')])
    assert.notDeepEqual(findCanaries(text, all), [])
  for (let i = 0; i < 50; i++) assert.deepEqual(findCanaries(makeAccount('y', 'y').pem, all), [])
})

test('the search ignores what is public: ids of keys, names of master keys, heads of tokens', () => {
  const { id, key } = makeKey('test')
  assert.deepEqual(findCanaries(`keyId ${id} vtr_test_${id}_`, keyCanaries('key', key)), [])
  assert.equal(findCanaries(key, keyCanaries('key', key)).length, 1)
  const master = makeMasterKey('a-long-name-of-a-key')
  assert.deepEqual(findCanaries('a-long-name-of-a-key', secretCanaries('master', master)), [])
  assert.notDeepEqual(findCanaries(master, secretCanaries('master', master)), [])
  const token = `eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.${randomBytes(64).toString('base64url')}`
  assert.deepEqual(findCanaries(token.slice(0, 36), tokenCanaries('token', token)), [])
  assert.equal(findCanaries(token, tokenCanaries('token', token)).length, 1)
})
