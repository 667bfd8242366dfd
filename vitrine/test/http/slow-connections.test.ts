// Callers who hold sockets for as long as they can, while others go on. ENDURANCE=full has 5,000 of them; bench/floods.mjs
// measures the service in a process of its own.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import test, { suite } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestFrom, manyAddresses, connectFrom, until } from '../../../base/test/callers.ts'
import { page } from '../support/example-routes.ts'
import { pagePath, type RawService, startRaw } from '../support/raw-service.ts'
import { send } from '../support/scripted-platform.ts'
import { sized } from '../secrets/random.ts'

const [here, neighbour, elsewhere] = ['127.0.0.1', '127.0.0.9', '127.0.7.1']

/** asks from two networks until it is stopped, and returns the statuses */
function askOn({ service }: RawService) {
  const state = { goesOn: true }
  const statuses: number[] = []
  const each = async (from: string) => {
    while (state.goesOn) {
      const path = `${pagePath}?limit=${1 + (statuses.length % 200)}`
      const { status } = await requestFrom(service.port, from, { key: service.key, path })
      statuses.push(status)
      await sleep(20)
    }
  }
  const all = Promise.all([neighbour, elsewhere].map(each))
  return async () => {
    state.goesOn = false
    await all
    return statuses
  }
}

async function untilClosed({ open }: RawService, mostMs: number): Promise<number> {
  const begunAt = performance.now()
  while ((await open()) > 0 && performance.now() - begunAt < mostMs) await sleep(50)
  return performance.now() - begunAt
}

suite('callers who hold sockets', { concurrency: sized(false, true) }, () => {
  for (const connectionsPerAddress of [0, 100])
    test(
      `F182: callers who send byte by byte are disconnected in time and delay no other, ${connectionsPerAddress || 'no'} sockets at most`,
      { ...manyAddresses, timeout: 60_000 },
      async (t) => {
        const count = sized(5_000, 400)
        const raw = await startRaw(t, { file: { limits: { connectionsPerAddress } } })
        const sockets: Socket[] = []
        const one = () => connectFrom(raw.service.port, here, 'GET / HTTP/1.1\r\nX: ')
        while (sockets.length < count) sockets.push(...(await Promise.all(Array.from({ length: 100 }, one))))
        const most = connectionsPerAddress || count
        const late = () => raw.service.events.filter((one) => one.kind === 'refused' && one.code === 'request_timeout')
        await until('the service has taken them', async () => (await raw.open()) + late().length >= most)
        assert.ok((await raw.open()) <= most)
        const drops = setInterval(() => sockets.forEach((one) => one.destroyed || one.write('s')), 200)
        t.after(() => clearInterval(drops))
        const stop = askOn(raw)
        while (sockets.some((one) => !one.destroyed)) await sleep(50)
        const statuses = await stop()
        assert.ok(statuses.length > 20)
        assert.deepEqual(new Set(statuses), new Set([200]))
        assert.ok((await untilClosed(raw, 5_000)) < 5_000)
        if (connectionsPerAddress === 0) assert.equal(late().length, count)
        // a valid caller took the place of one
        else assert.ok(late().length <= most && late().length > most / 2, `${late().length} of ${most}`)
      },
    )

  test('F181: a caller who stops reading is disconnected within ten seconds', { timeout: 30_000 }, async (t) => {
    const raw = await startRaw(t)
    const { service, platform, get } = raw
    const text = 'n'.repeat(1_000)
    const items = Array.from({ length: 200 }, (_, i) => ({ type: 'apps', id: `${i}`, attributes: { name: text } }))
    const document = JSON.stringify({ data: items, links: {} })
    platform.script = (_, res) => send(res, document)
    // 18 MB of answers to each: more than all the buffers in between
    const bytes = Array.from({ length: 90 }, () => get('/v1/connections/acme/apps?limit=200')).join('')
    const deaf = Array.from({ length: 6 }, () => {
      const socket = connect({ port: service.port, host: '127.0.0.1' })
      socket.on('error', () => {})
      socket.pause().write(bytes)
      return socket
    })
    const told = () => raw.service.events.filter(({ kind }) => kind === 'answered').length
    await until('each caller has as much as its socket takes', () => told() > 6 * 10)
    assert.equal(await raw.open(), 6)
    platform.script = (_, res) => send(res, page.healthy)
    const stop = askOn(raw)
    const begunAt = performance.now()
    while ((await raw.open()) > 4 && performance.now() - begunAt < 15_000) await sleep(50)
    const tookMs = performance.now() - begunAt
    assert.deepEqual(new Set(await stop()), new Set([200]))
    assert.ok((await untilClosed(raw, 3_000)) < 3_000)
    assert.ok(tookMs < 14_000, `${tookMs} ms`)
    for (const socket of deaf) socket.destroy()
  })
})

test('F184: sockets opened and closed in a loop leave nothing behind', { timeout: 60_000 }, async (t) => {
  const raw = await startRaw(t, { file: { limits: { connectionsPerAddress: 50 } } })
  const stop = askOn(raw)
  const count = sized(20_000, 1_500)
  for (let i = 0; i < count; i++) {
    const says = ['', 'GET', raw.get('/healthz'), '\0\0\r\n\r\n'][i % 4] ?? ''
    const socket = await connectFrom(raw.service.port, here, says)
    if (i % 3 === 0) socket.resetAndDestroy()
    else if (i % 3 === 1) socket.end()
    else socket.destroy()
  }
  const statuses = await stop()
  assert.ok(statuses.length > 5)
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.ok((await untilClosed(raw, 9_000)) < 9_000)
  assert.ok(!raw.service.events.some(({ kind }) => kind === 'failed'))
})
