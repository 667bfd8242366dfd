// What a read of the operator leaves behind: a line of the audit of reads where there is one, a line of the log, counts; and
// never a requested or returned value.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../../src/commands/log.ts'
import { fingerprint, startManager } from './manager.ts'
import { checkAllowed, numberOf, parse } from './scrape.ts'

const reading = (target: string, connection = 'acme') => ({ body: { connection, target } })

/** whatever is asked with, and what the platform knows of it */
const asked = [
  '/apps?limit=1&name=CANARY-name',
  '/apps?name=CANARY-x&limti=CANARY-1',
  '/apps?limit=CANARY-2',
  '/apps/CANARY-id/versions/ids',
  '/CANARY-route',
  '/apps?cursor=CANARY-cursor',
  '/apps?fields=CANARY-field',
  '/apps?limit=2',
]

test('without the audit of reads, neither reads nor their refusals are audited', async (t) => {
  const { ask, deeds } = await startManager(t)
  for (const target of asked) assert.equal((await ask('POST', '/read', reading(target))).status, 200)
  await ask('POST', '/read', reading('/apps', 'nowhere'))
  await ask('POST', '/read', { body: { connection: 'acme' } })
  await ask('POST', '/plan', reading('/apps?limti=5'))
  assert.equal((await ask('GET', '/operations')).status, 200)
  await sleep(400)
  assert.deepEqual(await deeds(), ['keys.create done'])
})

test('a wrong token is audited as at any operation', async (t) => {
  const { ask, audit } = await startManager(t)
  for (const path of ['/read', '/plan', '/operations'])
    await ask(path === '/operations' ? 'GET' : 'POST', path, {
      token: 'some-other-token-of-mine',
      ...(path !== '/operations' && reading('/apps')),
    })
  const lines = (await audit({ outcome: 'denied' })).toReversed()
  assert.deepEqual(
    lines.map(({ who, act, target, details }) => [who, act, target, details['code']]),
    [
      ['unknown', 'read', null, 'operator_token_invalid'],
      ['unknown', 'plan', null, 'operator_token_invalid'],
      ['unknown', 'operations.list', null, 'operator_token_invalid'],
    ],
  )
})

test('with the audit of reads each read is a line with operator, operation, connection and address; plans are not', async (t) => {
  const { ask, audit } = await startManager(t, { file: { audit: { reads: true } } })
  const answers = []
  for (const target of asked.slice(0, 5)) answers.push(await ask('POST', '/read', reading(target)))
  answers.push(await ask('POST', '/read', reading('/apps', 'nowhere')))
  await ask('POST', '/plan', reading('/apps'))
  await ask('POST', '/read', { body: { connection: 'acme' } })
  await sleep(600)
  const lines = (await audit({ act: 'read' })).toReversed()
  assert.deepEqual(lines[0]?.details, { operation: 'listApps', status: 200, code: null, platformCalls: 1 })
  assert.deepEqual(
    lines.map(({ who, target, outcome, details }) => [who, target, outcome, details['operation'], details['status']]),
    [
      [fingerprint, 'acme', 'done', 'listApps', 200],
      [fingerprint, 'acme', 'done', 'listApps', 400],
      [fingerprint, 'acme', 'done', 'listApps', 400],
      [fingerprint, 'acme', 'denied', 'listAppVersionIds', 404],
      [fingerprint, null, 'denied', 'unknown', 404],
      // a requested value that was not found may be personal, and is not kept
      [fingerprint, null, 'denied', 'listApps', 404],
    ],
  )
  for (const [i, { requestId, from }] of lines.entries())
    assert.deepEqual([requestId, from], [answers[i]?.headers['x-request-id'], '127.0.0.1'])
  assert.doesNotMatch(JSON.stringify(lines), /CANARY|nowhere/)
})

test('the log names operation, connection, cost and code, and nothing of the target', async (t) => {
  const { ask, service } = await startManager(t)
  for (const target of asked) await ask('POST', '/read', reading(target))
  await ask('POST', '/read', reading('/apps', 'nowhere'))
  await ask('POST', '/plan', reading('/apps?name=CANARY-plan'))
  const told = service.events.filter((event) => event.kind === 'answered')
  assert.deepEqual(
    told.map(({ operation, status, connection, code, platformCalls }) =>
      [operation, status, connection, code, platformCalls].join(' '),
    ),
    [
      'readThrough 200 acme  1',
      'readThrough 200 acme unknown_parameter 0',
      'readThrough 200 acme value_not_allowed 0',
      'readThrough 200 acme resource_not_found 1',
      'readThrough 200  route_not_found 0',
      'readThrough 200 acme cursor_invalid 0',
      'readThrough 200 acme value_not_allowed 0',
      'readThrough 200 acme  1',
      'readThrough 200  connection_not_found 0',
      'planRead 200   0',
    ],
  )
  const lines: string[] = []
  const out = { isTTY: false, writableLength: 0, write: (line: string) => lines.push(line), once: () => out }
  const log = createLog('all', out)
  for (const event of service.events) log(event)
  assert.ok(lines.length >= told.length)
  const scraped = (await ask('GET', '/metrics')).text
  for (const text of [JSON.stringify(service.events), lines.join('\n'), scraped]) {
    assert.doesNotMatch(text, /CANARY/)
    assert.doesNotMatch(text, /Tidal|tidal/, 'nor of the answer')
    assert.doesNotMatch(text, /nowhere/)
  }
  const samples = parse(scraped)
  checkAllowed(samples)
  assert.equal(numberOf(samples, 'vitrine_requests_total', { operation: 'readThrough', outcome: 'ok' }), 9)
  assert.equal(numberOf(samples, 'vitrine_platform_calls_total', { connection: 'acme', outcome: 'ok' }), 2)
})
