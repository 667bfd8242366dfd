import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import test from 'node:test'
import { EngineClient, refusalOf } from '../../src/engine/client.ts'
import { createEngine } from '../../src/engine/create-engine.ts'
import { labels } from '../../src/engine/link.ts'
import { EngineError } from '../../src/engine/port.ts'
import { execTemplate, onEveryEngine, run, startContainer } from '../engines.ts'
import { listen, proxyTo } from './proxy.ts'

const fault = (name: string) => (error: unknown) => error instanceof EngineError && error.fault === name

onEveryEngine('a connection that is cut in the middle proves no end, and the next call works', async (at) => {
  const id = await startContainer(at.engine)
  const wire = await proxyTo(at.socket)
  const engine = createEngine({ socket: wire.socket, instance: at.instance, runtime: null })
  // the end of the connection looks like the end of the output, and only the exit code tells
  for (const input of [false, true]) {
    const exec = await engine.exec(execTemplate(id, ['sh', '-c', 'echo first; sleep 3; exit 5'], { input }))
    const text: string[] = []
    for await (const { data } of exec.output) {
      text.push(data.toString())
      wire.cut()
    }
    assert.deepEqual(text, ['first\n'])
    assert.equal(await exec.exitCode(100), undefined)
    assert.equal(await exec.exitCode(15_000), 5)
  }
  const events = await engine.events(new AbortController().signal)
  const next = events[Symbol.asyncIterator]().next()
  wire.cut()
  await assert.rejects(next, fault('unavailable'))
  assert.equal((await run(engine, id, ['echo', 'again'])).stdout, 'again\n')
  wire.close()
  await assert.rejects(engine.ping(), fault('unavailable'))
  engine.close()
})

test('a socket that is not there, or says nothing, or nonsense, is an error of ours', { timeout: 20_000 }, async () => {
  const absent = createEngine({ socket: '/nowhere/socket', instance: 'a', runtime: null })
  for (const work of [absent.ping(), absent.info(), absent.list(), absent.start('ct_1')])
    await assert.rejects(work, fault('unavailable'))

  const silent = await listen((near) => near.pause())
  const client = new EngineClient(silent.socket)
  const startedAt = performance.now()
  await assert.rejects(client.call({ method: 'GET', path: '/x', timeoutMs: 200 }), fault('timeout'))
  await assert.rejects(client.stream({ method: 'POST', path: '/x', body: {}, timeoutMs: 200 }), fault('timeout'))
  await assert.rejects(client.upgrade({ method: 'POST', path: '/x', body: {}, timeoutMs: 200 }), fault('timeout'))
  const endless = Readable.from(Array.from({ length: 1000 }, () => Buffer.alloc(65_536)))
  await assert.rejects(client.upload({ method: 'PUT', path: '/x', timeoutMs: 200 }, endless), fault('timeout'))
  assert.equal(endless.destroyed, true)
  assert.ok(performance.now() - startedAt < 3000)
  client.close()
  silent.close()

  const nonsense = await listen((near) => near.end('SSH-2.0-x\r\n'))
  const engine = createEngine({ socket: nonsense.socket, instance: 'a', runtime: null })
  await assert.rejects(engine.ping(), fault('unavailable'))
  engine.close()
  nonsense.close()
})

test('a reply that is cut, or is no JSON, is an error; a kept connection that was closed is opened again', async () => {
  let answer = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a"'
  let isKept = false
  const server = await listen((near) => {
    near.once('data', () => {
      near.write(answer)
      if (!isKept) near.end()
      else near.once('data', () => near.destroy())
    })
  })
  const engine = createEngine({ socket: server.socket, instance: 'a', runtime: null })
  await assert.rejects(engine.list(), fault('unavailable'))
  answer = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwords'
  await assert.rejects(engine.list(), fault('failed'))
  isKept = true
  await engine.ping()
  await engine.ping()
  engine.close()
  server.close()
})

test('the size of a volume is asked again if a container went meanwhile, and at last it is read', async () => {
  let failures = 2
  const mount = { Type: 'volume', Name: 'v', Destination: '/v' }
  const listed = [{ Id: 'e', Labels: { [labels.id]: 'ct_1' }, SizeRw: 1, Mounts: [mount] }]
  const http = createServer(({ url }, res) => {
    if (url?.includes('/e/archive?path=%2Fv')) return res.end(Buffer.alloc(1_024))
    if (url?.endsWith('/version') || url?.endsWith('/info')) return res.end('{"Version":"20.10"}')
    if (!url?.includes('/system/df')) return res.end(JSON.stringify(listed))
    if (failures-- > 0) return res.writeHead(500).end('{"message":"no such container"}')
    return res.end('{"Volumes":[{"Name":"v","UsageData":{"Size":41}}]}')
  })
  const server = await listen((near) => void http.emit('connection', near))
  const engine = createEngine({ socket: server.socket, instance: 'a', runtime: null })
  assert.deepEqual([...(await engine.sizes())], [['ct_1', 42]])
  failures = 3
  assert.deepEqual([...(await engine.sizes())], [['ct_1', 1_025]])
  assert.equal(failures, 0)
  engine.close()
  server.close()
})

test('an engine’s words are in the cause of an error alone', async () => {
  const words = '/var/lib/secret: device on fire'
  const text = JSON.stringify({ message: words })
  const server = await listen((near) =>
    near.on('data', () => near.write(`HTTP/1.1 500 No\r\nContent-Length: ${text.length}\r\n\r\n${text}`)),
  )
  const engine = createEngine({ socket: server.socket, instance: 'a', runtime: null })
  const error = await engine.list().catch((error: unknown) => error)
  assert.ok(error instanceof EngineError)
  assert.deepEqual([error.message, error.fault], ['engine: failed', 'failed'])
  assert.match(String(error.cause), /on fire/)
  assert.doesNotMatch(JSON.stringify(error), /fire/)
  engine.close()
  server.close()
})

test('an instance that cannot be a name in the engine is refused', () => {
  for (const instance of ['', 'A', 'a/b', 'a b', '-a', 'a..b', 'a:b', 'ü'])
    assert.throws(() => createEngine({ socket: '/s', instance, runtime: null }), TypeError, instance)
})

test('a lack of disk space, user namespaces or ids for them is the fault no_space', () => {
  for (const text of [
    'OCI runtime create failed: unable to start container process: fork/exec /proc/self/exe: no space left on device',
    'creating container storage: could not find enough available IDs',
  ])
    assert.equal(refusalOf({ status: 500, headers: {}, text }).fault, 'no_space', text)
  assert.equal(refusalOf({ status: 500, headers: {}, text: 'no such image' }).fault, 'failed')
})
