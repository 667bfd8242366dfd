import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { guard, id, ids, listing, over, page, single } from '../ground/places.ts'
import { refuse, type Script, send } from '../ground/scripted-platform.ts'
import { always, scripted } from '../ground/scripted-asking.ts'

const read = [page, single, ids, id]
const chained = [listing, guard]

test('each status of the platform has one answer, whatever it was asked for', async (t) => {
  const { ask, platform, service } = await scripted(t)
  const rows: [status: number, ours: number, type: string, code: string][] = [
    [403, 403, 'upstream_forbidden', 'upstream_forbidden'],
    [404, 404, 'resource_not_found', 'resource_not_found'],
    [410, 404, 'resource_not_found', 'resource_not_found'],
    [429, 429, 'rate_limited', 'upstream_rate_limited'],
    ...[400, 402, 405, 406, 408, 409, 411, 413, 414, 415, 418, 422, 423, 426, 428, 431, 451, 499].map(
      (status): [number, number, string, string] => [status, 502, 'upstream_error', 'upstream_failed'],
    ),
    ...[500, 501, 502, 505, 507, 511, 520, 599].map((status): [number, number, string, string] => [
      status,
      502,
      'upstream_error',
      'upstream_failed',
    ]),
    [503, 503, 'upstream_error', 'upstream_unavailable'],
    [504, 504, 'upstream_error', 'upstream_timeout'],
    ...[201, 202, 203, 206, 207, 226, 300, 301, 302, 303, 305, 307, 308, 600, 999].map(
      (status): [number, number, string, string] => [status, 502, 'upstream_error', 'upstream_malformed'],
    ),
  ]
  for (const [status, ours, type, code] of rows)
    for (const place of [...read, ...chained])
      await t.test(`${status} is ${ours} ${code} on ${place.name}`, async () => {
        const answer = await ask(always(status), place.path)
        assert.deepEqual([answer.status, answer.json.error.type, answer.json.error.code], [ours, type, code])
        assert.equal(platform.calls.length, 1, 'the child is not asked for, and nothing is asked again')
        assert.ok(!answer.text.includes('PLATFORM'), 'the words are ours')
      })
  assert.ok(!JSON.stringify(service.events).includes('PLATFORM'), 'nor are they in the log')
})

test('a 404 behind a healthy lookup is 404, and never an empty page or id', async (t) => {
  const { ask } = await scripted(t)
  for (const place of chained) {
    const gone: Script = (call, res) =>
      call.path === place.read ? send(res, place.healthy) : refuse(res, 404, 'NOT_FOUND')
    const { status, json } = await ask(gone, place.path)
    assert.deepEqual([status, json.error.type], [404, 'resource_not_found'])
  }
})

test('a 401 is asked once more with a fresh token, and then it is 502', async (t) => {
  const { ask, platform } = await scripted(t)
  const tokens: unknown[] = []
  const once: Script = ({ headers }, res) => {
    tokens.push(headers.authorization)
    if (tokens.length === 1) refuse(res, 401, 'NOT_AUTHORIZED')
    else send(res, page.healthy)
  }
  assert.deepEqual((await ask(once)).json, page.answer)
  assert.equal(new Set(tokens).size, 2)
  for (const body of ['', '<html>', '{'.repeat(100_000)]) {
    const { status, json } = await ask((_, res) => send(res, body, {}, 401))
    assert.deepEqual([status, json.error.code], [502, 'upstream_key_rejected'])
    assert.equal(platform.calls.length, 2)
  }
})

test('the child is not asked for when the ownership check is refused', async (t) => {
  const { ask, platform } = await scripted(t)
  const { json } = await ask(over(guard, { errors: [] }, {}, 403), guard.path)
  assert.equal(json.error.type, 'upstream_forbidden')
  assert.deepEqual(
    platform.calls.map((call) => call.path),
    [guard.read],
  )
})

test('a missing agreement has a code of its own', async (t) => {
  const { ask } = await scripted(t)
  for (const code of ['FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', 'FORBIDDEN.REQUIRED_AGREEMENTS']) {
    const { status, json } = await ask(always(403, {}, code))
    assert.deepEqual(
      [status, json.error.type, json.error.code],
      [403, 'upstream_forbidden', 'upstream_agreement_missing'],
    )
  }
})

test('a 400 is the caller’s only where it names a parameter that he gave', async (t) => {
  const { ask } = await scripted(t)
  const blaming =
    (source: unknown): Script =>
    (_, res) =>
      refuse(res, 400, 'PARAMETER_ERROR.INVALID', source as object)
  const query = '?territory=USA&fields=name&limit=7'
  for (const [theirs, ours] of Object.entries({
    'filter[territory]': 'territory',
    'fields[subscriptionOfferCodes]': 'fields',
    limit: 'limit',
  }))
    await t.test(`${theirs} is ${ours}`, async () => {
      const { status, json, text } = await ask(blaming({ parameter: theirs }), page.path + query)
      assert.deepEqual([status, json.error.type, json.error.param], [400, 'invalid_query', ours])
      assert.ok(!text.includes('PLATFORM') && !text.includes('filter['), text)
    })
  for (const source of [
    undefined,
    {},
    { parameter: 'include' },
    { parameter: 5 },
    { pointer: '/x' },
    { parameter: 'sort' },
    'limit',
    null,
  ])
    await t.test(`${JSON.stringify(source)} is nobody's`, async () =>
      assert.equal((await ask(blaming(source), page.path + query)).status, 502),
    )
  for (const parameter of ['filter[territory]', 'fields[subscriptionOfferCodes]', 'limit', 'cursor'])
    await t.test(`${parameter}, which the caller did not give, is nobody's`, async () =>
      assert.equal((await ask(blaming({ parameter }))).status, 502),
    )
  await t.test('a lookup is of our making', async () =>
    assert.equal((await ask(blaming({ parameter: 'limit' }), `${listing.path}?limit=7`)).status, 502),
  )
})

test('a status speaks for itself where its body cannot be read', async (t) => {
  const { ask } = await scripted(t)
  const bodies: [string, string | Buffer, Record<string, string>][] = [
    ['a coding nobody knows', 'xx', { 'content-encoding': 'zstd' }],
    ['broken gzip', 'xx', { 'content-encoding': 'gzip' }],
    ['nine megabytes', randomBytes(9 << 20), {}],
    ['deep JSON', '['.repeat(5_000), {}],
    ['HTML', '<html>PLATFORM', { 'content-type': 'text/html' }],
    [
      'odd errors',
      '{"errors":[null,5,[],{"code":{"toString":1,"valueOf":1}},{"code":9007199254740993,"source":7}]}',
      {},
    ],
  ]
  for (const [name, body, headers] of bodies)
    for (const status of [403, 404, 429, 503])
      await t.test(`${status} with ${name}`, async () =>
        assert.equal((await ask((_, res) => send(res, body, headers, status))).status, status),
      )
})
