// Needs engines that may make bridges. What containers reach beyond the host is the host's affair.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { until } from '../../../base/test/until.ts'
import type { Engine } from '../../src/engine/port.ts'
import { execTemplate, onEveryEngine, shell, startContainer } from '../engines.ts'

const said = async (engine: Engine, id: string, script: string) => (await shell(engine, id, script)).stdout.trim()
const gatewayOf = (engine: Engine, id: string) =>
  said(engine, id, "ip route | sed -n 's/^default via \\([0-9.]*\\).*/\\1/p'")
const addressOf = (engine: Engine, id: string) =>
  said(engine, id, "ip -4 addr show eth0 | sed -n 's/.*inet \\([0-9.]*\\).*/\\1/p'")

async function listen(t: string) {
  const server = createServer((socket) => socket.on('error', () => {}).end(`${t}\n`)).listen(0, '0.0.0.0')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

onEveryEngine('egress reaches what the host reaches, and without it there is only a loopback interface', async ({ engine }) => {
  const host = await listen('the host')
  try {
    const [out, none] = [await startContainer(engine, { network: 'egress' }), await startContainer(engine)]
    const gateway = await gatewayOf(engine, out)
    assert.match(gateway, /^\d+\.\d+\.\d+\.\d+$/)
    const ask = `nc -w 5 ${gateway} ${host.port} </dev/null`
    assert.equal(await said(engine, out, ask), 'the host')
    assert.equal(await said(engine, none, ask), '')
    assert.equal(await said(engine, none, 'cd /sys/class/net; ls -d *'), 'lo')
  } finally {
    host.close()
  }
}) // prettier-ignore

onEveryEngine('egress is one network for one container, and goes with it', async ({ engine }) => {
  const ids = await Promise.all([1, 2].map(() => startContainer(engine, { network: 'egress' })))
  const addresses = await Promise.all(ids.map((id) => addressOf(engine, id)))
  const networks = addresses.map((address) => address.split('.').slice(0, 3).join('.'))
  assert.equal(new Set(networks).size, 2, addresses.join())
  for (const id of ids) await engine.remove(id)
  // a network without its container would be listed
  assert.deepEqual(await engine.list(), [])
})

/** Docker keeps networks apart by rules that it makes itself, unless it is told to make none */
const keepsApart = (dialect: string) =>
  dialect === 'podman' || spawnSync('iptables', ['-S', 'DOCKER-ISOLATION-STAGE-1']).status === 0

onEveryEngine('containers with egress do not reach one another', async ({ engine, dialect }) => {
  if (!keepsApart(dialect)) return
  const ids = [await startContainer(engine, { network: 'egress' }), await startContainer(engine, { network: 'egress' })]
  const [one = '', other = ''] = ids
  const listener = await engine.exec(execTemplate(other, ['/bin/sh', '-c', 'while :; do echo here | nc -l -p 7777; done']))
  listener.drain()
  const ask = `nc -w 3 ${await addressOf(engine, other)} 7777 </dev/null`
  const isThere = async () => (await said(engine, other, ask)) === 'here'
  await until(isThere)
  assert.equal(await said(engine, one, ask), '')
  await until(isThere)
  listener.leave()
}) // prettier-ignore
