import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { readFaultRule } from '../../src/sandbox/sandbox.ts'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'
import { agentOverHttp, feedback, startAgent } from './scene.ts'

const ids = (rows: any[]) => rows.map(({ id }) => id)

test('one page comes with its cursor, and only the last page is complete', async (t) => {
  const { call, acme, service } = await startAgent(t)
  const params = { appId: '6446998001', limit: 40, fields: ['osVersion'] }
  const first = await call('read', { operation: feedback, ...acme, params })
  assert.deepEqual([first.said.complete, first.said.why, first.said.rows.length], [false, 'page', 40])
  assert.match(first.text, /^INCOMPLETE/)
  assert.match(first.said.requestId, /^req_/)
  const { nextCursor: cursor } = first.said
  const second = await call('read', { operation: feedback, ...acme, params: { ...params, cursor } })
  assert.deepEqual([second.said.complete, second.said.nextCursor, second.said.rows.length], [true, null, 24])
  const whole = await service.ask('/apps/6446998001/beta-feedback-screenshot-submissions?limit=200')
  assert.deepEqual([...ids(first.said.rows), ...ids(second.said.rows)], ids(whole.json.items))
})

test('a single resource is one row, equal to the HTTP answer', async (t) => {
  const { call, acme, service } = await startAgent(t)
  const { json } = await service.ask('/apps/6446998001/performance-overviews')
  const { said } = await call('read', { operation: 'getPerformanceOverview', ...acme, params: { appId: '6446998001' } })
  assert.deepEqual(said.rows, [json])
  assert.deepEqual([said.complete, 'nextCursor' in said], [true, false])
})

test('paging stops at the row limit, and continues from there without a gap or a repeat', async (t) => {
  const { call, acme } = await startAgent(t)
  const params = { appId: '6446998001', fields: ['osVersion'] }
  const whole = await call('read_all', { operation: feedback, ...acme, params })
  assert.deepEqual([whole.said.complete, whole.said.rows.length], [true, 64])
  const seen: string[] = []
  let next: any = { operation: feedback, ...acme, params, max: 25 }
  const sizes: number[] = []
  while (next) {
    const { said, isError } = await call('read_all', next)
    assert.equal(isError, false)
    assert.equal(said.complete, said.goOn === undefined)
    if (!said.complete) assert.equal(said.why, 'rows')
    sizes.push(said.rows.length)
    seen.push(...ids(said.rows))
    next = said.goOn
  }
  assert.deepEqual([sizes, seen], [[25, 25, 14], ids(whole.said.rows)])
})

test('paging over several values names the value of each row, and continues in the middle of one', async (t) => {
  const { call, acme } = await startAgent(t)
  const appId = ['6446998003', '6446998006', '6446998001', '6446998005']
  const args = { operation: feedback, ...acme, params: { appId, fields: ['osVersion'] } }
  const whole = await call('read_all', { ...args, max: 1000 })
  const perApp = appId.map((app) => whole.said.rows.filter((row: any) => row.appId === app).length)
  assert.deepEqual([whole.said.complete, perApp], [true, [4, 0, 64, 8]])
  const first = await call('read_all', { ...args, max: 30 })
  assert.deepEqual([first.said.complete, first.said.why, first.said.rows.length], [false, 'rows', 30])
  assert.deepEqual(first.said.of, { parameter: 'appId', values: 4, done: 2 })
  assert.deepEqual(first.said.goOn.params.appId, ['6446998001', '6446998005'])
  const second = await call('read_all', { ...first.said.goOn, max: 100 })
  assert.equal(second.said.complete, true)
  assert.deepEqual([...first.said.rows, ...second.said.rows], whole.said.rows)
})

test('rows of ids alone name the value that they belong to', async (t) => {
  const { call, acme } = await startAgent(t)
  const { said } = await call('read_all', {
    operation: 'listAppVersionIds',
    ...acme,
    params: { appId: ['6446998001', '6446998002'] },
  })
  assert.deepEqual([said.complete, Object.keys(said.rows[0])], [true, ['appId', 'id']])
  assert.deepEqual([...new Set(said.rows.map((row: any) => row.appId))], ['6446998001', '6446998002'])
})

const wide = (id: string, length: number) => ({
  type: 'betaFeedbackScreenshotSubmissions',
  id,
  attributes: { comment: 'x'.repeat(length), createdDate: '2026-11-20T10:00:00Z' },
})

