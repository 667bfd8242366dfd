// F02 to F04: the platform's name resolves to nothing, or to a forbidden address. The resolver is the test's own, the rest is real.
import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Upstream } from '../../src/platform/port.ts'
import type { Event } from '../../src/events.ts'
import { createPlatform } from '../../src/platform/client.ts'
import { createAddressLookup, type Resolve } from '../../src/platform/call/address-lookup.ts'
import { Problem } from '../../src/problems.ts'
import { page } from '../support/example-routes.ts'
import { answerOf, respond, startRawPlatform } from '../support/raw-platform.ts'
import { privateKey } from '../support/service.ts'
import { readContext } from '../platform/read-context.ts'

const healthy = respond(answerOf(JSON.stringify(page.healthy)))
const read = { target: page.read, accept: 'application/json', given: new Map<string, string>() }

const addressOf = (address: string): LookupAddress => ({ address, family: isIP(address) })
const here: Resolve = async () => [addressOf('127.0.0.1')]

interface Named {
  readonly resolve: Resolve
  readonly connectMs?: number
  readonly privateAddresses?: boolean
}

async function startNamed(t: TestContext, { resolve, connectMs = 2_000, privateAddresses = true }: Named) {
  const target = await startRawPlatform(healthy)
  const events: Event[] = []
  const platform = createPlatform({
    baseUrl: target.url.replace('127.0.0.1', 'platform.example'),
    connectMs,
    headersMs: 5_000,
    idleMs: 5_000,
    totalMs: 20_000,
    concurrency: 6,
    privateAddresses,
    resolve,
    now: Date.now,
    observe: (event) => events.push(event),
  })
  t.after(() => platform.close().then(target.close))
  const line = platform.bind({ keyId: 'KEY0000001', key: privateKey }, 'acme')
  return { target, line, events, calls: () => events.filter(({ kind }) => kind === 'called').length }
}

/** sends a request with its own deadline, as a facade request does */
async function ask({ get }: Upstream, deadlineMs = 5_000): Promise<unknown> {
  const patience = new AbortController()
  const deadline = setTimeout(() => patience.abort(new DOMException('deadline', 'TimeoutError')), deadlineMs)
  try {
    const context = readContext({ signal: patience.signal, endsAt: performance.now() + deadlineMs })
    return (await get(read, context)).take()
  } catch (error) {
    if (error instanceof Problem) return [error.row.status, error.row.type, error.code]
    throw error
  } finally {
    clearTimeout(deadline)
  }
}

const unresolved =
  (code: string): Resolve =>
  async () => {
    throw Object.assign(new Error(`getaddrinfo ${code}`), { code, syscall: 'getaddrinfo' })
  }

for (const [code, resolve] of Object.entries<Resolve>({
  ENOTFOUND: unresolved('ENOTFOUND'),
  EAI_AGAIN: unresolved('EAI_AGAIN'),
  'no address at all': async () => [],
}))
  test(`F02: the name never resolves: ${code}`, { timeout: 30_000 }, async (t) => {
    let current = resolve
    let asked = 0
    const { line, calls, target } = await startNamed(t, {
      resolve: (host) => {
        asked++
        return current(host)
      },
    })
    const startedAt = performance.now()
    assert.deepEqual(await ask(line), [503, 'upstream_error', 'upstream_unavailable'])
    assert.ok(performance.now() - startedAt < 2_000)
    assert.equal(calls(), 3)
    assert.equal(target.connections, 0)
    current = here
    assert.deepEqual(await ask(line), page.healthy, 'that it failed is not believed afterwards')
    assert.ok(asked >= 2)
  })

test('F02: the name does not resolve, once', async (t) => {
  let asked = 0
  const { line, calls } = await startNamed(t, {
    resolve: (host) => (asked++ === 0 ? unresolved('EAI_AGAIN') : here)(host),
  })
  assert.deepEqual(await ask(line), page.healthy)
  assert.deepEqual([calls(), asked], [2, 2])
})

