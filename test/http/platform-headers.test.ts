import assert from 'node:assert/strict'
import test from 'node:test'
import { page } from '../ground/places.ts'
import { send, startScriptedPlatform } from '../ground/scripted-platform.ts'
import { always, scripted } from '../ground/scripted-asking.ts'

const nowMs = Date.UTC(2026, 10, 20, 12)

test('Retry-After is whole seconds from 1 to 3,600, or nothing', async (t) => {
  const { ask } = await scripted(t, { now: () => nowMs })
  const rows: [said: string, heard: string | undefined][] = [
    ['0', '1'],
    ['1', '1'],
    ['17', '17'],
    [' 17 ', '17'],
    ['3600', '3600'],
    ['3601', '3600'],
    ['99999999999', '3600'],
    ['9'.repeat(40), '3600'],
    [String(nowMs + 54_001), '55'],
    [String(nowMs - 54_000), '1'],
    ['Fri, 20 Nov 2026 12:01:30 GMT', '90'],
    ['Fri, 20 Nov 2026 11:00:00 GMT', '1'],
    ['Sun, 20 Nov 2095 12:00:00 GMT', '3600'],
    ...[
      '',
      '-1',
      '1.5',
      '1e3',
      '0x10',
      'soon',
      'NaN',
      '5, 7',
      '2026-11-20T12:01:30Z',
      'Fri, 99 Foo 2026 12:01:30 GMT',
    ].map((said): [string, undefined] => [said, undefined]),
  ]
  for (const status of [429, 503])
    for (const [said, heard] of rows)
      await t.test(`${status} with ${JSON.stringify(said)} is ${heard ?? 'none'}`, async () => {
        const answer = await ask(always(status, { 'retry-after': said }))
        assert.equal(answer.status, status)
        assert.equal(answer.headers['retry-after'], heard)
      })
  const without = await ask(always(429))
  assert.equal(without.headers['retry-after'], undefined)
  const twice = await ask(
    (_, res) =>
      void res
        .writeHead(
          429,
          [
            ['Retry-After', '5'],
            ['Retry-After', '7'],
          ].flat(),
        )
        .end(),
  )
  assert.equal(twice.status, 429)
  const old = await ask(always(429, { 'retry-after': 'Friday, 20-Nov-26 12:01:30 GMT' }))
  assert.ok([undefined, '90'].includes(old.headers['retry-after'] as string | undefined))
})

test('a redirect is 502, and nobody follows it', async (t) => {
  const elsewhere = await startScriptedPlatform((_, res) => send(res, page.healthy))
  t.after(elsewhere.close)
  const { ask, platform } = await scripted(t, { now: () => nowMs })
  for (const status of [301, 302, 303, 307, 308])
    for (const location of [`${elsewhere.url}/v1/apps`, '/v1/elsewhere', page.read, '//', ''])
      await t.test(`${status} to ${location.replace(elsewhere.url, 'another host')}`, async () => {
        const { status: ours, text } = await ask((_, res) => void res.writeHead(status, { location }).end())
        assert.equal(ours, 502)
        assert.ok(!text.includes('127.0.0.1'))
        assert.equal(platform.calls.length, 1)
      })
  assert.equal(elsewhere.calls.length, 0)
})

test('no header of the platform reaches the caller, and none of the caller the platform', async (t) => {
  const { platform, service } = await scripted(t, { now: () => nowMs })
  const theirs = {
    'set-cookie': 'a=b',
    'access-control-allow-origin': '*',
    'strict-transport-security': 'max-age=1',
    link: '<https://evil.example>; rel=next',
    server: 'daiquiri/5',
    'x-request-id': 'theirs',
    'x-rate-limit': 'user-hour-lim:;;user-hour-rem:NaN',
    'cache-control': 'public, max-age=999',
    etag: '"x"',
    'x-evil': 'PLATFORM',
  }
  const sent = { cookie: 'c=d', 'x-forwarded-for': '10.0.0.9', 'if-none-match': '"x"', referer: 'https://me.example' }
  for (const status of [200, 404, 429, 500]) {
    platform.script = (_, res) => send(res, status === 200 ? page.healthy : {}, theirs, status)
    const { headers } = await service.ask(page.path, { headers: sent })
    assert.ok(!JSON.stringify(headers).match(/PLATFORM|evil|theirs|daiquiri|a=b|max-age|etag|access-control/i))
  }
  for (const { headers } of platform.calls)
    assert.deepEqual(Object.keys(headers).sort(), [
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'user-agent',
    ])
})
