// Which documents are given to the reader of a page, and who gets what it made of them.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../base/test/until.ts'
import { type PageReader, TextDocument } from '../../src/engine/port.ts'
import type { ReadSharing } from '../../src/platform/client.ts'
import type { ReadContext } from '../../src/platform/port.ts'
import { refuse, type Script, send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { openPlatform } from './open-platform.ts'
import { readContext } from './read-context.ts'

const document = { data: [{ type: 'apps', id: '1' }], links: { self: 'x' } }
const makeReader = (): PageReader => () => ({
  items: [],
  values: 1,
  end: { next: undefined, namesMore: false, total: undefined, count: 1 },
})

type Confirm = NonNullable<ReadContext['onArrival']>

/** as with Redis, where a document waits for what `onArrival` returns */
const confirming = (onArrival: Confirm): ReadSharing => ({
  of: () => (_name, _context, make) => make(readContext({ onArrival })),
  breakerNewsOf: () => ({ answeredAt: () => Number.NEGATIVE_INFINITY, tell: () => {} }),
})

type Options = Parameters<typeof openPlatform>[2]

async function open(
  t: TestContext,
  onArrival?: Confirm,
  script: Script = (_, res) => send(res, document),
  more: Options = {},
) {
  const platform = await startScriptedPlatform(script)
  const client = openPlatform(t, platform.url, { ...(onArrival && { leases: () => confirming(onArrival) }), ...more })
  t.after(() => platform.close())
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const upstream = client.bind({ keyId: 'K', issuerId: 'I', key }, 'a', 'identity')
  return async (reader?: PageReader) => {
    const read = { target: '/v1/apps', accept: 'application/json', given: new Map(), ...(reader && { reader }) }
    return (await upstream.get(read, readContext())).take()
  }
}

test('a document is given to the reader of its read, and is whole for others who share the call', async (t) => {
  const get = await open(t)
  const [first, second] = [makeReader(), makeReader()]
  const [own, shared, parsed] = await Promise.all([get(first), get(second), get()])
  assert.ok(own instanceof TextDocument)
  assert.equal(own.reader, first)
  for (const other of [shared, parsed]) {
    assert.equal(other, own)
    assert.deepEqual(JSON.parse(JSON.stringify(other)), document)
  }
})

test('a document whose reader fails is parsed', async (t) => {
  const get = await open(t)
  const failing = () => {
    throw new TypeError('a defect')
  }
  assert.deepEqual(await get(failing), document)
})

test('a document waits as bytes until its arrival is confirmed', async (t) => {
  const confirmed = Promise.withResolvers<void>()
  const seen: string[] = []
  const get = await open(t, () => {
    seen.push('arrived')
    return confirmed.promise
  })
  const makePage = makeReader()
  const reading = get((...given) => {
    seen.push('read')
    return makePage(...given)
  })
  await until(() => seen.length > 0)
  await sleep(50)
  assert.deepEqual(seen, ['arrived'])
  confirmed.resolve()
  assert.ok((await reading) instanceof TextDocument)
  assert.deepEqual(seen, ['arrived', 'read'])
})

test('the time until its arrival is confirmed is not the time of the platform', async (t) => {
  let nowMs = 0
  const durations: number[] = []
  const confirm = async () => void (nowMs += 5_000)
  const get = await open(t, confirm, undefined, {
    steady: () => nowMs,
    observe: (event) => void (event.kind === 'called' && durations.push(event.durationMs)),
  })
  await get(makeReader())
  assert.deepEqual(durations, [0])
})

test('only a whole document has arrived', async (t) => {
  let [arrivals, calls] = [0, 0]
  const confirm = async () => void arrivals++
  const refused = await open(t, confirm, (_, res) => refuse(res, 404, 'NOT_FOUND'))
  await assert.rejects(refused(makeReader()), { code: 'resource_not_found' })
  assert.equal(arrivals, 0)
  const broken = await open(t, confirm, (_, res) => {
    if (++calls > 1) return send(res, document)
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    return void res.write('{', () => res.destroy())
  })
  assert.ok((await broken(makeReader())) instanceof TextDocument)
  assert.deepEqual([arrivals, calls], [1, 2])
})
