import assert from 'node:assert/strict'
import test from 'node:test'
import { Atelier, AtelierError } from '../../client/atelier.ts'
import { until } from '../../../base/test/until.ts'
import { all, failureOf, openClient } from './scene.ts'

test('a container is created, found, used and deleted by methods of the operations', async (t) => {
  const { atelier } = await openClient(t)
  const made = await atelier.createContainer({
    image: 'base',
    name: 'job',
    labels: { team: 'a' },
    ttlSeconds: undefined,
  })
  assert.equal(made.status, 'running')
  assert.match(made.requestId, /^req_/)
  assert.ok(!JSON.stringify(made).includes('requestId'))
  const ran = await atelier.runCommand({ containerId: made.id, command: ['say', 'hello'] })
  assert.deepEqual([ran.stdout, ran.exitCode], ['hello', 0])
  const { items } = await atelier.listContainers({ label: ['team=a'], status: ['running', 'exited'] })
  assert.deepEqual(
    items.map(({ name }) => name),
    ['job'],
  )
  assert.equal((await atelier.deleteContainer({ id: made.id, graceSeconds: 0 })).status, 'deleted')
  assert.equal((await atelier.readSubscription()).current.usage.containers, 0)
})

test('a list is read page by page when it is iterated, and its first page when it is awaited', async (t) => {
  const { atelier, sent } = await openClient(t, { rig: { settings: { limits: { containers: 10 } } } })
  for (let i = 0; i < 5; i++) await atelier.createContainer({ image: 'base', limits: { cpu: 0.1, memoryMiB: 64 } })
  const found = await all(atelier.listContainers({ limit: 2 }))
  assert.equal(new Set(found.map(({ id }) => id)).size, 5)
  assert.equal(sent.filter(({ method }) => method === 'GET').length, 3)
  const { items, nextCursor } = await atelier.listContainers({ limit: 2 })
  assert.equal(items.length, 2)
  assert.equal(typeof nextCursor, 'string')
})

test('the output of a command comes as events, and leaving the loop ends the command', async (t) => {
  const { atelier, engine } = await openClient(t)
  const { id } = await atelier.createContainer({ image: 'base' })
  const events = await all(atelier.runCommandStream({ containerId: id, command: ['say', 'hello'] }))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['start', 'stdout', 'exit'],
  )
  for await (const event of atelier.runCommandStream({ containerId: id, command: ['hang'] })) {
    assert.equal(event.type, 'start')
    break
  }
  await until(() => engine.commandsOf(id).length === 0)
})

test('an aborted signal rejects with its own reason, and ends the command', async (t) => {
  const { atelier, engine } = await openClient(t)
  const { id } = await atelier.createContainer({ image: 'base' })
  const stop = new AbortController()
  const reason = new Error('enough')
  const work = atelier.runCommand({ containerId: id, command: ['hang'] }, { signal: stop.signal })
  const failed = failureOf(work)
  await until(() => engine.commandsOf(id).length === 1)
  stop.abort(reason)
  assert.equal(await failed, reason)
  const streamed = failureOf(
    all(atelier.runCommandStream({ containerId: id, command: ['hang'] }, { signal: AbortSignal.abort(reason) })),
  )
  assert.equal(await streamed, reason)
  await until(() => engine.commandsOf(id).length === 0)
})

test('a refusal is an error with type, status, request id and details', async (t) => {
  const { atelier, key, service } = await openClient(t)
  const lost = await failureOf(atelier.deleteContainer({ id: 'ct_none' }))
  assert.ok(lost instanceof AtelierError)
  assert.deepEqual([lost.type, lost.status, lost.retryable], ['container_not_found', 404, false])
  assert.match(lost.requestId, /^req_/)
  const wrong = await failureOf(atelier.createContainer({ image: 'base', limits: { cpu: 99 } }))
  assert.equal(wrong.details.field, 'limits.cpu')
  const { id } = await atelier.createContainer({ image: 'base' })
  const missing = await failureOf(all(atelier.runCommandStream({ containerId: id, command: ['missing'] })))
  assert.deepEqual([missing.type, missing.details.reason], ['exec_start_failed', 'not_found'])
  const stranger = new Atelier({ url: service.url, key: `${key.slice(0, -1)}x` })
  assert.equal((await failureOf(stranger.listContainers())).type, 'unauthorized')
})

test('a detached command answers with its id, and the types say so', async (t) => {
  const { atelier } = await openClient(t)
  const { id } = await atelier.createContainer({ image: 'base' })
  const detached = await atelier.runCommand({ containerId: id, command: ['say', 'x'], detach: true })
  assert.match(detached.execId, /^ex_/)
  // @ts-expect-error nothing of it is known yet
  assert.equal(detached.exitCode, undefined)
  // @ts-expect-error there is no such member
  const failed = await failureOf(atelier.createContainer({ image: 'base', memory: 5 }))
  assert.equal(failed.type, 'invalid_request')
})

test('options that would send the key astray, or cannot be kept, are refused before anything is sent', () => {
  const key = 'atl_x'
  for (const url of [
    'http://example.org',
    'ftp://127.0.0.1',
    'http://me:pass@127.0.0.1',
    'nonsense',
    'http://127.0.0.1/?a',
  ])
    assert.throws(
      () => new Atelier({ url, key }),
      (error: Error) => !error.message.includes('pass'),
      url,
    )
  assert.throws(
    () => new Atelier({ url: 'http://127.0.0.1', key: 'a b' }),
    (error: Error) => !error.message.includes('a b'),
  )
  assert.throws(() => new Atelier({ url: 'http://127.0.0.1', key, timeoutMs: 0 }), /timeoutMs/)
  assert.ok(new Atelier({ url: 'http://example.org', key, insecure: true }))
})
