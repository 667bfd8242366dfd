import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, makePair, masterKeys, operatorToken } from '../stored-connections/program.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { codes } from '../support/caching-service.ts'
import { startReplicas } from '../support/replicas.ts'
import { type Call, send } from '../support/scripted-platform.ts'
import { until } from '../../../base/test/until.ts'

const skip = noPostgres || noRedis
/** longer than a found connection is cached */
const knownMs = 700

const account = { keyId: 'FIRST', issuerId: 'issuer', privateKey: makePair().pem, check: false }
const replacement = { keyId: 'SECOND', issuerId: 'issuer', privateKey: makePair().pem, check: false }
const path = `/v1/connections/c${codes}`

function signerOf({ headers }: Call): string {
  const token = String(headers.authorization).replace(/^Bearer /, '')
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}

/** a platform that answers with the id of the signing key: what waits at a `release`, or everything from `open` on */
async function scene(t: TestContext, cacheSeconds: number) {
  const waiting: (() => void)[] = []
  let isOpen = false
  const replicas = await startReplicas(
    t,
    (call, res) => {
      const attributes = { name: signerOf(call) }
      const answer = () => send(res, { data: [{ type: 'subscriptionOfferCodes', id: 'o1', attributes }], links: {} })
      if (isOpen) answer()
      else waiting.push(answer)
    },
    {
      file: { operatorListen: '127.0.0.1:0', cacheSeconds },
      secrets: { operatorToken, masterKeys: masterKeys('k1') },
    },
  )
  const act = (replica: number, method: string, at: string, body?: object) =>
    ask(replicas.services[replica]?.operatorUrl ?? '', `/operator/v1${at}`, operatorToken, {
      method,
      ...(body && { body }),
    })
  const read = async (replica: number) => {
    const { status, json } = await replicas.askOne(replica, path)
    return status === 200 ? String(json.items[0].name) : status
  }
  const asked = (count: number) => until(() => replicas.platform.calls.length === count)
  const release = () => waiting.splice(0).forEach((answer) => answer())
  const open = () => {
    isOpen = true
    release()
  }
  return { ...replicas, act, read, asked, release, open }
}

test('after a credential was replaced, no read joins a call of the old one or gets its answer', { skip }, async (t) => {
  for (const cacheSeconds of [0, 60]) {
    const { act, read, asked, release, open } = await scene(t, cacheSeconds)
    assert.equal((await act(0, 'POST', '/connections', { id: 'c', ...account })).status, 201)
    const old = read(0)
    await asked(1)
    assert.equal((await act(1, 'POST', '/connections/c/credentials', replacement)).status, 200)
    const fresh = read(1)
    await asked(2)
    release()
    assert.deepEqual([await old, await fresh], ['FIRST', 'SECOND'])
    await sleep(knownMs)
    const later = [read(0), read(1)]
    if (cacheSeconds === 0) {
      await asked(3)
      await sleep(100)
    }
    // a read makes a call of its own where it or Redis is late
    open()
    assert.deepEqual(await Promise.all(later), ['SECOND', 'SECOND'])
  }
})

test('no replica answers from the cache for a removed connection', { skip }, async (t) => {
  const { act, read, asked, release } = await scene(t, 600)
  await act(0, 'POST', '/connections', { id: 'c', ...account })
  const first = read(0)
  await asked(1)
  release()
  assert.deepEqual([await first, await read(1)], ['FIRST', 'FIRST'])
  assert.equal((await act(1, 'DELETE', '/connections/c')).status, 200)
  await sleep(knownMs)
  assert.deepEqual([await read(0), await read(1)], [404, 404])
  // the same credential under the same name is another connection
  await act(0, 'POST', '/connections', { id: 'c', ...account })
  const again = read(1)
  await asked(2)
  release()
  assert.equal(await again, 'FIRST')
})
