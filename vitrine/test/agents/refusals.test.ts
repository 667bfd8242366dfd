import assert from 'node:assert/strict'
import test from 'node:test'
import { readFaultRule } from '../../src/sandbox/sandbox.ts'
import { feedback, startAgent } from './scene.ts'

test('an invalid call is refused with its fix before any read', async (t) => {
  const { call, sandbox } = await startAgent(t)
  const c = 'acme'
  const rows: [tool: string, args: Record<string, unknown>, code: string, words: RegExp][] = [
    ['read', { operation: 'listApp', connection: c }, 'route_not_found', /Did you mean "listApps"/],
    ['read', { operation: 'listApps' }, 'value_not_allowed', /Allowed: acme, other, solo/],
    ['read', { operation: 'listApps', connection: 'none' }, 'connection_not_found', /no such connection/],
    ['read', { operation: feedback, connection: c }, 'value_not_allowed', /come from listApps/],
    ['read', { operation: feedback, connection: c, params: { appId: ['1', '2'] } }, 'value_not_allowed', /one value/],
    ['read', { operation: 'listApps', connection: c, params: { nmae: 'x' } }, 'unknown_parameter', /mean "name"/],
    ['read', { operation: 'listApps', connection: c, params: { name: { a: 1 } } }, 'value_not_allowed', /takes text/],
    ['read', { operation: feedback, connection: c, params: { appId: '..' } }, 'resource_not_found', /./],
    ['read', { operation: feedback, connection: c, params: { appId: '1/../2' } }, 'resource_not_found', /./],
    ['read_all', { operation: 'listApps', connection: c, max: 2_000 }, 'value_not_allowed', /max must be <= 1000/],
    ['read_all', { operation: 'listApps', connection: c, more: 1 }, 'unknown_parameter', /"more" is no argument/],
    ['read', { operation: feedback, connection: c, appId: '1' }, 'unknown_parameter', /"appId".* stands in "params"/],
    ['find_operations', { querry: 'x' }, 'unknown_parameter', /Did you mean "query"/],
    ['read', { connection: c }, 'value_not_allowed', /required property 'operation'/],
    [
      'read_all',
      { operation: 'listLibraryVideoPlacements', connection: c },
      'value_not_allowed',
      /No operation lists it/,
    ],
    ['read_all', { operation: 'listApps', connection: c, params: { cursor: 5 } }, 'cursor_invalid', /was not issued/],
    [
      'read_all',
      { operation: 'listApps', connection: c, params: { cursor: { a: 1 } } },
      'cursor_invalid',
      /was not issued/,
    ],
    ['read_all', { operation: feedback, connection: c, params: { appId: [] } }, 'value_not_allowed', /1 to 50/],
    [
      'read_all',
      { operation: feedback, connection: c, params: { appId: Array(51).fill('1') } },
      'value_not_allowed',
      /1 to 50/,
    ],
    [
      'read_all',
      { operation: 'listApps', connection: c, since: { field: 'name', at: '2026-11-01' } },
      'value_not_allowed',
      /no date field/,
    ],
    ...['2026-02-30', '2026-11-31T00:00:00Z', '2026-11-16T10:00:00', '2026-13-01', 'last week', ''].map(
      (at): [string, Record<string, unknown>, string, RegExp] => [
        'read_all',
        { operation: feedback, connection: c, params: { appId: '6446998001' }, since: { field: 'createdDate', at } },
        'value_not_allowed',
        /since\.at is a date-time/,
      ],
    ),
    ['describe_operation', { operation: 'nothing' }, 'route_not_found', /find_operations/],
    ['explain_error', { code: 'key_invalidd' }, 'value_not_allowed', /"key_invalid"/],
    ['find_operations', { group: 'nothing' }, 'value_not_allowed', /no group/],
  ]
  for (const [tool, args, code, words] of rows) {
    const { isError, said, text } = await call(tool, args)
    assert.deepEqual([isError, said.error?.code], [true, code], JSON.stringify(args))
    assert.match(said.error.message, words)
    assert.equal(typeof said.error.cure, 'string')
    assert.match(said.error.requestId, /^req_/)
    assert.ok(text.includes(code))
  }
  assert.deepEqual(sandbox.asked, [])
})

test('the description of an operation says which id no operation lists', async (t) => {
  const { call } = await startAgent(t)
  const { said: found } = await call('find_operations', { query: 'placements of a library video' })
  const words = 'The video in the asset library. No operation lists it: ask your user.'
  assert.deepEqual(found.rows[0].needs, { libraryVideoId: words })
  const { said: told } = await call('describe_operation', { operation: 'listLibraryVideoPlacements' })
  assert.deepEqual(told.parameters[0], { name: 'libraryVideoId', required: true, about: words })
})

test('an operation is found by the descriptions of its fields', async (t) => {
  const { call } = await startAgent(t)
  const first = async (query: string) => (await call('find_operations', { query })).said.rows[0].operation
  assert.equal(await first('which app got worse'), 'getPerformanceOverview')
  assert.equal(await first("the tester's own words"), 'listBetaFeedbackSubmissions')
  assert.equal(await first('which subscriptions have active offer codes'), 'listSubscriptionOfferCodes')
})

test('a permanent failure before the first row offers no call to continue', async (t) => {
  const { call, sandbox } = await startAgent(t)
  const lost = await call('read_all', { operation: 'listApps', connection: 'none' })
  assert.deepEqual([lost.isError, lost.said.complete, lost.said.why, lost.said.goOn], [true, false, 'error', undefined])
  const wrong = await call('read_all', { operation: 'listApps', connection: 'acme', params: { nmae: 'x' } })
  assert.deepEqual([wrong.said.error.code, wrong.said.goOn], ['unknown_parameter', undefined])
  sandbox.setFaults([readFaultRule('500')])
  const later = await call('read_all', { operation: 'listApps', connection: 'acme' })
  assert.deepEqual([later.said.error.retryable, later.said.goOn.operation], [true, 'listApps'])
})

test('an unknown tool is a protocol error, not a tool result', async (t) => {
  const { call } = await startAgent(t)
  await assert.rejects(call('delete_everything'), /There is no such tool/)
})

test('explanations of errors and operations come from the shared tables', async (t) => {
  const { call, service } = await startAgent(t)
  const { said } = await call('explain_error', { code: 'cursor_expired' })
  assert.deepEqual(said, {
    code: 'cursor_expired',
    type: 'invalid_query',
    status: 400,
    summary: 'The cursor is too old.',
    cure: 'Start again at the first page, without a cursor. A cursor is valid for 24 hours.',
    retryable: false,
    docUrl: `${service.url}/errors/cursor_expired`,
  })
  const { said: told } = await call('describe_operation', { operation: feedback })
  const named = (name: string) => told.fields.find((field: any) => field.name === name)
  assert.deepEqual([named('comment').writtenBy, named('locale').writtenBy], ['end-user', 'end-user'])
  assert.deepEqual(told.parameters[0], {
    name: 'appId',
    required: true,
    about: 'The app, by the id that List apps returns.',
    from: ['listApps'],
  })
  const again = await call('read', { ...told.example, connection: 'acme' })
  assert.equal(again.said.rows.length, 2)
})
