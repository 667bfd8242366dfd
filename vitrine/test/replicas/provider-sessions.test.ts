import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { createProviderCredential } from '../../../base/auth/oidc-operators.ts'
import { createOperatorTokens, whoOf } from '../../../base/auth/operator-token.ts'
import { createSessions } from '../../../base/auth/sessions.ts'
import { product } from '../../src/product.ts'
import { createSessionSeal } from '../../src/replicas/session-seal.ts'

const secret = randomBytes(32)
const place = ['name']
const issuer = 'https://id.example'

test('a session of the provider is opened by every replica with the same secret, and by no other', () => {
  const credential = createProviderCredential('v', issuer, () => 'the secret')
  const sealOf = (...made: readonly (typeof credential)[]) =>
    createSessionSeal(secret, { validTokens: () => made.map((one) => one()) })
  const { digest } = credential()
  const said = { who: 'oidc:ann', role: 'viewer', digest: digest.toString('base64url') }
  const sealOne = (plain: object) =>
    sealOf(credential).seal(place, Buffer.from(JSON.stringify(plain)), digest) ?? assert.fail('not sealed')
  assert.ok(sealOf(createProviderCredential('v', issuer, () => 'the secret')).open(place, sealOne(said)))
  for (const other of [
    ['v', issuer, 'another secret'],
    ['v', 'https://other.example', 'the secret'],
    ['w', issuer, 'the secret'],
  ] as const)
    // prettier-ignore
    assert.equal(sealOf(createProviderCredential(other[0], other[1], () => other[2])).open(place, sealOne(said)), undefined)
  assert.equal(sealOf(credential).open(['other'], sealOne(said)), undefined)
  // without a role, or under the name of a token, it is none
  for (const plain of [
    { ...said, role: undefined },
    { ...said, who: whoOf(digest) },
    { ...said, digest: 'x' },
  ])
    assert.equal(sealOf(credential).open(place, sealOne(plain)), undefined)
})

test('the holder of a token cannot make a session under the name of a person', () => {
  const tokens = createOperatorTokens({ product, fixed: 'the-token-of-the-Operator-q8Zr2Vx5', observe: () => {} })
  const [one] = tokens.validTokens()
  assert.ok(one)
  const seal = createSessionSeal(secret, tokens)
  const plain = { who: 'oidc:ann', role: 'administrator', digest: one.digest.toString('base64url') }
  const sealed = seal.seal(place, Buffer.from(JSON.stringify(plain)), one.digest)
  assert.ok(sealed)
  assert.equal(seal.open(place, sealed), undefined)
})

test('a new secret of the client ends the sessions of the provider', () => {
  let text = 'one'
  const credential = createProviderCredential('v', issuer, () => text)
  const sessions = createSessions({
    now: Date.now,
    tokens: { isValid: (digest) => credential().digest.equals(digest) },
  })
  const { session, secret: cookie } = sessions.begin({ who: 'oidc:ann', role: 'viewer', digest: credential().digest })
  assert.deepEqual([sessions.find(cookie), session.role], [session, 'viewer'])
  text = 'two'
  assert.equal(sessions.find(cookie), undefined)
})
