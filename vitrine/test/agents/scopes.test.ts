import assert from 'node:assert/strict'
import test from 'node:test'
import { startOverSandbox, tester } from '../support/service.ts'
import { type Agent, agentOverHttp, agentOverStdio } from './scene.ts'

for (const name of ['HTTP', 'stdio'] as const) {
  const open: (...given: Parameters<typeof agentOverStdio>) => Promise<Agent & { errors?: () => string }> =
    name === 'HTTP' ? (t, service) => agentOverHttp(t, service) : agentOverStdio

  test(`over ${name} an agent sees only what its key may read, and the service refuses the rest`, async (t) => {
    const { service, sandbox, close } = await startOverSandbox()
    t.after(close)
    const key = await service.issue({ connections: ['acme'], groups: ['apps'] })
    const { call } = await open(t, { url: service.url, key })
    const found = await call('find_operations')
    assert.deepEqual(found.said.connections, ['acme'])
    assert.deepEqual(
      found.said.rows.map(({ operation }: any) => operation),
      [
        'listApps',
        'listTerritoryAgeRatings',
        'listAppVersionIds',
        'getApp',
        'listAppVersions',
        'listAppInfos',
        'listEncryptionDeclarations',
        'listReviewSubmissions',
        'listWebhookDeliveries',
      ],
    )
    assert.ok(!(await call('find_operations', { query: 'tester feedback' })).text.includes('BetaFeedback'))

    const [feedback, params] = ['listBetaFeedbackSubmissions', { appId: '6446998001' }]
    const refusals = [
      await call('describe_operation', { operation: feedback }),
      await call('read', { operation: feedback, params }),
      await call('read_all', { operation: feedback, params }),
    ]
    for (const { isError, said } of refusals) {
      assert.deepEqual(
        [isError, said.error.code, said.error.details],
        [true, 'group_not_granted', { group: 'feedback' }],
      )
      assert.equal(said.rows?.length ?? 0, 0)
    }
    const [absent, foreign] = await Promise.all(
      ['none', 'other'].map((connection) => call('read', { operation: 'listApps', connection })),
    )
    assert.equal(foreign?.said.error.code, 'connection_not_found')
    assert.equal(foreign?.said.error.message, absent?.said.error.message)
    assert.deepEqual(sandbox.asked, [], 'nothing of that has reached the platform')

    const apps = await call('read', { operation: 'listApps', params: { limit: 1 } })
    assert.deepEqual(
      [apps.said.connection, apps.said.rows.length],
      ['acme', 1],
      'the only connection need not be named',
    )
  })

  test(`over ${name} a revoked key reads nothing, and no answer or log line holds its secret`, async (t) => {
    const { service, close } = await startOverSandbox()
    t.after(close)
    const key = await service.issue()
    const { call, errors = () => '' } = await open(t, { url: service.url, key })
    const before = await call('find_operations')
    await service.running.keys.revoke(key.split('_')[2] ?? '', tester)
    const after = await call('read', { operation: 'listApps', connection: 'acme' }).catch((error: Error) => error)
    const told = after instanceof Error ? after.message : after.text
    assert.match(told, name === 'stdio' ? /key_invalid/ : /401|key_invalid|nauthorized/i)
    const secret = key.split('_')[3] ?? ''
    for (const text of [told, before.text, errors(), JSON.stringify(service.events)])
      for (let at = 0; at + 12 <= secret.length; at++) assert.ok(!text.includes(secret.slice(at, at + 12)))
  })
}

test('each read inside a tool call counts against the rate limit of the key, and is logged and audited by itself', async (t) => {
  const { service, close } = await startOverSandbox({ file: { audit: { reads: true } } })
  t.after(close)
  const key = await service.issue({ perMinute: 8 })
  const { call } = await agentOverHttp(t, { url: service.url, key }, 'new')
  service.events.length = 0
  const appId = Array.from({ length: 10 }, (_, i) => `64469980${String(i + 1).padStart(2, '0')}`)
  const { isError, said } = await call('read_all', {
    operation: 'listBetaFeedbackSubmissions',
    connection: 'acme',
    params: { appId, fields: ['locale'], limit: 200 },
  })
  assert.deepEqual([isError, said.error.code, said.error.retryable], [true, 'key_rate_limited', true])
  assert.ok(said.error.retryAfterSec >= 1)
  assert.ok(said.of.done > 0 && said.of.done < 8)
  assert.equal(said.goOn.params.appId.length, 10 - said.of.done)
  const answered = service.events.filter((event) => event.kind === 'answered')
  const outer = answered.filter(({ operation }) => operation === 'mcp')
  assert.deepEqual([outer.length, outer[0]?.method, outer[0]?.platformCalls], [1, 'POST', 0])
  const inner = answered.filter(({ operation }) => operation !== 'mcp')
  const reads = inner.filter(({ status }) => status === 200)
  assert.ok(reads.length >= said.of.done && reads.length < 8)
  for (const { operation, connection, platformCalls, method } of reads)
    assert.deepEqual([operation, connection, platformCalls, method], ['listBetaFeedbackSubmissions', 'acme', 1, 'GET'])
  const refused = inner.filter(({ code }) => code === 'key_rate_limited')
  assert.ok(refused.some(({ requestId, status }) => requestId === said.error.requestId && status === 429))
  assert.equal(new Set(answered.map(({ requestId }) => requestId)).size, answered.length)
})
