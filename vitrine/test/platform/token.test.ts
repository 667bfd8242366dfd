import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import test from 'node:test'
import { createTokens } from '../../src/platform/auth/signer.ts'

const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const team = { keyId: 'TEAMKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', key }
const scoped = { ...team, tokenScope: 'request' as const }
const apps = '/v1/apps'
const minute = 60_000

async function claims(token: string, at: number) {
  const options = { algorithms: ['ES256'], audience: 'appstoreconnect-v1', currentDate: new Date(at) }
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, options)
  return { payload, protectedHeader }
}

test('a team key signs with its issuer, dated back a little and living at most 20 minutes', async () => {
  const now = Date.UTC(2026, 10, 21)
  const { payload, protectedHeader } = await claims(await createTokens(() => now).for(team, apps), now)
  assert.deepEqual(protectedHeader, { alg: 'ES256', kid: 'TEAMKEY001', typ: 'JWT' })
  assert.deepEqual(Object.keys(payload).sort(), ['aud', 'exp', 'iat', 'iss'])
  assert.equal(payload.iss, team.issuerId)
  assert.ok(payload.iat! < now / 1000 && payload.iat! >= now / 1000 - 60)
  assert.ok(payload.exp! > now / 1000 + 120 && payload.exp! - payload.iat! <= 1_200)
})

test('an individual key signs as a user, without an issuer', async () => {
  const now = Date.UTC(2026, 10, 21)
  const { payload } = await claims(await createTokens(() => now).for({ keyId: 'SOLO', key }, apps), now)
  assert.deepEqual([payload.sub, 'iss' in payload], ['user', false])
})

test('a token is reused for at most 15 minutes, and never for another credential', async () => {
  let now = Date.UTC(2026, 10, 21)
  const tokens = createTokens(() => now)
  const first = await tokens.for(team, apps)
  now += 7 * minute
  assert.equal(await tokens.for(team, apps), first)
  assert.notEqual(await tokens.for({ ...team }, apps), first)
  now += 8 * minute
  const second = await tokens.for(team, apps)
  assert.notEqual(second, first)
  assert.ok((await claims(second, now)).payload.exp! * 1000 > now)
})

test('a rejected token is replaced, once for all calls that were rejected with it', async () => {
  let now = Date.UTC(2026, 10, 21)
  const tokens = createTokens(() => now)
  const refused = await tokens.for(team, apps)
  const [a, b] = await Promise.all([tokens.for(team, apps, refused), tokens.for(team, apps, refused)])
  assert.notEqual(a, refused)
  assert.equal(a, b)
})

test('a clock that is set back makes a new token', async () => {
  let now = Date.UTC(2026, 10, 21)
  const tokens = createTokens(() => now)
  const first = await tokens.for(team, apps)
  now -= 60 * minute
  const second = await tokens.for(team, apps)
  assert.notEqual(second, first)
  assert.ok((await claims(second, now)).payload.iat! * 1000 < now)
})

test('without a scope every target has the same token, with the members of its payload in the usual order', async () => {
  const tokens = createTokens(() => Date.UTC(2026, 10, 21))
  const token = await tokens.for(team, apps)
  assert.equal(await tokens.for(team, '/v1/apps/1?include=x'), token)
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  const iat = Date.UTC(2026, 10, 21) / 1000 - 30
  assert.equal(payload, `{"iss":"${team.issuerId}","iat":${iat},"exp":${iat + 600},"aud":"appstoreconnect-v1"}`)
})

test('a scoped token names exactly one GET, and is otherwise like every token', async () => {
  const now = Date.UTC(2026, 10, 21)
  const tokens = createTokens(() => now)
  const { payload, protectedHeader } = await claims(await tokens.for(scoped, '/v1/apps?include=x&limit=2'), now)
  const { scope, ...rest } = payload
  assert.deepEqual(scope, ['GET /v1/apps?include=x'])
  const unscoped = await claims(await tokens.for(team, apps), now)
  assert.deepEqual([rest, protectedHeader], [unscoped.payload, unscoped.protectedHeader])
  const solo = await claims(await tokens.for({ keyId: 'SOLO', key, tokenScope: 'request' }, apps), now)
  assert.deepEqual([solo.payload['sub'], solo.payload['scope']], ['user', ['GET /v1/apps']])
})

test('requests that differ only in paging and order share a token, and all others have their own', async () => {
  const tokens = createTokens(() => Date.UTC(2026, 10, 21))
  const shared = await tokens.for(scoped, '/v1/apps?include=x&limit=2')
  for (const more of ['', '&limit=9', '&sort=name', '&limit=2&cursor=AQ.x'])
    assert.equal(await tokens.for(scoped, `/v1/apps?include=x${more}`), shared)
  const others = ['/v1/apps', '/v1/apps?include=y', '/v1/apps?include=x&a=b', '/v1/apps/1?include=x']
  const all = await Promise.all(others.map((target) => tokens.for(scoped, target)))
  assert.equal(new Set([shared, ...all]).size, 5)
  assert.notEqual(await tokens.for({ ...scoped }, '/v1/apps?include=x'), shared)
})

test('a scoped token is reused as long as any other, and no longer when the clock is set back', async () => {
  let now = Date.UTC(2026, 10, 21)
  const tokens = createTokens(() => now)
  const first = await tokens.for(scoped, apps)
  now += 7 * minute
  assert.equal(await tokens.for(scoped, apps), first)
  now += 8 * minute
  const second = await tokens.for(scoped, apps)
  assert.notEqual(second, first)
  now -= 60 * minute
  assert.notEqual(await tokens.for(scoped, apps), second)
})

test('simultaneous requests for one scope wait for one signature', async () => {
  const tokens = createTokens(() => Date.UTC(2026, 10, 21))
  const ask = (instead?: string) =>
    Promise.all(Array.from({ length: 50 }, (_, i) => tokens.for(scoped, `${apps}?limit=${i + 1}`, instead)))
  // ES256 signatures are never equal, so equal tokens were signed once
  const [refused, ...others] = new Set(await ask())
  assert.deepEqual(others, [])
  assert.equal(new Set(await ask(refused)).size, 1)
  assert.ok(!(await ask()).includes(refused ?? ''))
})

test('a rejected scoped token is replaced, and the tokens of other scopes stay', async () => {
  const tokens = createTokens(() => Date.UTC(2026, 10, 21))
  const [refused, other] = [await tokens.for(scoped, apps), await tokens.for(scoped, '/v1/apps/1')]
  const fresh = await tokens.for(scoped, apps, refused)
  assert.notEqual(fresh, refused)
  assert.deepEqual([await tokens.for(scoped, apps), await tokens.for(scoped, '/v1/apps/1')], [fresh, other])
})

test('of ten thousand scopes the last 256 tokens are kept', { timeout: 30_000 }, async () => {
  const tokens = createTokens(() => Date.UTC(2026, 10, 21))
  const most = 10_000
  const signed: string[] = []
  for (let i = 0; i < most; i++) signed.push(await tokens.for(scoped, `/v1/apps/${i}`))
  let again = 0
  for (let i = most - 1; i >= most - 600; i--) if ((await tokens.for(scoped, `/v1/apps/${i}`)) === signed[i]) again += 1
  assert.equal(again, 256)
})
