import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import type { Pool } from 'undici'
import { createPools } from '../../src/platform/call/pools.ts'

/** the text of what is answered */
const read = (pool: Pool, path: string): Promise<string> =>
  new Promise((ok, no) => {
    const parts: Buffer[] = []
    pool.dispatch(
      { method: 'GET', path },
      {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: (_, part) => void parts.push(part),
        onResponseEnd: () => ok(Buffer.concat(parts).toString()),
        onResponseError: (_, error) => no(error),
      },
    )
  })

test('with thousands of connections in use, 2,000 hold sockets, and one with a call in progress keeps its own', async (t) => {
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    if (request.url === '/held') held.push(() => response.end('late'))
    else response.end('soon')
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pools = createPools({
    origin: `http://127.0.0.1:${port}`,
    connectMs: 5_000,
    headersMs: 20_000,
    idleMs: 20_000,
    totalMs: 20_000,
    concurrency: 6,
    privateAddresses: false,
    steady: () => performance.now(),
  })
  t.after(() => pools.close())
  const first = {}
  const late = read(await pools.of(first), '/held')
  const owners = Array.from({ length: 2_500 }, () => ({}))
  const opened = await Promise.all(owners.map((owner) => pools.of(owner)))
  assert.equal(opened.filter((pool) => !pool.closed).length, 1_999)
  assert.equal(await read(opened.at(-1) as Pool, '/'), 'soon')
  for (const end of held) end()
  assert.equal(await late, 'late')
  // an owner whose pool was evicted gets another
  assert.notEqual(await pools.of(owners[0] ?? {}), opened[0])
})
