import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createPools, type PooledClient, type Receiver, type SocketPool } from '../../src/platform/call/pools.ts'
import { until } from '../../../base/test/until.ts'

/** a receiver that ends with the text of the answer */
class Reader implements Receiver {
  pooled: PooledClient | undefined = undefined
  isKeptAlive = false
  isOver = false
  readonly #pool: SocketPool
  readonly #parts: Buffer[] = []
  readonly #told: PromiseWithResolvers<string> = Promise.withResolvers()

  constructor(pool: SocketPool) {
    this.#pool = pool
  }

  get text(): Promise<string> {
    return this.#told.promise
  }

  #end(isWhole: boolean): boolean {
    const wasOver = this.isOver
    this.isOver = true
    if (!wasOver) this.#pool.leave(this, isWhole)
    return !wasOver
  }

  fail(error: unknown) {
    if (this.#end(false)) this.#told.reject(error)
  }

  onRequestStart() {}

  onResponseStart() {}

  onResponseData(_: unknown, part: Buffer) {
    this.#parts.push(part)
  }

  onResponseEnd() {
    if (this.#end(true)) this.#told.resolve(Buffer.concat(this.#parts).toString())
  }

  onResponseError(_: unknown, error: Error) {
    this.fail(error)
  }
}

function begin(pool: SocketPool, path: string): Reader {
  const reader = new Reader(pool)
  pool.send({ method: 'GET', path }, reader)
  return reader
}

const read = (pool: SocketPool, path: string): Promise<string> => begin(pool, path).text

/** `/held` is answered later, everything else with the number of its socket */
async function scene(t: TestContext, concurrency: number, keepAliveMs = 60_000) {
  const held: ServerResponse[] = []
  const sockets: Socket[] = []
  const server = createServer(({ url, socket }, response) => {
    if (!sockets.includes(socket)) sockets.push(socket)
    if (url === '/held') held.push(response)
    else response.end(String(sockets.indexOf(socket)))
  }).listen(0, '127.0.0.1')
  // 0: it does not tell
  server.keepAliveTimeout = keepAliveMs
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pools = createPools({
    origin: `http://127.0.0.1:${port}`,
    connectMs: 5_000,
    headersMs: 20_000,
    idleMs: 20_000,
    totalMs: 20_000,
    concurrency,
    privateAddresses: false,
    steady: () => performance.now(),
  })
  t.after(() => pools.close())
  await pools.load()
  return { pools, held, sockets, isHolding: (count: number) => until(() => held.length === count) }
}

test('with thousands of connections in use, 2,000 hold sockets, and one with a call in progress keeps its own', async (t) => {
  const { pools, held, sockets, isHolding } = await scene(t, 6)
  const first = pools.create()
  const late = read(first, '/held')
  await isHolding(1)
  const others = Array.from({ length: 2_100 }, () => pools.create())
  for (let from = 0; from < others.length; from += 50)
    await Promise.all(others.slice(from, from + 50).map((pool) => read(pool, '/')))
  const open = () => sockets.filter(({ destroyed }) => !destroyed).length
  await until(() => open() <= 2_000)
  assert.ok(open() > 1_950, `${open()} are kept`)
  // the least recently used one was closed, and opens another socket; the latest one kept its own
  const count = sockets.length
  assert.equal(await read(others.at(-1) as SocketPool, '/'), String(count - 1))
  assert.equal(await read(others[0] as SocketPool, '/'), String(count))
  for (const response of held) response.end('late')
  assert.equal(await late, 'late')
})

test('calls in turn use one socket, the latest one, and calls at once no more than there may be', async (t) => {
  const { pools, held, sockets, isHolding } = await scene(t, 2)
  const pool = pools.create()
  assert.equal(await read(pool, '/'), '0')
  assert.equal(await read(pool, '/'), '0')
  const both = [begin(pool, '/held'), begin(pool, '/held')]
  await isHolding(2)
  const third = begin(pool, '/')
  const left = begin(pool, '/')
  left.fail(new Error('left'))
  await assert.rejects(left.text, /left/)
  assert.equal(third.pooled, undefined, 'the third one waits')
  held[1]?.end('second')
  assert.equal(await both[1]?.text, 'second')
  assert.equal(await third.text, '1')
  held[0]?.end('first')
  assert.equal(await both[0]?.text, 'first')
  assert.equal(await read(pool, '/'), '0', 'the latest one that was used')
  assert.equal(sockets.length, 2)
})

test('a socket whose call failed is closed, and another connection keeps its own', async (t) => {
  const { pools, sockets, isHolding } = await scene(t, 1)
  const [pool, other] = [pools.create(), pools.create()]
  const reader = begin(pool, '/held')
  await isHolding(1)
  assert.equal(await read(other, '/'), '1')
  const waiting = begin(pool, '/')
  reader.fail(new Error('over'))
  await assert.rejects(reader.text, /over/)
  assert.equal(await waiting.text, '2')
  await until(() => sockets[0]?.destroyed === true)
  assert.equal(await read(other, '/'), '1')
})

test('a pool that is closed begins no call', async (t) => {
  const { pools, sockets, isHolding } = await scene(t, 1)
  const pool = pools.create()
  const reader = begin(pool, '/held')
  await isHolding(1)
  const waiting = begin(pool, '/')
  const rejected = [assert.rejects(reader.text), assert.rejects(waiting.text, { code: 'stopping' })]
  await pools.close()
  await Promise.all(rejected)
  assert.throws(() => begin(pool, '/'), { code: 'stopping' })
  assert.equal(sockets.length, 1)
})

test('an idle socket is kept for half a minute if the platform does not say for how long', async (t) => {
  const { pools } = await scene(t, 6, 0)
  const pool = pools.create()
  assert.equal(await read(pool, '/'), '0')
  // longer than undici keeps it by itself
  await setTimeout(6_000)
  assert.equal(await read(pool, '/'), '0')
})
