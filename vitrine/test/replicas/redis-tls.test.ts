// The Redis client over TLS: the name it asks for, and the authorities it trusts.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test, { type TestContext } from 'node:test'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { connectTo, createClient, listenForTest } from '../support/scripted-redis.ts'

const skip = noRedis

/** a TLS server in front of the real Redis */
async function startTlsRedis(t: TestContext, host: string) {
  const authority = makeIdentity({ name: `Authority of ${host}` })
  const { cert, key } = makeIdentity({ name: 'Redis', by: authority, host })
  const names: unknown[] = []
  const options = { cert, key: key.export({ type: 'pkcs8', format: 'pem' }) }
  const server = createTlsServer(options, (socket: TLSSocket) => {
    names.push(socket.servername)
    const far = connect(Number(new URL(redisUrl).port || 6379), '127.0.0.1')
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.pipe(socket).pipe(far)
  })
  server.on('tlsClientError', () => undefined)
  const { port } = await listenForTest(t, server)
  return { port, names, trusted: authority.cert }
}

function trust(t: TestContext, certificate: string) {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  t.after(() => setDefaultCACertificates(before))
}

for (const host of ['localhost', '127.0.0.1'])
  test(`over TLS the server must prove that it is ${host}, to an authority that is trusted`, { skip }, async (t) => {
    const { port, names, trusted } = await startTlsRedis(t, host)
    const { client: wary } = createClient(t, `rediss://${host}:${port}`, { reconnects: false })
    await assert.rejects(wary.connect(), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    trust(t, trusted)
    const { client } = await connectTo(t, `rediss://${host}:${port}`)
    const many = 'é\r\n'.repeat(100_000)
    assert.equal(await client.call('ECHO', many), many)
    assert.deepEqual(names.at(-1), host === 'localhost' ? host : false)
    const other = await startTlsRedis(t, 'other.example')
    trust(t, other.trusted)
    const { client: misled } = createClient(t, `rediss://${host}:${other.port}`, { reconnects: false })
    await assert.rejects(misled.connect(), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })
