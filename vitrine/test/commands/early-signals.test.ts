// Signals before the service is ready, and hang-ups while it runs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { makeInstallation } from '../stored-connections/program.ts'
import { startProgram } from '../support/process.ts'

/** a service that waits for a database which takes connections and never says a word */
async function startWaiting(t: TestContext) {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const { port } = silent.address() as AddressInfo
  const installation = await makeInstallation('http://127.0.0.1:9', { store: `postgres://v@127.0.0.1:${port}/v` })
  t.after(() => installation.close())
  const child = installation.launch('serve')
  const ended = once(child, 'exit')
  await once(silent, 'connection')
  return { child, ended }
}

test('a service that is stopped before it serves exits with status 0', async (t) => {
  const { child, ended } = await startWaiting(t)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test('a hang-up before a service serves does not end it', async (t) => {
  const { child, ended } = await startWaiting(t)
  child.kill('SIGHUP')
  // what ends it is the database
  assert.deepEqual(await ended, [1, null])
})

test('SIGHUP while a service stops cuts no request', async (t) => {
  const { child } = await startProgram(t, { stdio: 'ignore', env: { VITRINE_DRAIN_SECONDS: '1' } })
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setInterval(() => child.kill('SIGHUP'), 50)
  assert.deepEqual(await ended, [0, null])
  clearInterval(timer)
})
