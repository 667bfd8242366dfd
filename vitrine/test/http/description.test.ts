import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import examples from '../../src/derive/examples.json' with { type: 'json' }
import { problems } from '../../src/problems.ts'
import { startOverSandbox } from '../support/service.ts'

test('the description is valid OpenAPI 3.1 to an independent validator, without a warning', () => {
  const out = execFileSync(
    '../node_modules/.bin/redocly',
    ['lint', '--config', '.redocly.yaml', '--format', 'json', 'docs/reference/openapi.json'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  assert.deepEqual(JSON.parse(String(out)).totals, { errors: 0, warnings: 0, ignored: 0 })
})

test('the service serves the description, version 0.1.0, with every operation and the scheme facadeKey', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const { json } = await service.ask('/openapi.json', { key: undefined })
  assert.match(json.openapi, /^3\.1\./)
  assert.equal(json.info.version, '0.1.0')
  assert.deepEqual(
    [json.components.securitySchemes.facadeKey.type, json.components.securitySchemes.facadeKey.scheme],
    ['http', 'bearer'],
  )
  for (const { operation, path, reviewed, from } of routes) {
    const { get } = json.paths[`/v1/connections/{connectionId}${path}`]
    assert.equal(get.operationId, operation)
    assert.deepEqual(get['x-reviewed'], {
      platformVersion: reviewed.version,
      endpoint: `GET ${from.read}`,
      date: reviewed.date,
      ...(reviewed.hash !== undefined && { hash: reviewed.hash }),
    })
    if (operation in examples)
      assert.ok(get.responses[200].content['application/json'].example, `${operation} has no example`)
    for (const status of [400, 401, 403, 404, 429, 502, 503, 504])
      assert.ok(get.responses[status], `${operation} ${status}`)
    assert.equal(409 in get.responses, path.includes('{locale}'), operation)
  }
})

test('every problem that a caller can meet is documented under its status', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const { responses } = (await service.ask('/openapi.json')).json.components
  const shown = new Set(
    Object.values<any>(responses).flatMap((r) => Object.keys(r.content['application/json'].examples ?? {})),
  )
  const ofAnyRequest = [405, 408, 413, 414, 417, 431, 505]
  for (const [code, { status, operator = false, agents = false }] of Object.entries(problems))
    assert.equal(shown.has(code), !ofAnyRequest.includes(status) && !operator && !agents, code)
})

test('every problem has a page that says what to do', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  for (const [code, { status }] of Object.entries(problems)) {
    const { status: got, text, headers } = await service.ask(`/errors/${code}`, { key: undefined })
    assert.equal(got, 200)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.ok(text.includes(code) && text.includes('What to do') && text.includes(String(status)), code)
  }
  assert.equal((await service.ask('/errors/nonsense')).status, 404)
  assert.equal((await service.ask('/errors/constructor')).status, 404)
})
