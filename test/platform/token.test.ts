import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import test from 'node:test'
import { createTokens } from '../../src/platform/token.ts'

const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const team = { keyId: 'TEAMKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', key }
const minute = 60_000

async function claims(token: string, at: number) {
  const options = { algorithms: ['ES256'], audience: 'appstoreconnect-v1', currentDate: new Date(at) }
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, options)
  return { payload, protectedHeader }
}

test('a team key signs with its issuer, dated back a little and living at most 20 minutes', async () => {
  const now = Date.UTC(2026, 10, 21)
  const { payload, protectedHeader } = await claims(await createTokens(() => now).for(team), now)
  assert.deepEqual(protectedHeader, { alg: 'ES256', kid: 'TEAMKEY001', typ: 'JWT' })
  assert.deepEqual(Object.keys(payload).sort(), ['aud', 'exp', 'iat', 'iss'])
  assert.equal(payload.iss, team.issuerId)
  assert.ok(payload.iat! < now / 1000 && payload.iat! >= now / 1000 - 60)
  assert.ok(payload.exp! > now / 1000 + 120 && payload.exp! - payload.iat! <= 1_200)
})

test('an individual key signs as a user, without an issuer', async () => {
  const now = Date.UTC(2026, 10, 21)
  const { payload } = await claims(await createTokens(() => now).for({ keyId: 'SOLO', key }), now)
  assert.deepEqual([payload.sub, 'iss' in payload], ['user', false])
})

test('a token is used again while it is young, for at most 15 minutes, and never for another credential', async () => {
  let now = Date.UTC(2026, 10, 21)
  const tokens = createTokens(() => now)
  const first = await tokens.for(team)
  now += 7 * minute
  assert.equal(await tokens.for(team), first)
  assert.notEqual(await tokens.for({ ...team }), first)
  now += 8 * minute
  const second = await tokens.for(team)
  assert.notEqual(second, first)
  assert.ok((await claims(second, now)).payload.exp! * 1000 > now)
})

test('a refused token is replaced, once for all who were refused with it', async () => {
  let now = Date.UTC(2026, 10, 21)
  const tokens = createTokens(() => now)
  const refused = await tokens.for(team)
  const [a, b] = await Promise.all([tokens.for(team, refused), tokens.for(team, refused)])
  assert.notEqual(a, refused)
  assert.equal(a, b)
})

test('a clock that is set back makes a new token', async () => {
  let now = Date.UTC(2026, 10, 21)
  const tokens = createTokens(() => now)
  const first = await tokens.for(team)
  now -= 60 * minute
  const second = await tokens.for(team)
  assert.notEqual(second, first)
  assert.ok((await claims(second, now)).payload.iat! * 1000 < now)
})
