// Tokens, scopes, and the hourly quota of a key.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'

import { keyId, signToken, teamKey, type TokenParts, withSandbox } from './sandbox-client.ts'

/** at run time, not when the file is loaded */
const nowSec = () => Math.floor(Date.now() / 1000)
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const badTokens = (now: number): [string, TokenParts][] => [
  ['an unknown key id', { header: { kid: 'UNKNOWN000' } }],
  ['another algorithm', { header: { alg: 'HS256' } }],
  ['another type', { header: { typ: 'at+jwt' } }],
  ['a foreign signature', { key: stranger.privateKey }],
  ['another audience', { claims: { aud: 'apple-developer-enterprise-v1' } }],
  ['another issuer', { claims: { iss: 'someone' } }],
  ['no issuer', { claims: { iss: undefined, sub: 'user' } }],
  ['an expired token', { claims: { iat: now - 700, exp: now - 100 } }],
  ['a life of 21 minutes', { claims: { iat: now - 60, exp: now + 1200 } }],
  ['a token from the future', { claims: { iat: now + 90, exp: now + 600 } }],
  ['no expiry', { claims: { exp: undefined } }],
]

test('a bad token is rejected as not authorized, without an id', async () => {
  await withSandbox(async ({ get }) => {
    for (const [what, parts] of badTokens(nowSec())) {
      const { status, body } = await get('/v1/apps', { authorization: `Bearer ${signToken(parts)}` })
      assert.deepEqual([status, body.errors[0]?.code, body.errors[0]?.id], [401, 'NOT_AUTHORIZED', undefined], what)
    }
    for (const authorization of ['', 'Basic abc', 'Bearer', 'Bearer a.b', 'Bearer a.b.c', 'Bearer bnVsbA.bnVsbA.c']) {
      assert.equal((await get('/v1/apps', { authorization })).status, 401, authorization)
    }
  })
})

test('a clock that runs a little ahead is accepted', async () => {
  await withSandbox(async ({ get }) => {
    const token = signToken({ claims: { iat: nowSec() + 45, exp: nowSec() + 600 } })
    assert.equal((await get('/v1/apps', { authorization: `Bearer ${token}` })).status, 200)
  })
})

test('an individual key signs for a user without an issuer', async () => {
  await withSandbox(
    async ({ get }) => {
      const user = signToken({ claims: { iss: undefined, sub: 'user' } })
      assert.equal((await get('/v1/apps', { authorization: `Bearer ${user}` })).status, 200)
      assert.equal((await get('/v1/apps')).status, 401)
    },
    { accounts: [{ keyId, publicKey: teamKey.publicKey }] },
  )
})

test('a scoped token allows only what its entries name', async () => {
  await withSandbox(async ({ get }) => {
    const scope = ['GET /v1/apps?filter[name]=Fjordwalk', 'GET /v1/winBackOffers/6742001014/prices']
    const headers = { authorization: `Bearer ${signToken({ claims: { scope } })}` }
    assert.equal((await get('/v1/apps?limit=3&filter%5Bname%5D=Fjordwalk', headers)).status, 200)
    assert.equal((await get('/v1/winBackOffers/6742001014/prices?limit=1', headers)).status, 200)
    const { status, body } = await get('/v1/apps', headers)
    assert.deepEqual([status, body.errors[0]?.code], [403, 'FORBIDDEN_ERROR'])
  })
})

test('the rate header counts down, rejects at zero, and recovers with the rolling window', async () => {
  let clock = Date.now()
  await withSandbox(
    async ({ get, sandbox }) => {
      const { headers } = await get('/v1/apps?limit=1')
      assert.equal(headers.get('x-rate-limit'), 'user-hour-lim:3600;user-hour-rem:3599;')
      const authorization = `Bearer ${signToken()}`
      for (let left = 3599; left > 0; left -= 100) {
        const batch = Array.from({ length: Math.min(100, left) }, async () => {
          const reply = await fetch(`${sandbox.url}/v1/nothing`, { headers: { authorization } })
          await reply.arrayBuffer()
        })
        await Promise.all(batch)
      }
      const refused = await get('/v1/apps')
      assert.deepEqual([refused.status, refused.body.errors[0]?.code], [429, 'RATE_LIMIT_EXCEEDED'])
      assert.equal(refused.headers.get('x-rate-limit'), 'user-hour-lim:3600;user-hour-rem:0;')
      clock += 3_600_001
      const token = signToken({ claims: { iat: Math.floor(clock / 1000), exp: Math.floor(clock / 1000) + 60 } })
      assert.equal((await get('/v1/apps', { authorization: `Bearer ${token}` })).status, 200)
    },
    { now: () => clock },
  )
})
