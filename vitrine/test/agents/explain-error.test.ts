import assert from 'node:assert/strict'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { problems } from '../../src/problems.ts'
import { startOverSandbox } from '../support/service.ts'
import { agentOverHttp, startAgent } from './scene.ts'

/** the types of the contract, of the service and of the client */
const types = [
  'invalid_query',
  'unauthorized',
  'forbidden',
  'upstream_forbidden',
  'resource_not_found',
  'localization_not_found',
  'ambiguous_selection',
  'rate_limited',
  'upstream_error',
  'method_not_allowed',
  'overloaded',
  'internal_error',
  'invalid_request',
  'conflict',
  'bad_request',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
  'unreachable',
  'deadline',
  'unexpected_answer',
  'too_many_items',
]

test('every error type and code is explained, and its docUrl leads to a page in HTML and in Markdown', async (t) => {
  const { call, service } = await startAgent(t)
  const codes = ['redirected', 'cursor_repeated', 'interrupted', ...Object.keys(problems)]
  for (const code of new Set([...types, ...codes])) {
    const { isError, said } = await call('explain_error', { code })
    assert.equal(isError, false, code)
    assert.ok(said.summary.length > 10 && said.cure.length > 10, code)
    assert.equal(said.docUrl, `${service.url}/errors/${code}`)
    const page = await fetch(said.docUrl)
    assert.equal(page.status, 200, code)
    assert.ok((await page.text()).includes(`<h1><code>${code}</code></h1>`))
    const markdown = await fetch(`${said.docUrl}.md`)
    assert.match(await markdown.text(), new RegExp(`^# ${code}\n`), code)
  }
})

test('an error type lists its codes, and an unknown type or code is refused', async (t) => {
  const { call, service } = await startAgent(t)
  const { said } = await call('explain_error', { code: 'rate_limited' })
  const wanted = [
    'key_rate_limited',
    'key_budget_spent',
    'upstream_rate_limited',
    'too_many_failures',
    'operator_locked_out',
  ]
  assert.deepEqual([said.type, said.codes, said.retryable], ['rate_limited', wanted, true])
  for (const code of ['rate_limitd', '__proto__', 'constructor', ''])
    assert.equal((await call('explain_error', { code })).said.error.code, 'value_not_allowed', code)
  assert.equal((await fetch(`${service.url}/errors/constructor`)).status, 404)
})

test('docUrl has the host by which the caller reached the service', async (t) => {
  const { service } = await startAgent(t)
  const ask = async (headers: Record<string, string>) => {
    const params = { name: 'explain_error', arguments: { code: 'nothing' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const head = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const authorization = `Bearer ${service.key}`
    const options = {
      port: service.port,
      path: '/mcp',
      method: 'POST',
      headers: { authorization, ...head, ...headers },
    }
    const answer: any = await new Promise((ok) => void request(options, ok).end(body))
    return JSON.parse(await text(answer)).result.structuredContent.error.docUrl
  }
  assert.equal(await ask({ host: 'localhost:1' }), 'http://localhost:1/errors/value_not_allowed')
  assert.equal(
    await ask({ host: 'localhost:1', 'x-forwarded-proto': 'https' }),
    'https://localhost:1/errors/value_not_allowed',
  )
})

test('docUrl starts with the public address from the settings, if there is one', async (t) => {
  const { service, close } = await startOverSandbox({ file: { publicUrl: 'https://vitrine.example' } })
  t.after(close)
  const { call } = await agentOverHttp(t, service)
  const { said } = await call('read', { operation: 'listApps', connection: 'none' })
  assert.equal(said.error.docUrl, 'https://vitrine.example/errors/connection_not_found')
})
