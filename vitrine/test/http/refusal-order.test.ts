import assert from 'node:assert/strict'
import test from 'node:test'
import { guard, listing, page } from '../support/example-routes.ts'
import { refuse } from '../support/scripted-platform.ts'
import { startScripted, tester } from '../support/service.ts'

const minute = 60_000

const scripted = async (t: test.TestContext) => {
  let now = Date.now()
  const { platform, service, close } = await startScripted((_, res) => refuse(res, 404, 'NOT_FOUND'), {
    now: () => now,
  })
  t.after(close)
  const revoked = await service.issue()
  await service.running.keys.revoke(revoked.split('_')[2] ?? '', tester)
  const expired = await service.issue({ expiresAt: now + minute })
  now += 2 * minute
  return {
    platform,
    service,
    keys: {
      missing: '',
      unknown: `${service.key.slice(0, 9)}${'0'.repeat(12)}${service.key.slice(21)}`,
      mistyped: service.key.replace(/.$/, (c) => (c === 'a' ? 'b' : 'a')),
      revoked,
      expired,
      acmeOnly: await service.issue({ connections: ['acme'] }),
      noCommerce: await service.issue({ groups: ['apps', 'marketing'] }),
      spent: await service.issue({ perMinute: 1 }),
      all: service.key,
    },
  }
}

test('of two reasons to reject a request the earlier check is reported, without a platform call', async (t) => {
  const { service, platform, keys } = await scripted(t)
  await service.ask(page.path, { key: keys.spent })
  platform.calls.length = 0
  const acme = '/v1/connections/acme'
  const bad = '?limt=5'
  const rows: [asked: string, key: keyof typeof keys, path: string, status: number, code: string, method?: string][] = [
    ['bad key, unknown path', 'unknown', '/v1/nothing', 401, 'key_invalid'],
    ['no key, unknown path', 'missing', '/nothing', 401, 'key_invalid'],
    ['bad key, POST', 'unknown', acme + page.path, 401, 'key_invalid', 'POST'],
    ['bad key, POST of an unknown path', 'mistyped', '/v1/nothing', 401, 'key_invalid', 'POST'],
    ['bad key, foreign connection', 'revoked', `/v1/connections/none${page.path}`, 401, 'key_invalid'],
    ['bad key, bad query', 'expired', acme + page.path + bad, 401, 'key_invalid'],
    ['bad key, broken escape', 'unknown', `${acme}/apps/%zz/versions/ids`, 401, 'key_invalid'],
    ['spent key, unknown path', 'spent', '/v1/nothing', 429, 'key_rate_limited'],
    ['spent key, POST', 'spent', acme + page.path, 429, 'key_rate_limited', 'POST'],
    ['spent key, bad query', 'spent', acme + page.path + bad, 429, 'key_rate_limited'],
    ['unknown path, POST', 'all', '/v1/nothing', 404, 'route_not_found', 'POST'],
    ['unknown path, foreign connection', 'acmeOnly', '/v1/connections/other/nothing', 404, 'route_not_found'],
    ['unknown path, bad query', 'all', `${acme}/nothing${bad}`, 404, 'route_not_found'],
    ['POST, foreign connection', 'acmeOnly', `/v1/connections/other${page.path}`, 405, 'method_not_allowed', 'POST'],
    ['POST, ungranted group', 'noCommerce', acme + page.path, 405, 'method_not_allowed', 'DELETE'],
    ['POST, bad query', 'all', acme + page.path + bad, 405, 'method_not_allowed', 'PATCH'],
    [
      'foreign connection, ungranted group',
      'noCommerce',
      `/v1/connections/none${page.path}`,
      404,
      'connection_not_found',
    ],
    [
      'foreign connection, bad query',
      'acmeOnly',
      `/v1/connections/other${page.path}${bad}`,
      404,
      'connection_not_found',
    ],
    [
      'foreign connection, bad id',
      'acmeOnly',
      '/v1/connections/other/apps/../versions/ids',
      404,
      'connection_not_found',
    ],
    ['ungranted group, bad query', 'noCommerce', acme + page.path + bad, 403, 'group_not_granted'],
    ['ungranted group, bad cursor', 'noCommerce', `${acme}${page.path}?cursor=x`, 403, 'group_not_granted'],
    ['ungranted group, bad id', 'noCommerce', `${acme}/subscriptions/../offer-codes`, 403, 'group_not_granted'],
    ['bad query, bad cursor', 'all', `${page.path}?cursor=x&limt=5`, 400, 'unknown_parameter'],
    ['bad limit, bad cursor', 'all', `${page.path}?cursor=x&limit=0`, 400, 'value_not_allowed'],
    ['bad query, bad id', 'all', `/subscriptions/../offer-codes${bad}`, 400, 'unknown_parameter'],
    ['bad query, missing parent', 'all', page.path + bad, 400, 'unknown_parameter'],
    ['bad query, missing locale', 'all', listing.path + bad, 400, 'unknown_parameter'],
    ['bad query, foreign child', 'all', guard.path + bad, 400, 'unknown_parameter'],
    ['bad cursor, bad id', 'all', '/subscriptions/../offer-codes?cursor=x', 400, 'cursor_invalid'],
    ['bad cursor, missing parent', 'all', `${page.path}?cursor=x`, 400, 'cursor_invalid'],
    ['bad cursor, missing locale', 'all', `${listing.path}?cursor=x`, 400, 'cursor_invalid'],
    ['bad cursor, foreign child', 'all', `${guard.path}?cursor=x`, 400, 'cursor_invalid'],
    ['too long, missing parent', 'all', `${page.path}?territory=${'x'.repeat(4_100)}`, 400, 'request_too_long'],
    [
      'bad id, missing locale',
      'all',
      '/events/../localizations/en-US/event-screenshots/ids',
      404,
      'resource_not_found',
    ],
    ['bad child, missing parent', 'all', '/apps/a1/app-infos/%2e%2e/territory-age-ratings', 404, 'resource_not_found'],
  ]
  for (const [asked, key, path, status, code, method = 'GET'] of rows)
    await t.test(asked, async () => {
      const answer = await service.ask(path, { key: keys[key], method })
      assert.deepEqual([answer.status, answer.json.error.code], [status, code])
      assert.equal(platform.calls.length, 0)
    })
})

