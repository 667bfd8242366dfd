// The service over an engine in memory whose containers have relays, and a target that a name leads to.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { residentPath } from '../../src/engine/resident.ts'
import { openUsedRig } from '../service-rig.ts'
import { FakeRelay } from './fake-relay.ts'
import { openDns, openHttpTarget } from './targets.ts'

export async function openEgress(t: TestContext, settings: Record<string, unknown> = {}) {
  const target = await openHttpTarget(t)
  const dns = await openDns(t, ['127.0.0.1'])
  const egressProxy = {
    hosts: ['*.example.com'],
    ports: [target.port],
    resolvers: [dns.at],
    allowedNetworks: ['127.0.0.0/8'],
    ...settings,
  }
  const used = await openUsedRig(t, { settings: { egressProxy } })
  const relays: FakeRelay[] = []
  used.engine.relay = ({ argv, user }) => {
    assert.deepEqual([argv, user], [[residentPath, 'relay'], '1000:1000'])
    const relay = new FakeRelay()
    relays.push(relay)
    return relay.channel
  }
  const get = (host: string) => `GET http://${host}:${target.port}/ HTTP/1.1\r\nHost: ${host}:${target.port}\r\nConnection: close\r\n\r\n` // prettier-ignore
  return { ...used, target, relays, get }
}
