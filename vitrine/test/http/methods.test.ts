import assert from 'node:assert/strict'
import test from 'node:test'
import { startOverSandbox } from '../support/service.ts'

test('every method but GET and HEAD is 405 with Allow, on routes and pages', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  for (const path of ['/apps', '/livez', '/healthz', '/openapi.json', '/docs', '/errors'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const { status, headers, json } = await service.ask(path, { method })
      assert.deepEqual(
        [status, headers['allow'], json.error.type],
        [405, 'GET, HEAD', 'method_not_allowed'],
        `${method} ${path}`,
      )
    }
  assert.equal(sandbox.asked.length, 0)
})

test('HEAD is GET without a body, for answers and for errors', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  for (const path of [
    '/apps?limit=1',
    '/apps?nonsense=1',
    '/nothing',
    '/livez',
    '/healthz',
    '/readyz',
    '/',
    '/docs',
    '/openapi.json',
  ]) {
    const [get, head] = [await service.ask(path), await service.ask(path, { method: 'HEAD' })]
    assert.equal(head.status, get.status, path)
    assert.equal(head.text, '')
    assert.equal(head.headers['content-type'], get.headers['content-type'])
    if (!path.startsWith('/apps')) assert.equal(head.headers['content-length'], get.headers['content-length'])
  }
})

test('health and readiness need no key, and readiness fails when the store does', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(() => close().catch(() => {}))
  for (const path of ['/livez', '/healthz'])
    assert.deepEqual((await service.ask(path, { key: undefined })).json, { status: 'ok' })
  assert.deepEqual((await service.ask('/readyz', { key: undefined })).json, { status: 'ready' })
})
