import assert from 'node:assert/strict'
import test from 'node:test'
import { startOverSandbox } from '../support/service.ts'
import { agentOverHttp, agentOverStdio, type Agent, revisions } from './scene.ts'

/** the calls of an agent that knows nothing of the account */
async function answer({ call }: Agent): Promise<string[]> {
  const found = await call('find_operations', { query: 'which of my apps have a screenshot feedback from this week' })
  const [feedback] = found.said.rows
  assert.equal(feedback.operation, 'listBetaFeedbackSubmissions')
  assert.deepEqual(feedback.needs, { appId: 'listApps' })
  assert.deepEqual(found.said.connections, ['acme', 'other', 'solo'])
  const connection = 'acme'
  const apps = await call('read_all', { operation: feedback.needs.appId, connection, params: { fields: ['name'] } })
  assert.equal(apps.said.complete, true)
  const names = new Map<string, string>(apps.said.rows.map((app: any) => [app.id, app.name]))
  const weekAgo = new Date(Date.parse(found.said.now) - 7 * 24 * 3_600_000).toISOString()
  const sent = await call('read_all', {
    operation: feedback.operation,
    connection,
    params: { appId: [...names.keys()], fields: ['createdDate'] },
    since: { field: 'createdDate', at: weekAgo },
  })
  assert.equal(sent.said.complete, true)
  assert.deepEqual(sent.said.of, { parameter: 'appId', values: 24, done: 24 })
  return [...new Set<string>(sent.said.rows.map((row: any) => names.get(row.appId)))]
}

const expected = ['Fjordwalk', '月の暦', 'Vesper Sleep']

for (const revision of revisions) {
  test(`over HTTP an agent of the ${revision} protocol finds in 4 calls which apps have feedback from this week`, async (t) => {
    const { service, close } = await startOverSandbox()
    t.after(close)
    const agent = await agentOverHttp(t, service, revision)
    assert.deepEqual(await answer(agent), expected)
    assert.ok(agent.calls() <= 4)
  })

  test(`over stdio an agent of the ${revision} protocol finds in 4 calls which apps have feedback from this week`, async (t) => {
    const { service, close } = await startOverSandbox()
    t.after(close)
    const agent = await agentOverStdio(t, service, { revision })
    assert.deepEqual(await answer(agent), expected)
    assert.ok(agent.calls() <= 4)
    assert.equal(agent.errors(), '')
  })
}

test('old feedback of a large app does not fill the answer, and costs one page and one row', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  const agent = await agentOverHttp(t, service)
  const { said } = await agent.call('read_all', {
    operation: 'listBetaFeedbackSubmissions',
    connection: 'acme',
    params: { appId: '6446998001' },
    since: { field: 'createdDate', at: '2026-10-01' },
  })
  assert.deepEqual([said.complete, said.rows], [true, []])
  // the second one reads the other end of the list, where undated rows would be
  assert.equal(sandbox.asked.length, 2)
})

test('dates are compared as points in time, in every form and offset of the platform', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const agent = await agentOverHttp(t, service)
  const params = { appId: '6446998001', fields: ['createdDate'] }
  const ask = async (at: string) => {
    const call = { operation: 'listBetaFeedbackSubmissions', connection: 'acme', params }
    const { said } = await agent.call('read_all', { ...call, since: { field: 'createdDate', at } })
    return said.rows.map((row: any) => row.createdDate)
  }
  const all = await ask('2026-01-01')
  assert.equal(all.length, 64)
  const third: string = all[2]
  const instant = Date.parse(third)
  assert.equal((await ask(new Date(instant).toISOString())).length, 3)
  assert.equal((await ask(new Date(instant + 1).toISOString())).length, 2)
  assert.equal((await ask(`${new Date(instant - 7 * 3_600_000).toISOString().slice(0, 23)}-07:00`)).length, 3)
})
