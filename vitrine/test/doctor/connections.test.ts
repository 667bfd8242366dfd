import assert from 'node:assert/strict'
import test from 'node:test'
import { refuse } from '../support/scripted-platform.ts'
import { claimsOf, look, platformWith, start, well } from './platform.ts'
import { examine, findCheck, problemsIn, install, run } from './scene.ts'

test('an individual key is checked with a user token, and its refusal has a cause for individual keys', async (t) => {
  const platform = await start(t, platformWith())
  const connections = { solo: { keyId: 'SOLOKEY001', privateKeyFile: 'key.p8', tokenScope: 'request' } }
  assert.deepEqual(problemsIn(await examine(install(t, platform.url, { connections }).config)), well)
  const claims = claimsOf(platform.calls[1]?.headers.authorization)
  assert.deepEqual([claims?.sub, claims?.iss, claims?.kid], ['user', undefined, 'SOLOKEY001'])
  assert.deepEqual(claims?.scope, ['GET /v1/apps?fields[apps]=bundleId'])
  platform.script = (_, res) => refuse(res, 401, 'NOT_AUTHORIZED')
  const told = await examine(install(t, platform.url, { connections }).config)
  assert.deepEqual(problemsIn(told), [...well, 'solo token=fail'])
  assert.match(
    findCheck(told, 'token').cause ?? '',
    /individual key SOLOKEY001 is unknown.*team key, which needs its issuerId/,
  )
})

test('an issuerId that is not a UUID is named as the cause', async (t) => {
  const connections = { acme: { keyId: 'ACMEKEY001', issuerId: 'acme', privateKeyFile: 'key.p8' } }
  const told = await look(t, (_, res) => refuse(res, 401, 'NOT_AUTHORIZED'), { connections })
  const { cause, cure } = findCheck(told, 'token')
  assert.equal(cause, "issuerId does not have the form of the platform's")
  assert.match(cure ?? '', /^An issuer id is a UUID, such as .* Users and Access > Integrations/)
})

test('a keyId in another form than that of the platform is named as the cause', async (t) => {
  const connections = { solo: { keyId: 'solokey001', privateKeyFile: 'key.p8' } }
  const told = await look(t, (_, res) => refuse(res, 401, 'NOT_AUTHORIZED'), { connections })
  assert.match(findCheck(told, 'token').cure ?? '', /^A key id is 10 capital letters and digits, such as 2X9R4HXF34/)
})

test('of two connections only the faulty one is reported, and a single connection can be checked', async (t) => {
  const platform = await start(
    t,
    platformWith(({ headers }, res) => {
      if (claimsOf(headers.authorization)?.kid === 'ILLKEY0001') refuse(res, 401, 'NOT_AUTHORIZED')
    }),
  )
  const issuerId = '57246542-96fe-1a63-e053-0824d0110001'
  const { config } = install(t, platform.url, {
    connections: {
      ill: { keyId: 'ILLKEY0001', issuerId, privateKeyFile: 'key.p8' },
      acme: { keyId: 'ACMEKEY001', issuerId, privateKeyFile: 'key.p8' },
    },
  })
  const both = await examine(config)
  assert.deepEqual([both.code, problemsIn(both)], [1, [...well, 'ill token=fail']])
  assert.deepEqual(
    both.json.checks.flatMap(({ id, connection }) => (id === 'group:apps' ? [connection] : [])),
    ['ill', 'acme'],
  )
  const one = await examine(config, ['acme'])
  assert.deepEqual([one.code, problemsIn(one)], [0, well])
  assert.ok(one.json.checks.every(({ connection }) => connection !== 'ill'))
  const none = await run(['doctor', 'acne', '--config', config])
  assert.deepEqual(
    [none.code, none.out, none.err],
    [1, '', 'vitrine: There is no connection acne. Did you mean "acme"?\n'],
  )
})
