// The outcome and the cost of each status of the platform.
import assert from 'node:assert/strict'
import test from 'node:test'
import { guard, id, type Json, listing, answerRead, page, type ExampleRoute } from '../support/example-routes.ts'
import { send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { malformed } from './document-rows.ts'
import { canary, faults, healthyAgain, openScene, type ScriptedFault } from './fault.ts'
import { always, answering, everywhere, failed, forbidden, gone, lookups, refusal } from './status-rows.ts'

const agreement = (code: string) => ({
  id: 'F111',
  fault: `403 ${code}`,
  status: 403,
  body: refusal(code),
  at: [page, guard],
  expect: { ...forbidden, code: 'upstream_agreement_missing' },
})

faults([
  ...always({ id: 'F111', fault: '403', status: 403, expect: forbidden, at: everywhere }),
  ...always(agreement('FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED')),
  ...always(agreement('FORBIDDEN.REQUIRED_AGREEMENTS')),
  ...always({ id: 'F112', fault: '403, and the child is never read', status: 403, expect: forbidden, at: [guard] }),
  ...always({ id: 'F113', fault: '404', status: 404, expect: gone, at: everywhere }),
  ...always({ id: 'F115', fault: '404 is no empty relation', status: 404, expect: gone, at: [id] }),
  ...always({ id: 'F116', fault: '409 is no choice of ours', status: 409, expect: failed, at: everywhere }),
  ...always({ id: 'F120', fault: '410', status: 410, expect: gone, at: everywhere }),
  ...[402, 405, 406, 408, 411, 413, 414, 415, 418, 422, 423, 426, 428, 431, 451, 499].flatMap((status) =>
    always({ id: 'F119', fault: String(status), status, expect: failed, at: [page, listing] }),
  ),
])

/** behind a successful lookup; a cached lookup is repeated, since its result may have changed */
faults(
  lookups.flatMap((at): ScriptedFault[] => {
    const child = Object.keys(at.others)[0]
    const script: ScriptedFault['script'] = (call, res) =>
      call.path === child ? send(res, refusal(), {}, 404) : send(res, at.healthy)
    const paths =
      (...expected: unknown[]): NonNullable<ScriptedFault['more']> =>
      (_, { platform }) =>
        assert.deepEqual('calls' in platform && platform.calls.map(({ path }) => path), expected)
    return [
      {
        id: 'F114',
        fault: `404 on the child, behind ${at.name}`,
        at,
        script,
        expect: { ...gone, calls: 2 },
        more: paths(at.read, child),
      },
      {
        id: 'F114',
        fault: `404 on the child, behind ${at.name} when cached`,
        at,
        script,
        usedBefore: true,
        expect: { ...gone, calls: 2 },
        more: paths(child, at.read),
      },
    ]
  }),
)

const query = '?territory=USA&fields=name&limit=7'
const asking: ExampleRoute = {
  ...page,
  name: 'a page that is asked for something',
  path: page.path + query,
  answer: { items: [{ id: 'o1', name: 'Spring' }], nextCursor: null },
}
const blaming = (source: unknown, at: ExampleRoute): Pick<ScriptedFault, 'at' | 'script'> => ({
  at,
  script: answering(at, 400, {}, refusal('PARAMETER_ERROR.INVALID', source)),
})
const refusedValue = {
  status: 400,
  type: 'invalid_query',
  code: 'platform_refused_value',
  calls: 1,
  retryAfter: null,
} as const
const theirs = { 'filter[territory]': 'territory', 'fields[subscriptionOfferCodes]': 'fields', limit: 'limit' }
const unnamed = [undefined, {}, { parameter: 'include' }, { parameter: 5 }, { pointer: '/x' }, { parameter: 'sort' }]

faults([
  ...Object.entries(theirs).map(([parameter, param]): ScriptedFault => ({
    id: 'F117',
    fault: `400 that names ${parameter}, which the caller gave`,
    ...blaming({ parameter }, asking),
    expect: refusedValue,
    more: ({ json, text }) => {
      assert.equal(json.error.param, param)
      assert.ok(!text.includes('filter['), text)
    },
  })),
  ...[...unnamed, 'limit', null].map((source): ScriptedFault => ({
    id: 'F118',
    fault: `400 with ${JSON.stringify(source)}, which is no parameter`,
    ...blaming(source, asking),
    expect: failed,
  })),
  ...[...Object.keys(theirs), 'cursor'].map((parameter): ScriptedFault => ({
    id: 'F118',
    fault: `400 that names ${parameter}, which the caller did not give`,
    ...blaming({ parameter }, page),
    expect: failed,
  })),
  {
    id: 'F118',
    fault: '400 on a lookup, which is of our making',
    path: `${listing.path}?limit=7`,
    ...blaming({ parameter: 'limit' }, listing),
    expect: failed,
  },
])

// a redirect to the same host, in a loop, or without a target
const redirects = [301, 302, 303, 307, 308]
faults(
  redirects.flatMap((status) =>
    ['/v1/elsewhere', page.read, '//', '', undefined].flatMap((location) =>
      always({
        id: 'F136',
        fault: `${status} to ${location || 'nowhere'}`,
        status,
        expect: malformed,
        headers: location === undefined ? {} : { location },
      }),
    ),
  ),
)
faults(
  [201, 202, 203, 207, 226, 300, 305].flatMap((status) =>
    always({ id: 'F136', fault: `${status} with the right document`, status, expect: malformed, body: page.healthy }),
  ),
)

for (const status of redirects)
  test(`F135: ${status} to another host is 502, and that host is not called`, async (t) => {
    const elsewhere = await startScriptedPlatform((_, res) => send(res, page.healthy))
    t.after(elsewhere.close)
    for (const at of [page, listing, guard]) {
      const location = `${elsewhere.url}${at.read}?token=${canary}`
      const script = answering(at, status, { location })
      const row: ScriptedFault = { id: 'F135', fault: '', at, script, expect: malformed }
      const scene = await openScene(t, row)
      const { status: ours, json, text } = await scene.service.ask(at.path)
      assert.deepEqual([ours, json.error.code, scene.calls()], [502, 'upstream_malformed', 1])
      assert.ok(!text.includes('127.0.0.1') && !text.includes(canary), text)
      await healthyAgain(scene, row)
    }
    assert.equal(elsewhere.calls.length, 0)
  })

const fields: Json = {
  'set-cookie': `a=${canary}`,
  'access-control-allow-origin': `https://${canary}.example`,
  'strict-transport-security': `max-age=1; ${canary}`,
  link: `<https://${canary}.example>; rel=next`,
  server: canary,
  'x-request-id': canary,
  'x-rate-limit': `${canary}:1;user-hour-lim:;`,
  'cache-control': `public, max-age=999, ${canary}`,
  etag: `"${canary}"`,
  'www-authenticate': canary,
  location: `https://${canary}.example`,
  'x-anything': canary,
}
const standing = ['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive']
const ours = new Set([...standing, 'x-content-type-options', 'x-request-id', 'ratelimit', 'ratelimit-policy', 'vary'])

faults(
  [200, 403, 404, 409, 429].map((status): ScriptedFault => ({
    id: 'F137',
    fault: `header fields of the platform with ${status}`,
    usedBefore: true,
    script: answerRead(page, status === 200 ? page.healthy : refusal(), fields, status),
    expect: { status: status === 409 ? 502 : status, calls: 1, ...(status === 200 && { json: page.answer }) },
    more: ({ headers }) => {
      assert.deepEqual(
        Object.keys(headers).filter((name) => !ours.has(name)),
        [],
      )
      assert.equal(headers['cache-control'], 'no-store')
    },
  })),
)

test('F137: no header field of the caller reaches the platform', async (t) => {
  const row: ScriptedFault = {
    id: 'F137',
    fault: '',
    script: answerRead(page, page.healthy),
    expect: { status: 200, calls: 1 },
  }
  const { service, platform } = await openScene(t, row)
  const headers = {
    cookie: 'c=d',
    'x-forwarded-for': '10.0.0.9',
    'if-none-match': '"x"',
    referer: 'https://me.example',
  }
  assert.equal((await service.ask(page.path, { headers })).status, 200)
  assert.ok('calls' in platform)
  const [sent] = platform.calls
  const names = ['accept', 'accept-encoding', 'authorization', 'connection', 'host', 'user-agent']
  assert.deepEqual(Object.keys(sent?.headers ?? {}).sort(), names)
})
