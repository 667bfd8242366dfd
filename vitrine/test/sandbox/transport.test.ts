// Bytes and sockets: determinism, compression, connections, the request log, closing.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'

import { signToken, withSandbox } from './sandbox-client.ts'

const reads = [
  '/v1/apps?limit=200&include=appStoreVersions,builds,appInfos,appStoreIcon',
  '/v1/apps/6446998001/betaFeedbackScreenshotSubmissions?limit=200&include=build,tester',
  '/v1/nominations/a1d3c5e7-2b4f-4608-8a9c-0e0000000016?include=supportedTerritories,createdByActor',
  '/v1/winBackOffers/6742001014/prices?limit=3',
  '/v1/nominations/unknown',
]

test('two sandboxes give the same bytes', async () => {
  const runs: string[][] = []
  for (let run = 0; run < 2; run += 1) {
    await withSandbox(async ({ get, sandbox }) => {
      const texts = []
      for (const path of reads) texts.push((await get(path)).text.replaceAll(sandbox.url, 'ORIGIN'))
      runs.push(texts)
    })
  }
  assert.deepEqual(runs[0], runs[1])
})

test('a large answer is compressed for clients that accept it', async () => {
  await withSandbox(async ({ get }) => {
    const zipped = await get('/v1/apps', { 'accept-encoding': 'gzip' })
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    const plain = await get('/v1/apps', { 'accept-encoding': 'identity' })
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(plain.text, zipped.text)
    const small = await get('/v1/nothing', { 'accept-encoding': 'gzip' })
    assert.equal(small.headers.get('content-encoding'), null)
  })
})

function readOnce(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { authorization: `Bearer ${signToken()}` } }, (reply) => {
      reply.resume().on('end', () => resolve(call.reusedSocket))
    })
    call.on('error', reject).end()
  })
}

test('a connection serves one request after another and is closed with the sandbox', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await withSandbox(async ({ sandbox }) => {
    assert.equal(await readOnce(`${sandbox.url}/v1/apps`, agent), false)
    assert.equal(await readOnce(`${sandbox.url}/v1/apps`, agent), true)
  })
  agent.destroy()
})

test('the log keeps the newest thousand requests', async () => {
  await withSandbox(async ({ sandbox }) => {
    const headers = { authorization: `Bearer ${signToken()}` }
    for (let batch = 0; batch < 21; batch += 1) {
      const calls = Array.from({ length: 50 }, () => fetch(`${sandbox.url}/v1/${batch}`, { headers }))
      await Promise.all((await Promise.all(calls)).map((reply) => reply.arrayBuffer()))
    }
    assert.equal(sandbox.asked.length, 1000)
    assert.equal(sandbox.asked[0]?.url, '/v1/1')
    assert.deepEqual(sandbox.asked.at(-1), { method: 'GET', url: '/v1/20', status: 404 })
  })
})

test('closing twice is harmless and frees the address', async () => {
  await withSandbox(async ({ sandbox }) => {
    await sandbox.close()
    await assert.rejects(fetch(sandbox.url), TypeError)
  })
})
