import assert from 'node:assert/strict'
import test from 'node:test'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { createAnswerMemory, type Reserved } from '../../src/platform/call/answer-memory.ts'
import { startScripted } from '../support/service.ts'
import { until } from '../../../base/test/until.ts'

const usual = 64 * 1024
const busy = { code: 'too_busy' }

function open(usuals: number, patienceMs = 50) {
  const shed: unknown[] = []
  const room = createAnswerMemory({ most: usuals * usual, patienceMs, observe: (event) => shed.push(event) })
  return { room, shed }
}

test('calls wait for answer memory in order, and hold none while they wait', async () => {
  const { room } = open(2, 5_000)
  const [a, b] = [await room.enter(), await room.enter()]
  const order: string[] = []
  const wait = async (name: string) => {
    const held = await room.enter()
    order.push(name)
    return held
  }
  const [c, d] = [wait('c'), wait('d')]
  assert.equal(room.bytes(), 2 * usual)
  a.free()
  await c
  assert.deepEqual(order, ['c'])
  b.free()
  ;(await d).free()
  ;(await c).free()
  assert.deepEqual([order, room.bytes()], [['c', 'd'], 0])
})

test('a call that finds no memory in time is rejected, and those behind it go on', async () => {
  const { room, shed } = open(1)
  const first = await room.enter()
  await assert.rejects(async () => room.enter(), busy)
  assert.deepEqual(shed, [{ kind: 'shed', reason: 'memory' }])
  first.free()
  ;(await room.enter()).free()
  assert.equal(room.bytes(), 0)
})

test('answers that together outgrow the limit are rejected, and never wait for each other', async () => {
  const { room } = open(4)
  const all = await Promise.all(Array.from({ length: 4 }, async (): Promise<Reserved> => room.enter()))
  assert.deepEqual(
    all.map((held) => held.add(usual)),
    [true, true, true, true],
    'what it has from its beginning',
  )
  const [one, two] = all as [Reserved, Reserved]
  assert.equal(one.add(1), false)
  one.free()
  assert.equal(two.add(usual), true)
  assert.equal(two.add(1), false)
  for (const held of all) held.free()
  for (const held of all) held.free()
  assert.equal(room.bytes(), 0)
})

const mebibyte = 1024 * 1024
/** a page whose one item is as large as that */
const pageOf = (bytes: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      data: [{ type: 'apps', id: '1', attributes: { name: 'x'.repeat(bytes), bundleId: 'a.b', sku: 's' } }],
      links: { self: 'x' },
    }),
  )

async function startLarge(coding?: 'gzip') {
  const begun: ServerResponse[] = []
  const [plain, packed] = [pageOf(3 * mebibyte), gzipSync(pageOf(3 * mebibyte))]
  const { service, platform, close } = await startScripted(() => {}, {
    file: {
      limits: { answerMegabytes: 16 },
      upstream: { concurrency: 64, timeoutMs: 20_000 },
    },
  })
  platform.script = (_, res) => {
    begun.push(res)
    res.writeHead(200, { 'content-type': 'application/json', ...(coding && { 'content-encoding': coding }) })
    // all but its end
    res.write(coding ? packed.subarray(0, -1) : plain.subarray(0, -1))
  }
  const end = () => begun.splice(0).forEach((res) => res.end(coding ? packed.subarray(-1) : plain.subarray(-1)))
  const ask = (i: number) => service.ask(`/v1/connections/${['acme', 'other', 'solo'][i % 3]}/apps?limit=${i + 1}`)
  return { begun, end, ask, close }
}

test('large simultaneous answers of many connections stay within the memory setting; the others are 503', async (t) => {
  const { begun, end, ask, close } = await startLarge()
  t.after(close)
  const settled: number[] = []
  const asking = Array.from({ length: 12 }, async (_, i) => {
    const answer = await ask(i)
    settled.push(answer.status)
    return answer
  })
  await until(() => settled.length >= 7)
  assert.deepEqual(new Set(settled), new Set([503]))
  end()
  const answers = await Promise.all(asking)
  const refused = answers.filter(({ status }) => status === 503)
  for (const { headers, json } of refused)
    assert.deepEqual([json.error.code, json.error.type, headers['retry-after']], ['too_busy', 'overloaded', '1'])
  // five of 3 MiB fit into 16 MiB, beside what the others reserve at their start
  const read = answers.filter(({ status }) => status === 200).length
  assert.ok(read >= 3 && read <= 5, `${read} were read`)
  assert.equal(read + refused.length, 12)
  const later = ask(20)
  await until(() => begun.length > 0)
  end()
  assert.equal((await later).status, 200, 'what was held is given back')
})

test('an answer is counted by its decompressed size', async (t) => {
  const { begun, end, ask, close } = await startLarge('gzip')
  t.after(close)
  const asking = Array.from({ length: 12 }, (_, i) => ask(i))
  await until(() => begun.length === 12)
  end()
  const statuses = (await Promise.all(asking)).map(({ status }) => status)
  // few are unpacked at once, and each leaves when it is parsed
  for (const status of statuses) assert.ok(status === 200 || status === 503)
  assert.ok(statuses.includes(200))
})
