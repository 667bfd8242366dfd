import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { refuse, send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'
import { agentOverHttp, feedback } from './scene.ts'

const row = (id: string, createdDate?: string | null) => ({
  type: 'betaFeedbackScreenshotSubmissions',
  id,
  attributes: { comment: id, ...(createdDate !== undefined && { createdDate }) },
})
type Row = ReturnType<typeof row>

/** how a platform answers to `sort`: newest first with undated rows at the end, the other way round, or not at all */
type Sorting = 'sorts' | 'ignores'

/** pages of two rows at most, whose cursors count */
async function startDated(t: TestContext, rows: readonly Row[], sorting: Sorting) {
  const { service, platform, close } = await startScripted(({ path, query }, res) => {
    const all = sorting === 'sorts' && query.get('sort') === 'createdDate' ? rows.toReversed() : rows
    const from = Number(query.get('cursor') ?? 0)
    const end = from + Math.min(2, Number(query.get('limit')))
    const next = new URLSearchParams(query)
    next.set('cursor', String(end))
    const more = end < rows.length && { next: `${platform.url}${path}?${next.toString()}` }
    send(res, { data: all.slice(from, end), links: { self: `${platform.url}${path}`, ...more } })
  })
  t.after(close)
  const agent = await agentOverHttp(t, service)
  const args = { operation: feedback, connection: 'acme', params: { appId: '7' } }
  const since = (at: string, params: object = {}) =>
    agent.call('read_all', { ...args, params: { ...args.params, ...params }, since: { field: 'createdDate', at } })
  const ids = (said: any) => said.rows.map(({ id }: { id: string }) => id)
  return { call: agent.call, platform, args, since, ids }
}

const newest = row('new', '2026-11-20T10:00:00-08:00')
const old = ['2026-10-05', '2026-10-04', '2026-10-03', '2026-10-02', '2026-10-01'].map((day, i) =>
  row(`old${i}`, `${day}T10:00:00-08:00`),
)

for (const sorting of ['sorts', 'ignores'] as const)
  for (const undated of [row('none'), row('null', null)])
    test(`a row without a date (${undated.id}) behind old ones is kept when the platform ${sorting} by date`, async (t) => {
      const { since, ids } = await startDated(t, [newest, ...old, undated], sorting)
      const { said } = await since('2026-11-01')
      assert.deepEqual([ids(said), said.undated, said.complete], [['new', undated.id], 1, true])
    })

test('paging of a list sorted by date stops at the first old page, after one read of its other end', async (t) => {
  const { since, ids, platform } = await startDated(t, [newest, ...old], 'sorts')
  const { said } = await since('2026-11-01')
  assert.deepEqual([ids(said), said.complete], [['new'], true])
  assert.deepEqual([said.since, said.until], [{ field: 'createdDate', at: '2026-11-01' }, 'older'])
  const asked = platform.calls.map(({ query }) => [query.get('sort'), query.get('limit'), query.get('cursor')])
  assert.deepEqual(asked, [
    ['-createdDate', '50', null],
    ['createdDate', '1', null],
  ])
})

test('a list that the platform did not sort as requested is read to its end', async (t) => {
  const { since, ids } = await startDated(t, [...old, newest], 'ignores')
  const { said } = await since('2026-11-01')
  assert.deepEqual([ids(said), said.complete, said.until], [['new'], true, undefined])
})

test('a list whose other end cannot be read is read to its end', async (t) => {
  const { since, ids, platform } = await startDated(t, [newest, ...old, row('none')], 'sorts')
  const { script } = platform
  platform.script = (call, res) =>
    call.query.get('limit') === '1' ? refuse(res, 403, 'FORBIDDEN_ERROR') : script(call, res)
  const { said } = await since('2026-11-01')
  assert.deepEqual([ids(said), said.complete, said.until, said.error], [['new', 'none'], true, undefined, undefined])
})

test('dates with different UTC offsets are compared as points in time', async (t) => {
  // 2026-11-20T18:00:00Z
  const { since, ids } = await startDated(t, [newest], 'sorts')
  for (const [at, wanted] of [
    ['2026-11-20T18:00:00Z', ['new']],
    ['2026-11-20T18:00:01Z', []],
    ['2026-11-20T19:00:00+01:00', ['new']],
    ['2026-11-20T19:00:01+01:00', []],
    ['2026-11-20T10:00:00-0800', ['new']],
    ['2026-11-20', ['new']],
    ['2026-11-21', []],
  ] as const)
    assert.deepEqual(ids((await since(at)).said), wanted, at)
})

test('an answer that starts at a cursor says so, and keeps the order of that cursor', async (t) => {
  const { call, args, since, ids } = await startDated(t, [newest, ...old], 'sorts')
  const first = await since('2026-01-01', { limit: 2 })
  assert.deepEqual([ids(first.said).length, first.said.complete, first.said.from], [6, true, undefined])
  const { said: page } = await call('read', args)
  assert.deepEqual([page.rows.length, page.from], [2, undefined])
  const { said, text } = await since('2026-01-01', { cursor: page.nextCursor })
  assert.deepEqual([ids(said), said.complete, said.from], [['old1', 'old2', 'old3', 'old4'], true, 'cursor'])
  assert.match(text, /From the given cursor on: rows before it are not here/)
})
