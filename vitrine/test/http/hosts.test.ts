import assert from 'node:assert/strict'
import test from 'node:test'
import { sendRaw } from '../../../base/test/raw-client.ts'
import { startManager, token } from '../operator/manager.ts'

type Manager = Awaited<ReturnType<typeof startManager>>

/** both ports, each with a secret that it accepts */
const endpointsOf = ({ port, service }: Manager) => [
  {
    port,
    paths: ['/operator/v1/keys', '/', '/keys', '/operator/v1/openapi.json', '/errors/key_missing'],
    secret: token,
  },
  { port: service.port, paths: ['/v1/whoami', '/openapi.json', '/docs', '/mcp'], secret: service.key },
]

async function ask(port: number, target: string, fields: string, version = '1.1') {
  const { answers } = await sendRaw(port, `GET ${target} HTTP/${version}\r\n${fields}Connection: close\r\n\r\n`)
  const { status, json } = answers[0] ?? assert.fail('no answer')
  return json?.error ? `${status} ${json.error.code}` : String(status)
}

test('a loopback port rejects every foreign host name, for any path and with any key', async (t) => {
  const manager = await startManager(t)
  for (const { port, paths, secret } of endpointsOf(manager))
    for (const path of paths) {
      for (const name of [
        'rebound.example',
        `rebound.example:${port}`,
        'LOCALHOST.example',
        '127.0.0.1.rebound.example',
      ])
        for (const auth of ['', `Authorization: Bearer ${secret}\r\n`])
          assert.equal(await ask(port, path, `Host: ${name}\r\n${auth}`), '421 host_not_allowed', `${name} ${path}`)
      for (const name of [
        '10.0.0.1',
        '0.0.0.0:80',
        '128.0.0.1',
        '[::2]',
        '[::ffff:10.0.0.1]',
        'vitrine',
        'studio-mac:8081',
        '2130706433',
        '0x7f000001',
      ])
        assert.equal(await ask(port, path, `Host: ${name}\r\n`), '421 host_not_allowed', `${name} ${path}`)
      const absolute = await ask(port, `http://rebound.example${path}`, 'Host: localhost\r\n')
      assert.equal(absolute, '421 host_not_allowed')
    }
  const denied = await manager.audit({ outcome: 'denied' })
  assert.deepEqual(denied, [], 'none came as far as the token')
})

test('a loopback port accepts the names of this machine, with any port, case or trailing dot, and a missing Host', async (t) => {
  const manager = await startManager(t)
  for (const { port, paths, secret } of endpointsOf(manager)) {
    const [path = ''] = paths
    const auth = `Authorization: Bearer ${secret}\r\n`
    for (const name of [
      'localhost',
      'LocalHost:1',
      'localhost.',
      'localhost.:8080',
      '127.0.0.1',
      '127.0.0.1:9',
      '127.8.9.1',
      '[::1]',
      '[::1]:8081',
      '[::FFFF:127.0.0.1]:80',
      'vitrine.localhost:8081',
    ])
      assert.equal(await ask(port, path, `Host: ${name}\r\n${auth}`), '200', name)
    assert.equal(await ask(port, path, auth, '1.0'), '200')
    assert.equal(await ask(port, `http://localhost:1${path}`, `Host: localhost:1\r\n${auth}`), '200')
    for (const probe of ['/livez', '/healthz', '/readyz'])
      assert.equal(await ask(port, probe, 'Host: 10.1.2.3:8080\r\n'), '200', 'a probe asks for an address')
  }
})

test('each port accepts the host name that the settings give it, and not that of the other', async (t) => {
  const file = { publicUrl: 'https://Vitrine.example', operatorUrl: 'https://console.example:8443' }
  const manager = await startManager(t, { file })
  const [operator, open] = endpointsOf(manager)
  for (const [endpoint, own, other] of [
    [open, 'vitrine.example', 'console.example'],
    [operator, 'console.example', 'vitrine.example'],
  ] as const) {
    assert.ok(endpoint)
    const auth = `Authorization: Bearer ${endpoint.secret}\r\n`
    for (const name of [own, `${own.toUpperCase()}:443`, `${own}.`, 'localhost'])
      assert.equal(await ask(endpoint.port, endpoint.paths[0] ?? '', `Host: ${name}\r\n${auth}`), '200', name)
    assert.equal(await ask(endpoint.port, endpoint.paths[0] ?? '', `Host: ${other}\r\n${auth}`), '421 host_not_allowed')
  }
})

test('a port that listens beyond loopback accepts any host name', async (t) => {
  const manager = await startManager(t, { file: { listen: '0.0.0.0:0' } })
  const { port, key } = manager.service
  assert.equal(await ask(port, '/v1/whoami', `Host: any.example\r\nAuthorization: Bearer ${key}\r\n`), '200')
})
