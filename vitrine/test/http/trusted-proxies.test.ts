import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { createProxies } from '../../../base/web/address.ts'
import { requestFrom, type CallerRequest, manyAddresses } from '../../../base/test/callers.ts'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'
import { exchange, startManager } from '../operator/manager.ts'

function callerOf(trusted: readonly string[], peer: string | undefined, forwarded?: string): string {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const req = new IncomingMessage(socket)
  if (forwarded !== undefined) req.headers['x-forwarded-for'] = forwarded
  return createProxies(trusted).callerOf(req)
}

test('the caller is the rightmost address that is not a trusted proxy', () => {
  const trusted = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', 'fd00::1']
  const rows: [peer: string, forwarded: string | undefined, caller: string][] = [
    ['10.1.2.3', '203.0.113.5', '203.0.113.5'],
    ['10.1.2.3', 'spoofed, 198.51.100.1, 203.0.113.5', '203.0.113.5'],
    ['10.1.2.3', '198.51.100.1, 203.0.113.5, 10.9.9.9,192.0.2.7', '203.0.113.5'],
    ['::ffff:10.1.2.3', '203.0.113.5', '203.0.113.5'],
    ['192.0.2.7', '::ffff:203.0.113.5', '203.0.113.5'],
    ['2001:db8::1', '2001:DB9::1, fd00::1', '2001:DB9::1'],
    ['10.1.2.3', '203.0.113.5:4711', '203.0.113.5'],
    ['10.1.2.3', '[2001:db9::1]:443', '2001:db9::1'],
    ['10.1.2.3', '[2001:db9::1]', '2001:db9::1'],
    ['10.1.2.3', '10.4.4.4, 10.5.5.5', '10.4.4.4'],
    ['10.1.2.3', undefined, '10.1.2.3'],
    ['192.0.2.8', '203.0.113.5', '192.0.2.8'],
    ['11.0.0.1', '203.0.113.5', '11.0.0.1'],
    ['fd00::2', '203.0.113.5', 'fd00::2'],
  ]
  for (const [peer, forwarded, caller] of rows)
    assert.equal(callerOf(trusted, peer, forwarded), caller, `${peer}: ${forwarded}`)
})

test('a header without an address is ignored', () => {
  for (const hop of [
    '',
    ' ',
    ',',
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.256',
    '010.0.0.1',
    '203.0.113.5/24',
    '0x7f.0.0.1',
    '203.0.113.5:',
    '203.0.113.5:123456',
    '2001:db9::g',
    '[2001:db9::1',
    'fe80::1%eth0',
    '203.0.113.5 x',
    '1e3',
    '"203.0.113.5"',
    'for=203.0.113.5',
    '\u001b[31m',
    '<script>',
    '1'.repeat(8_000),
  ]) {
    assert.equal(callerOf(['10.0.0.0/8'], '10.1.2.3', hop), '10.1.2.3', hop)
    assert.equal(callerOf(['10.0.0.0/8'], '10.1.2.3', `203.0.113.5, ${hop}, 10.2.2.2`), '10.1.2.3', hop)
  }
})

test('without the setting no proxy is trusted, and a socket without an address is "unknown"', () => {
  for (const peer of ['127.0.0.1', '::1', '10.1.2.3']) assert.equal(callerOf([], peer, '203.0.113.5'), peer)
  assert.equal(callerOf(['0.0.0.0/0'], undefined, '203.0.113.5'), 'unknown')
  assert.equal(callerOf(['0.0.0.0/0'], '198.51.100.1', '203.0.113.5'), '203.0.113.5')
  assert.equal(callerOf(['fe80::/10'], 'fe80::1%eth0', '203.0.113.5'), '203.0.113.5')
})

const [proxy, stranger] = ['127.0.5.1', '127.0.6.1']

async function start(t: TestContext, trustedProxies: string[]) {
  const { service, close } = await startScripted((_, res) => send(res, { data: [], links: {} }), {
    file: { trustedProxies, rateLimit: { perMinute: 0, failuresPerMinute: 5 } },
  })
  t.after(close)
  return {
    service,
    ask: (from: string, forwarded: string, asked: CallerRequest = { key: 'wrong' }) =>
      requestFrom(service.port, from, { ...asked, headers: { 'x-forwarded-for': forwarded } }),
    froms: () => service.events.flatMap((event) => (event.kind === 'answered' ? [event.from] : [])),
  }
}

test('a forged X-Forwarded-For of an untrusted caller has no effect', manyAddresses, async (t) => {
  const { service, ask, froms } = await start(t, [proxy])
  for (let i = 0; i < 5; i++) assert.equal((await ask(stranger, `203.0.${i}.5`)).status, 401)
  assert.equal((await ask(stranger, '203.0.99.5')).status, 429, 'another address each time is one address')
  assert.equal((await ask(stranger, proxy)).status, 429, 'nor does the caller count as the proxy')
  assert.deepEqual(new Set(froms()), new Set([stranger]))
  for (const name of ['forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip']) {
    const headers = { [name]: name === 'forwarded' ? 'for=203.0.113.5' : '203.0.113.5' }
    assert.equal((await requestFrom(service.port, stranger, { key: 'wrong', headers })).status, 429, name)
    assert.equal((await requestFrom(service.port, proxy, { headers })).status, 401)
  }
  assert.deepEqual(new Set(froms()), new Set([stranger, proxy]))
})

test('behind a trusted proxy each caller is locked out separately', manyAddresses, async (t) => {
  const { service, ask, froms } = await start(t, [proxy])
  for (let i = 0; i < 5; i++) assert.equal((await ask(proxy, '203.0.113.5')).status, 401)
  assert.equal((await ask(proxy, '203.0.113.77')).status, 429)
  assert.equal((await ask(proxy, `203.0.113.5, 198.51.100.1`)).status, 401)
  assert.equal((await ask(proxy, '198.51.100.9', { key: service.key })).status, 200)
  assert.deepEqual(new Set(froms()), new Set(['203.0.113.5', '203.0.113.77', '198.51.100.1', '198.51.100.9']))
})

test('without the setting the header is not read at all', manyAddresses, async (t) => {
  const { ask, froms } = await start(t, [])
  for (let i = 0; i < 5; i++) await ask(proxy, `203.0.${i}.5`)
  assert.equal((await ask(proxy, '198.51.100.1')).status, 429)
  assert.deepEqual(new Set(froms()), new Set([proxy]))
})

test('the operator endpoint locks out, and writes to the audit log, the address that the proxy names', async (t) => {
  const { port, audit } = await startManager(t, { file: { trustedProxies: ['127.0.0.1'] } })
  const ask = (forwarded: string, token?: string) =>
    exchange(port, 'DELETE', '/operator/v1/connections/nobody', {
      headers: { 'x-forwarded-for': forwarded },
      ...(token !== undefined && { token }),
    })
  for (let i = 0; i < 10; i++) assert.equal((await ask('203.0.113.5', 'wrong-token-of-mine')).status, 401)
  assert.equal((await ask('203.0.113.6', 'wrong-token-of-mine')).status, 429)
  assert.equal((await ask('198.51.100.1')).status, 404)
  const froms = (await audit({ outcome: 'denied' })).map(({ from }) => from)
  assert.deepEqual(new Set(froms), new Set(['203.0.113.5', '203.0.113.6', '198.51.100.1']))
})
