// Which documents are given to the reader of a page, and who gets what it made of them.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { type PageReader, TextDocument } from '../../src/engine/port.ts'
import type { JoinRead, ReadSharing } from '../../src/platform/client.ts'
import { send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { openPlatform } from './open-platform.ts'
import { readContext } from './read-context.ts'

const document = { data: [{ type: 'apps', id: '1' }], links: { self: 'x' } }
const makeReader = (): PageReader => () => ({
  items: [],
  values: 1,
  end: { next: undefined, namesMore: false, total: undefined, count: 1 },
})

async function open(t: TestContext, leases?: ReadSharing) {
  const platform = await startScriptedPlatform((_, res) => send(res, document))
  const client = openPlatform(t, platform.url, leases && { leases: () => leases })
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

test('a document that other replicas may wait for is parsed', async (t) => {
  const join: JoinRead = (_name, context, make) => make(context)
  const news = { answeredAt: () => Number.NEGATIVE_INFINITY, tell: () => {} }
  const get = await open(t, { of: () => join, breakerNewsOf: () => news })
  assert.deepEqual(await get(makeReader()), document)
})