test('F02: a resolved name is cached for five seconds and then resolved again', async () => {
  let [asked, nowMs] = [0, 0]
  const lookup = createAddressLookup({
    privateAddresses: true,
    steady: () => nowMs,
    resolve: async () => [addressOf(`192.0.2.${++asked}`)],
  })
  const look = () => new Promise((ok) => lookup('platform.example', {}, (_error, address) => ok(address)))
  assert.deepEqual(await Promise.all([look(), look()]), ['192.0.2.1', '192.0.2.1'])
  nowMs = 4_999
  assert.equal(await look(), '192.0.2.1')
  nowMs = 5_000
  assert.equal(await look(), '192.0.2.2')
})

test('F03: the resolver hangs: 504 at the connect timeout, and other names still resolve', async (t) => {
  let release = (_addresses: LookupAddress[]) => {}
  let asked = 0
  const stuck = await startNamed(t, {
    connectMs: 200,
    resolve: () => {
      asked++
      return new Promise((ok) => (release = ok))
    },
  })
  const well = await startNamed(t, { resolve: here })
  const startedAt = performance.now()
  const late = Promise.all(Array.from({ length: 4 }, () => ask(stuck.line, 10_000)))
  await sleep(50)
  for (let i = 0; i < 8; i++) assert.deepEqual(await ask(well.line), page.healthy)
  for (const answer of await late) assert.deepEqual(answer, [504, 'upstream_error', 'upstream_timeout'])
  assert.ok(performance.now() - startedAt < 8_000)
  assert.equal(stuck.calls(), 3)
  assert.equal(asked, 1, 'one question for all, so that one thread hangs')
  assert.equal(stuck.target.connections, 0)
  release([addressOf('127.0.0.1')])
  assert.deepEqual(await ask(stuck.line), page.healthy)
})

test('F03: the resolver hangs beyond the deadline', async (t) => {
  let release = (_addresses: LookupAddress[]) => {}
  const stuck = await startNamed(t, { resolve: () => new Promise((ok) => (release = ok)) })
  assert.deepEqual(await ask(stuck.line, 300), [504, 'upstream_error', 'upstream_timeout'])
  release([addressOf('127.0.0.1')])
  assert.deepEqual(await ask(stuck.line), page.healthy)
})

const inside = [
  '127.0.0.1',
  '127.0.0.53',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.169.254',
  '169.254.170.2',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '192.0.0.192',
  '198.18.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::127.0.0.1',
  '::a9fe:a9fe',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:a00:1',
  '0:0:0:0:0:ffff:c0a8:0101',
  '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%lo',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
]

/** how many connections the process has tried to open, to any address */
async function countConnects(act: () => Promise<void>): Promise<number> {
  let connects = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'TCPCONNECTWRAP') connects++
    },
  }).enable()
  await act()
  hook.disable()
  return connects
}

for (const address of inside)
  test(`F04: the name resolves to an internal address, ${address}`, async (t) => {
    const { line, calls } = await startNamed(t, {
      privateAddresses: false,
      resolve: async () => [addressOf(address)],
    })
    assert.notEqual(isIP(address), 0)
    const connects = await countConnects(async () => {
      assert.deepEqual(await ask(line), [502, 'upstream_error', 'upstream_failed'])
    })
    assert.equal(connects, 0)
    assert.equal(calls(), 1)
  })

test('F04: the name may resolve to an internal address if the settings allow it', async (t) => {
  const { line, target } = await startNamed(t, { resolve: here })
  const connects = await countConnects(async () => {
    assert.deepEqual(await ask(line), page.healthy)
  })
  assert.deepEqual([connects, target.connections], [1, 1], 'connects are counted')
})

test('F04: of several addresses only public ones are connected to', async () => {
  const resolve: Resolve = async () => ['10.0.0.1', '192.0.2.1', '::1', '2a00:1450::1'].map(addressOf)
  const lookup = createAddressLookup({ privateAddresses: false, steady: () => 0, resolve })
  assert.deepEqual(
    await new Promise((ok) => lookup('platform.example', { all: true }, (_error, addresses) => ok(addresses))),
    [addressOf('192.0.2.1'), addressOf('2a00:1450::1')],
  )
  assert.equal(await new Promise((ok) => lookup('platform.example', {}, (_error, address) => ok(address))), '192.0.2.1')
})
