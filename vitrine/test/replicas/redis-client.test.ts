// The Redis client against servers that a test scripts command by command, and against a real one.
import assert from 'node:assert/strict'
import { createServer, Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { redisErrorCode } from '../../../base/redis/redis-client.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { startTcpProxy } from '../../../base/test/tcp-proxy.ts'
import { until } from '../../../base/test/until.ts'
import { connectTo, createClient, listenForTest, startScripted } from '../support/scripted-redis.ts'

const skip = noRedis

const bulk = (text = ''): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

test('commands of all kinds that are sent at once get their own replies', { skip }, async (t) => {
  const { client } = await connectTo(t, redisUrl)
  const bytes = Buffer.from([0, 13, 10, 255, 36])
  const rounds = Array.from({ length: 500 }, (_, n) => [
    client.call('ECHO', `${n} é\r\n`),
    client.callBuffer('ECHO', bytes),
    client.call('GET', 'vitrine:none'),
    client.call('NOSUCH', n).catch(redisErrorCode),
    client.call('EVAL', `return {1, {'a', ARGV[1]}, {}, {err = 'ODD x'}}`, 0, n).then(String),
    client.call('EVALSHA', '0'.repeat(40), 0).catch(redisErrorCode),
  ])
  for (const [n, round] of rounds.entries())
    assert.deepEqual(await Promise.all(round), [
      `${n} é\r\n`,
      bytes,
      null,
      'ERR',
      `1,a,${n},,ReplyError: ODD x`,
      'NOSCRIPT',
    ])
})

test('commands of one turn of the event loop leave in one write', async (t) => {
  const { url, commands } = await startScripted(t, () => '+OK\r\n')
  const { client } = await connectTo(t, url)
  const prototype = Socket.prototype as Required<Socket>
  const [one, many] = [t.mock.method(prototype, '_write').mock, t.mock.method(prototype, '_writev').mock]
  const own = () => [...one.calls, ...many.calls].filter((call) => url.endsWith(`:${(call.this as Socket).remotePort}`))
  await Promise.all(Array.from({ length: 50 }, (_, n) => client.call('GET', n)))
  assert.equal(commands.length, 50)
  assert.equal(own().length, 1)
  await client.call('GET', 'alone')
  assert.equal(own().length, 2)
  await Promise.all([client.call('GET', 'text'), client.call('SET', 'bytes', Buffer.of(255)), client.call('GET', 'é')])
  assert.equal(own().length, 3)
  assert.deepEqual(
    commands.slice(-3).map(([name, key]) => [name, key]),
    [
      ['GET', 'text'],
      ['SET', 'bytes'],
      ['GET', 'é'],
    ],
  )
})

test('the commands of the turn in which the client leaves are still sent', async (t) => {
  const { url, commands } = await startScripted(t, () => undefined)
  for (const isReconnect of [false, true]) {
    const { client } = await connectTo(t, url)
    const last = client.call('DEL', `reconnect ${isReconnect}`)
    client.disconnect(isReconnect)
    await assert.rejects(last, { message: 'Connection is closed.' })
    await until(() => commands.some(([, key]) => key === `reconnect ${isReconnect}`))
  }
})

test('what the network holds up is not delivered once the client leaves for another connection', async (t) => {
  const value = 'x'.repeat(16 * 1024 * 1024)
  let heard = 0
  const { port, sockets } = await listenForTest(
    t,
    createServer((socket) => void socket.on('data', (piece) => (heard += piece.length))),
  )
  const { client } = await connectTo(t, `redis://127.0.0.1:${port}`)
  await until(() => sockets.size === 1)
  const [left] = sockets
  left?.pause()
  const unheard = client.call('SET', 'key', value).catch((error: Error) => error.message)
  await sleep(50)
  let reason = ''
  left?.on('error', (error: NodeJS.ErrnoException) => (reason = error.code ?? ''))
  client.disconnect(true)
  assert.equal(await unheard, 'Connection is closed.')
  left?.resume()
  await until(() => left?.destroyed === true)
  assert.equal(reason, 'ECONNRESET')
  assert.ok(heard < value.length, `${heard} bytes`)
})

test('user, password and database are sent before anything else, as they are', async (t) => {
  const { url, commands } = await startScripted(t, () => '+OK\r\n')
  const address = url.replace('//', '//us%20er:p%40%2F%3A%C3%A9@')
  const { client } = await connectTo(t, `${address}/7`)
  await client.call('PING')
  assert.deepEqual(commands, [['AUTH', 'us er', 'p@/:é'], ['SELECT', '7'], ['PING']])
})

test('a wrong password is an error at each try; a server without a password is used', async (t) => {
  let refusal = '-WRONGPASS invalid username-password pair or user is disabled.\r\n'
  const { url, commands } = await startScripted(t, ([name]) => (name === 'AUTH' ? refusal : '+OK\r\n'))
  const { client, errors } = createClient(t, url.replace('//', '//:secret@'))
  await assert.rejects(client.connect(), { name: 'ReplyError' })
  await assert.rejects(client.call('PING'))
  await until(() => errors.length > 2)
  assert.deepEqual(new Set(errors), new Set(['WRONGPASS']))
  assert.ok(commands.every(([name]) => name === 'AUTH'))
  refusal = '-ERR AUTH <password> called without any password configured for the default user.\r\n'
  await until(() => client.isReady, 5_000)
  assert.equal(await client.call('PING'), 'OK')
})

test('a late reply belongs to the command that waited for it, and to no later one', async (t) => {
  const waiting: (() => void)[] = []
  const { url } = await startScripted(t, ([, text], socket) => {
    waiting.push(() => socket.write(bulk(text)))
    return undefined
  })
  const { client } = await connectTo(t, url)
  const [first, second] = [client.call('ECHO', 'first'), client.call('ECHO', 'second')]
  await until(() => waiting.length === 2)
  const third = client.call('ECHO', 'third')
  for (const reply of waiting.splice(0)) reply()
  await until(() => waiting.length === 1)
  waiting[0]?.()
  assert.deepEqual(await Promise.all([first, second, third]), ['first', 'second', 'third'])
})

test('commands of a connection that breaks are rejected, sent never again, and answered by none', async (t) => {
  let broken = 0
  const { url, commands } = await startScripted(t, ([name, text], socket) => {
    if (name !== 'BREAK') return bulk(text)
    // half a reply is in the parser of the connection that ends
    socket.write('$100\r\nhalf')
    setTimeout(() => socket.resetAndDestroy(), 20)
    return void broken++
  })
  const { client } = await connectTo(t, url)
  for (let round = 1; round <= 3; round++) {
    const again = new Promise<void>((ok) => client.once('ready', ok))
    const under = [client.call('BREAK'), client.call('ECHO', 'old'), client.call('ECHO', 'older')]
    for (const { status } of await Promise.allSettled(under)) assert.equal(status, 'rejected')
    await assert.rejects(client.call('ECHO', 'while it is away'))
    await again
    assert.equal(await client.call('ECHO', `new ${round}`), `new ${round}`)
    assert.equal(broken, round)
  }
  assert.equal(commands.filter(([, text]) => text === 'while it is away').length, 0)
})

test('a network that cannot be reached at all ends no process', async (t) => {
  // connect() fails at once for a broadcast address, in the same turn of the event loop
  const { client, errors } = createClient(t, 'redis://255.255.255.255:6379')
  await assert.rejects(client.connect())
  await until(() => errors.length >= 3, 5_000)
})

for (const protocol of ['redis://:word@', 'rediss://'])
  test(`a server that accepts and never answers is given up in time: ${protocol}`, async (t) => {
    const { port, made } = await listenForTest(t, createServer())
    const { client, errors } = createClient(t, `${protocol}127.0.0.1:${port}`, { connectMs: 100 })
    const from = performance.now()
    await assert.rejects(client.connect(), { code: 'ETIMEDOUT' })
    assert.ok(performance.now() - from < 1_000)
    await until(() => made() >= 3, 5_000)
    assert.deepEqual(new Set(errors), new Set(['ETIMEDOUT']))
  })

test('a server that accepts and closes is tried less and less often', { timeout: 20_000 }, async (t) => {
  const server = createServer((socket) => socket.destroy())
  const { port, made } = await listenForTest(t, server)
  const { client } = createClient(t, `redis://127.0.0.1:${port}`)
  client.connect().catch(() => undefined)
  await sleep(3_000)
  assert.ok(made() >= 3 && made() <= 8, `${made()} connections in three seconds`)
})

test('an error that comes before any command says why the server refuses', async (t) => {
  const server = createServer((socket) => socket.end('-ERR max number of clients reached\r\n'))
  const { port } = await listenForTest(t, server)
  const { client } = createClient(t, `redis://127.0.0.1:${port}`)
  const messages: string[] = []
  client.on('error', ({ message }) => messages.push(message))
  client.connect().catch(() => undefined)
  await until(() => messages.includes('ERR max number of clients reached'))
})

test('what is under way at the end is rejected, and no timer or socket is left', async (t) => {
  const { url, sockets } = await startScripted(t, () => undefined)
  const { client } = await connectTo(t, url)
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const under = Array.from({ length: 10 }, () => client.call('PING'))
  await until(() => sockets.size === 1)
  client.disconnect()
  for (const { status } of await Promise.allSettled(under)) assert.equal(status, 'rejected')
  await assert.rejects(client.call('PING'))
  client.disconnect()
  await until(() => sockets.size === 0)
  assert.ok(timers() <= before)
})

for (const protocol of ['redis', 'rediss'])
  test(`one that is ended while it connects is never ready: ${protocol}`, async (t) => {
    const { port, sockets } = await startScripted(t, () => '+OK\r\n')
    for (const turns of [0, 1, 2, 5]) {
      const { client } = createClient(t, `${protocol}://127.0.0.1:${port}`)
      client.on('ready', () => assert.fail('it is ready'))
      const connecting = client.connect()
      connecting.catch(() => undefined)
      for (let n = 0; n < turns; n++) await Promise.resolve()
      client.disconnect()
      await assert.rejects(connecting)
      assert.equal(client.isReady, false)
    }
    await until(() => sockets.size === 0)
  })

test('a subscriber that loses its connection subscribes again', { skip, timeout: 30_000 }, async (t) => {
  const proxy = await startTcpProxy({ port: Number(new URL(redisUrl).port || 6379) })
  t.after(() => proxy.close())
  const { client } = createClient(t, `redis://127.0.0.1:${proxy.port}`)
  const { client: publisher } = await connectTo(t, redisUrl)
  const channel = `vitrine:${proxy.port}:word`
  const heard: string[] = []
  client.on('message', (from, message) => heard.push(`${from} ${message.toString()}`))
  client.on('ready', () => void client.subscribe(channel).catch(() => undefined))
  await client.connect()
  for (let round = 0; round < 3; round++) {
    await until(async () => (await publisher.call('PUBLISH', channel, `${round} é`)) === 1)
    await until(() => heard.includes(`${channel} ${round} é`))
    proxy.setState('cut')
    await until(() => !client.isReady)
    proxy.setState('whole')
  }
  assert.ok(heard.length >= 3)
})
