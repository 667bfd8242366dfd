// What a connection in use keeps in memory beyond its reads: thousands of them must stay small, and near each other in the cache
// of the processor.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPlatform } from '../../src/platform/client.ts'
import { answerOf, respond, startRawPlatform } from '../support/raw-platform.ts'
import { readContext } from './read-context.ts'

const mostBytes = 30_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('a connection that was read takes less than 30 kB, both ends of its socket included', async (t) => {
  const target = await startRawPlatform(respond(answerOf('{"data":[]}')))
  const platform = createPlatform({
    baseUrl: target.url,
    connectMs: 10_000,
    headersMs: 20_000,
    idleMs: 20_000,
    totalMs: 30_000,
    concurrency: 6,
    privateAddresses: false,
    now: Date.now,
    observe: () => {},
  })
  t.after(() => platform.close().then(target.close))
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const read = async (name: string) => {
    const upstream = platform.bind({ keyId: name, issuerId: 'issuer', key: privateKey }, name)
    await upstream.get({ target: '/v1/apps', accept: 'application/json', given: new Map() }, readContext())
    return upstream
  }
  const kept: unknown[] = []
  const readAll = async (prefix: string, count: number) => {
    for (let number = 0; number < count; number++) kept.push(await read(`${prefix}${number}`))
    await sleep(20)
    collect()
    return process.memoryUsage().heapUsed
  }
  const [before, count] = [await readAll('first', 50), 200]
  const bytes = ((await readAll('more', count)) - before) / count
  t.diagnostic(`${Math.round(bytes)} bytes for each`)
  assert.ok(bytes > 1_000 && bytes < mostBytes, `${Math.round(bytes)} bytes for each of ${kept.length}`)
})
