// 401 and the statuses of a failing platform: what is retried, how often, and when that stops.
import assert from 'node:assert/strict'
import test from 'node:test'
import { guard, listing, answerRead, page, type ExampleRoute } from '../support/example-routes.ts'
import { type Script, refuse, send } from '../support/scripted-platform.ts'
import { checkNever, type Expected, faults, healthyAgain, openScene, type Scene, type ScriptedFault } from './fault.ts'
import { always, answering, everywhere, failed, refusal, rejected, timedOut, unavailable } from './status-rows.ts'

const fine = (at: ExampleRoute, calls: number): Expected => ({ status: 200, json: at.answer, calls })

function tokensOf({ platform }: Scene): (string | undefined)[] {
  assert.ok('calls' in platform)
  return platform.calls.map(({ headers }) => headers.authorization)
}
const bothTokens =
  (check: (first: unknown, second: unknown) => void): NonNullable<ScriptedFault['more']> =>
  (_, scene) => {
    const [first, second] = tokensOf(scene)
    assert.match(first ?? '', /^Bearer eyJ/)
    check(first, second)
  }
const fresh = bothTokens(assert.notEqual)
const same = bothTokens(assert.equal)

const refusing: Script = (_, res) => send(res, refusal('NOT_AUTHORIZED'), {}, 401)
const bodies = { nothing: '', HTML: '<html>', 'deep JSON': '{'.repeat(100_000), 'a healthy document': page.healthy }

faults([
  ...[page, listing].flatMap((at): ScriptedFault[] => [
    {
      id: 'F109',
      fault: `401 once for a key that is new, on ${at.name}`,
      at,
      more: fresh,
      script: [refusing, answerRead(at, at.healthy)],
      expect: fine(at, at === listing ? 3 : 2),
    },
    {
      id: 'F109',
      fault: `401 once for a key that was good a moment ago, on ${at.name}`,
      at,
      more: same,
      usedBefore: true,
      script: [refusing, answerRead(at, at.healthy)],
      expect: fine(at, 2),
    },
  ]),
  ...[page, listing, guard].map((at): ScriptedFault => ({
    id: 'F110',
    fault: `401 for ever for a key that was never good, on ${at.name}`,
    at,
    more: fresh,
    script: refusing,
    expect: rejected,
    restsSec: 30,
  })),
  {
    id: 'F110',
    fault: '401 for ever for a key that was good a moment ago',
    more: same,
    usedBefore: true,
    script: refusing,
    expect: rejected,
    restsSec: 2,
  },
  ...Object.entries(bodies).flatMap(([words, body]) =>
    always({
      id: 'F110',
      fault: `401 for ever with ${words}`,
      status: 401,
      body,
      expect: rejected,
      row: { restsSec: 30 },
    }),
  ),
])

const kinds: Readonly<Record<number, Expected>> = {
  500: { ...failed, calls: 3 },
  502: { ...failed, calls: 3 },
  503: unavailable,
  504: timedOut,
}
const statuses = Object.keys(kinds).map(Number)

faults([
  ...statuses.flatMap((status) =>
    [page, listing].flatMap((at): ScriptedFault[] => {
      const bad = answering(at, status)
      const well = answerRead(at, at.healthy)
      const lookup = at === listing ? 1 : 0
      return [
        { id: 'F130', fault: `${status} once, on ${at.name}`, at, script: [bad, well], expect: fine(at, 2 + lookup) },
        {
          id: 'F130',
          fault: `${status} twice, on ${at.name}`,
          at,
          script: [bad, bad, well],
          expect: fine(at, 3 + lookup),
        },
      ]
    }),
  ),
  {
    id: 'F130',
    fault: '500 and then 404: the last word counts',
    script: [answering(page, 500), answering(page, 404)],
    expect: { status: 404, type: 'resource_not_found', calls: 2 },
  },
  {
    id: 'F130',
    fault: '503 and then a broken document',
    script: [answering(page, 503), answerRead(page, '{')],
    expect: { status: 502, type: 'upstream_error', code: 'upstream_malformed', calls: 2 },
  },
  ...[500, 502].flatMap((status) =>
    always({ id: 'F131', fault: `${status} for ever`, status, at: everywhere, expect: kinds[status] ?? failed }),
  ),
  ...[501, 505, 507, 511, 520, 599].flatMap((status) =>
    always({ id: 'F131', fault: `${status}, which is not asked again`, status, expect: failed, at: [page, listing] }),
  ),
  ...always({ id: 'F132', fault: '503 for ever', status: 503, expect: unavailable, at: everywhere }),
  ...always({ id: 'F134', fault: '504 for ever', status: 504, expect: timedOut, at: everywhere }),
])

const waiting = (said: string, sec: number): ScriptedFault[] =>
  always({
    id: 'F133',
    fault: `503 with Retry-After ${said}`,
    status: 503,
    headers: { 'retry-after': said },
    expect: { ...unavailable, retryAfter: sec, calls: 1 },
    at: [page, listing],
  })

faults([
  ...waiting('2', 2),
  ...waiting('0', 1),
  ...waiting('600', 600),
  ...waiting('99999999999', 3_600),
  ...waiting('Sun, 20 Nov 2095 12:00:00 GMT', 3_600),
  ...['soon', '-1', '1.5', ''].flatMap((said) =>
    always({
      id: 'F133',
      fault: `503 with Retry-After ${JSON.stringify(said)}, which names no time`,
      status: 503,
      headers: { 'retry-after': said },
      expect: unavailable,
    }),
  ),
])

const down = (status: number): ScriptedFault => ({
  id: '',
  fault: '',
  script: (_, res) => refuse(res, status, 'DOWN'),
  expect: kinds[status] ?? failed,
})

test('F131: 40 requests to a platform that always answers 500 are 502, and cost three retries in all', async (t) => {
  const row = down(500)
  const scene = await openScene(t, row)
  for (let i = 0; i < 40; i++) {
    const answer = await scene.service.ask(page.path)
    assert.deepEqual([answer.status, answer.json.error.code], [502, 'upstream_failed'])
    checkNever(answer, scene)
  }
  assert.equal(scene.calls(), 43)
  assert.ok(!scene.service.events.some(({ kind }) => kind === 'breaker'), 'the platform is reachable')
  await healthyAgain(scene, row)
})

for (const [id, status, code] of [
  ['F132', 503, 'upstream_unavailable'],
  ['F134', 504, 'upstream_timeout'],
] as const)
  test(`${id}: after five ${status} in a row the platform is not called, and callers get 503 with Retry-After at once`, async (t) => {
    const row = down(status)
    const scene = await openScene(t, row)
    for (const calls of [3, 5]) {
      const answer = await scene.service.ask(page.path)
      assert.deepEqual([answer.status, answer.json.error.code, scene.calls()], [status, code, calls])
    }
    const startedAt = performance.now()
    for (let i = 0; i < 5; i++) {
      const answer = await scene.service.ask(page.path)
      const { type, code: fast } = answer.json.error
      assert.deepEqual([answer.status, type, fast], [503, 'upstream_error', 'upstream_unavailable'])
      checkNever(answer, scene)
      // on a slow machine the first probe happens meanwhile
      if (performance.now() - startedAt > 900) break
      assert.deepEqual([answer.headers['retry-after'], scene.calls()], ['1', 5])
    }
    assert.ok(scene.service.events.some((event) => event.kind === 'breaker' && event.state === 'open'))
    await healthyAgain(scene, row)
  })
