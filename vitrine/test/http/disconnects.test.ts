import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import test from 'node:test'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

const settle = (ms: number) => new Promise((ok) => setTimeout(ok, ms))

test('F180: when a caller disconnects, the platform call is aborted and the log has the request with its cost', async (t) => {
  const ended: string[] = []
  const { service, platform, close } = await startScripted((_, res) => void res.once('close', () => ended.push('call')))
  t.after(close)
  const req = request(`${service.url}/v1/connections/acme/apps`, {
    headers: { authorization: `Bearer ${service.key}` },
    agent: false,
  })
  req.on('error', () => {})
  req.end()
  while (platform.calls.length === 0) await settle(5)
  req.destroy()
  for (let i = 0; i < 600 && !(ended.length > 0 && service.events.some(({ kind }) => kind === 'answered')); i++)
    await settle(5)
  const told = service.events.find((event) => event.kind === 'answered')
  assert.deepEqual([told?.status, told?.operation, told?.platformCalls], [499, 'listApps', 1])
  assert.deepEqual(ended, ['call'])
})

test('F168: requests in progress finish while the service stops', async () => {
  let release: () => void = () => {}
  const { service, platform, close } = await startScripted((_, res) => {
    release = () => send(res, { data: [], links: {} })
  })
  const asked = service.ask('/apps')
  while (platform.calls.length === 0) await settle(5)
  const closed = close()
  await settle(50)
  release()
  assert.deepEqual((await asked).json, { items: [], nextCursor: null })
  await closed
})

test('a stopping service completes an answer that a slow reader has begun to read', async () => {
  const comment = 'x'.repeat(3_000_000)
  const item = { type: 'betaFeedbackScreenshotSubmissions', id: 'f1', attributes: { comment } }
  const { service, close } = await startScripted((_, res) => send(res, { data: [item], links: {} }))
  const req = request(`${service.url}/v1/connections/acme/apps/a1/beta-feedback-screenshot-submissions`, {
    headers: { authorization: `Bearer ${service.key}` },
    agent: false,
  })
  req.end()
  const [res] = await once(req, 'response')
  await settle(100)
  const closed = close()
  await settle(200)
  let text = ''
  for await (const part of res) text += part
  assert.equal(JSON.parse(text).items[0].comment.length, comment.length)
  await closed
})

test('while the service stops, it is not ready and every answer closes its socket', async () => {
  const { service, platform } = await startScripted((_, res) => send(res, { data: [], links: {} }))
  const closed = service.running.close({ graceMs: 300 })
  const ready = await service.ask('/readyz')
  assert.deepEqual([ready.status, ready.json.error.code], [503, 'stopping'])
  const last = await service.ask('/apps')
  assert.deepEqual([last.status, last.headers['connection']], [200, 'close'])
  await closed
  await platform.close()
})

test('half a request does not delay the end of a stopping service', async () => {
  const { service, close } = await startScripted((_, res) => send(res, { data: [], links: {} }))
  const half = connect(service.port, '127.0.0.1')
  half.on('error', () => {})
  await once(half, 'connect')
  half.write('GET /hea')
  await settle(50)
  const outcome = await Promise.race([close().then(() => 'closed'), settle(4_000).then(() => 'held')])
  half.destroy()
  assert.equal(outcome, 'closed')
})

test('a pipelined request has the full platform timeout, as if it were alone', { timeout: 20_000 }, async (t) => {
  const { service, close } = await startScripted(
    (_, res) => void setTimeout(() => send(res, { data: [], links: {} }), 6_500),
    { file: { upstream: { timeoutMs: 9_000 } } },
  )
  t.after(close)
  const socket = connect(service.port, '127.0.0.1')
  const auth = `Authorization: Bearer ${service.key}`
  socket.write(
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/connections/acme/apps HTTP/1.1\r\nHost: localhost\r\n${auth}\r\nConnection: close\r\n\r\n`,
  )
  let text = ''
  for await (const part of socket) text += part
  assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2)
})

test('answers on a keep-alive socket leave no listeners behind', async (t) => {
  const { service, close } = await startScripted((_, res) => send(res, { data: [], links: {} }))
  t.after(close)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const warnings: string[] = []
  const listen = (warning: Error) => void warnings.push(warning.name)
  process.on('warning', listen)
  for (let i = 0; i < 40; i++) {
    const req = request(`${service.url}/v1/connections/acme/apps`, {
      agent,
      headers: { authorization: `Bearer ${service.key}` },
    })
    req.end()
    const [res] = await once(req, 'response')
    res.resume()
    await once(res, 'end')
  }
  agent.destroy()
  process.off('warning', listen)
  assert.deepEqual(warnings, [])
})