const without = (text: string) => text.replace(/req_[\w-]{16}/, '')

test('absent and foreign connections look the same, and so do keys that are wrong in any way', async (t) => {
  const { service, platform, keys } = await scripted(t)
  const bodies = async (asked: { path: string; key: string }[]) => {
    const seen = new Set<string>()
    for (const { path, key } of asked) {
      const { status, text, headers } = await service.ask(path, { key })
      const names = Object.keys(headers).filter((name) => name !== 'x-request-id' && name !== 'date')
      seen.add(JSON.stringify([status, without(text), names.map((name) => [name, headers[name]])]))
    }
    return seen.size
  }
  const at = (connection: string) => ({ path: `/v1/connections/${connection}${page.path}`, key: keys.acmeOnly })
  assert.equal(
    await bodies(['other', 'solo', 'none', '*', '', '__proto__', 'constructor', 'ACME', 'acme%00', '..'].map(at)),
    1,
  )
  const { unknown, mistyped, revoked, expired } = keys
  const wrong = [unknown, mistyped, revoked, expired, 'x', '', `${service.key} `, service.key.toLowerCase()]
  assert.equal(await bodies(wrong.slice(0, 6).map((key) => ({ path: '/v1/connections/acme/apps', key }))), 1)
  assert.equal(await bodies([unknown, revoked].map((key) => ({ path: '/v1/nothing', key }))), 1)
  assert.equal(platform.calls.length, 0)
})