/** a platform with these rows in pages, whose cursors count */
async function startWide(t: TestContext, rows: unknown[]) {
  const { service, platform, close } = await startScripted(({ path, query }, res) => {
    const from = Number(query.get('cursor') ?? 0)
    const end = from + Number(query.get('limit') ?? 50)
    const self = `${platform.url}${path}`
    const next = new URLSearchParams(query)
    next.set('cursor', String(end))
    send(res, {
      data: rows.slice(from, end),
      links: { self, ...(end < rows.length && { next: `${self}?${next.toString()}` }) },
    })
  })
  t.after(close)
  return { platform, ...(await agentOverHttp(t, service)) }
}

test('an answer that is too large is cut between rows, and the cursor goes on with the next one', async (t) => {
  const { call } = await startWide(
    t,
    Array.from({ length: 9 }, (_, i) => wide(`f${i}`, 30_000)),
  )
  for (const tool of ['read', 'read_all']) {
    const args = { operation: feedback, connection: 'acme', params: { appId: '7' } }
    const first = await call(tool, args)
    assert.deepEqual([first.said.complete, first.said.why, ids(first.said.rows)], [false, 'bytes', ['f0', 'f1', 'f2']])
    const cursor = first.said.nextCursor ?? first.said.goOn.params.cursor
    const second = await call(tool, { ...args, params: { ...args.params, cursor } })
    assert.deepEqual(ids(second.said.rows), ['f3', 'f4', 'f5'], tool)
  }
})

test('a single row above the size limit is still returned', async (t) => {
  const { call } = await startWide(t, [wide('f0', 150_000), wide('f1', 150_000)])
  const { said } = await call('read_all', { operation: feedback, connection: 'acme', params: { appId: '7' } })
  assert.deepEqual([ids(said.rows), said.complete, said.why], [['f0'], false, 'bytes'])
  const rest = await call('read_all', said.goOn)
  assert.deepEqual([ids(rest.said.rows), rest.said.complete], [['f1'], true])
})

test('rows without a date are kept and counted', async (t) => {
  const undated = { type: 'betaFeedbackScreenshotSubmissions', id: 'f9', attributes: { comment: 'when?' } }
  const old = { ...wide('f1', 3), attributes: { comment: 'old', createdDate: '2020-01-01T00:00:00Z' } }
  const { call } = await startWide(t, [wide('f0', 3), undated, old])
  const { said } = await call('read_all', {
    operation: feedback,
    connection: 'acme',
    params: { appId: '7' },
    since: { field: 'createdDate', at: '2026-11-14T00:00:00+02:00' },
  })
  assert.deepEqual([ids(said.rows), said.undated, said.complete], [['f0', 'f9'], 1, true])
})

test('a failure in the middle returns an error, the rows so far and the call that continues', async (t) => {
  const { call, acme, sandbox } = await startAgent(t)
  sandbox.setFaults([readFaultRule('403@/v1/apps/6446998003')])
  const appId = ['6446998002', '6446998003', '6446998004']
  const args = { operation: feedback, ...acme, params: { appId, fields: ['osVersion'] } }
  const { isError, said, text } = await call('read_all', args)
  assert.deepEqual([isError, said.complete, said.why, said.error.code], [true, false, 'error', 'upstream_forbidden'])
  assert.match(said.error.requestId, /^req_/)
  assert.ok(said.error.cure.length > 10)
  assert.deepEqual(
    said.rows.map((row: any) => row.appId),
    ['6446998002', '6446998002'],
  )
  assert.deepEqual([said.of.done, said.goOn.params.appId], [1, ['6446998003', '6446998004']])
  assert.match(text, /^INCOMPLETE/)
  sandbox.setFaults([])
  const rest = await call('read_all', said.goOn)
  assert.deepEqual([rest.said.complete, rest.said.rows.length], [true, 12])
})

test('a failure on a later page keeps the rows before it and the place to continue from', async (t) => {
  const { call, acme, sandbox } = await startAgent(t)
  const args = { operation: feedback, ...acme, params: { appId: '6446998001', limit: 20, fields: ['osVersion'] } }
  sandbox.setFaults([readFaultRule('403:3@/v1/apps')])
  const { isError, said } = await call('read_all', args)
  assert.deepEqual([isError, said.rows.length, said.complete], [true, 40, false])
  sandbox.setFaults([])
  const rest = await call('read_all', said.goOn)
  assert.deepEqual([rest.said.complete, rest.said.rows.length], [true, 24])
})

test('an unknown id among several leaves the rows of the others, and the answer is marked incomplete', async (t) => {
  const { call, acme } = await startAgent(t)
  const appId = ['6446998002', '1', '6446998003']
  const { said, text } = await call('read_all', { operation: feedback, ...acme, params: { appId, fields: ['locale'] } })
  assert.deepEqual([said.complete, said.why, said.rows.length], [false, 'failed', 6])
  assert.deepEqual([said.failed[0].value, said.failed[0].code], ['1', 'resource_not_found'])
  assert.match(text, /^INCOMPLETE/)
})
