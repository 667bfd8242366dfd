import assert from 'node:assert/strict'
import test from 'node:test'
import { all, failureOf, openClient, tooMany } from './scene.ts'

test('a creation whose answer is lost is repeated with the same key, and makes one container', async (t) => {
  const { atelier, sent, engine } = await openClient(t, { trouble: (nth) => (nth === 1 ? 'after' : undefined) })
  const made = await atelier.createContainer({ image: 'base' })
  assert.equal(made.status, 'running')
  const keys = sent.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 2)
  assert.match(keys[0] ?? '', /^[\w-]{36}$/)
  assert.equal(keys[0], keys[1])
  assert.equal(engine.containers.size, 1)
})

test('two creations have two keys, and the caller may give one', async (t) => {
  const { atelier, sent } = await openClient(t)
  const body = { image: 'base', limits: { memoryMiB: 64 } }
  await atelier.createContainer(body)
  await atelier.createContainer(body)
  const [first, second] = sent.map(({ headers }) => headers['idempotency-key'])
  assert.notEqual(first, second)
  const once = await atelier.createContainer(body, { idempotencyKey: 'mine' })
  const again = await atelier.createContainer(body, { idempotencyKey: 'mine' })
  assert.equal(once.id, again.id)
})

test('a command whose answer is lost is not run a second time', async (t) => {
  const { atelier, sent } = await openClient(t, { trouble: (nth) => (nth === 2 ? 'after' : undefined) })
  const { id } = await atelier.createContainer({ image: 'base' })
  const lost = await failureOf(atelier.runCommand({ containerId: id, command: ['say', 'x'] }))
  assert.deepEqual([lost.type, lost.status], ['unreachable', 0])
  assert.equal(sent.length, 2)
})

test('a command that was refused by a rate is sent again', async (t) => {
  const { atelier, sent } = await openClient(t, { trouble: (nth) => (nth === 2 || nth === 4 ? tooMany() : undefined) })
  const { id } = await atelier.createContainer({ image: 'base' })
  assert.equal((await atelier.runCommand({ containerId: id, command: ['say', 'x'] })).stdout, 'x')
  const events = await all(atelier.runCommandStream({ containerId: id, command: ['say', 'y'] }))
  assert.equal(events.at(-1)?.type, 'exit')
  assert.equal(sent.length, 5)
})

test('a session whose secret key the service makes is asked for once; with an own key it is repeated', async (t) => {
  const { atelier, sent } = await openClient(t, { trouble: () => 'before' })
  await failureOf(atelier.createSshSession({ containerId: 'ct_x' }))
  assert.equal(sent.length, 1)
  await failureOf(atelier.createSshSession({ containerId: 'ct_x', publicKey: 'ssh-ed25519 AAAA' }, { retries: 1 }))
  assert.equal(sent.length, 3)
})

test('reads and deletions are repeated while the service cannot be reached, as often as was said', async (t) => {
  const { atelier, sent } = await openClient(t, { trouble: (nth) => (nth <= 2 ? 'before' : undefined) })
  assert.deepEqual((await atelier.listContainers()).items, [])
  assert.equal(sent.length, 3)
  const lost = await failureOf(atelier.deleteContainer({ id: 'ct_none' }, { retries: 5 }))
  assert.equal(lost.type, 'container_not_found')
  assert.equal(sent.length, 4)
})

test('content that can be sent again is, and a stream is not', async (t) => {
  const { atelier, sent } = await openClient(t, { trouble: () => 'before', retries: 1 })
  const place = { containerId: 'ct_x', path: '/x' }
  await failureOf(atelier.putFile(place, 'text'))
  assert.equal(sent.length, 2)
  await failureOf(atelier.putFile({ ...place, sizeBytes: 1 }, new Blob(['x']).stream()))
  assert.equal(sent.length, 3)
  await failureOf(atelier.putFile({ ...place, ifAbsent: true }, 'text'))
  assert.equal(sent.length, 4)
})

test('an answer of another program is never taken for one of the service', async (t) => {
  const moved = new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } })
  const { atelier, key, sent } = await openClient(t, {
    retries: 0,
    trouble: (nth) => [moved, new Response('<html>atl_secret</html>', { status: 200 })][nth - 1],
  })
  const away = await failureOf(atelier.readSubscription())
  assert.deepEqual([away.type, away.code], ['unexpected_answer', 'redirected'])
  const page = await failureOf(atelier.readSubscription())
  assert.equal(page.type, 'unexpected_answer')
  assert.ok(!`${away.message}${page.message}`.includes(key))
  assert.equal(sent.length, 2)
})

test('without an answer in time the call fails with a deadline that names the last failure', async (t) => {
  const silent = () => new Promise<Response>(() => {})
  const { atelier } = await openClient(t, { fetch: silent, timeoutMs: 50 })
  const late = await failureOf(atelier.readSubscription())
  assert.deepEqual([late.type, late.retryable], ['deadline', true])
})
