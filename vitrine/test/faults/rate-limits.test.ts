// 429 with every form of Retry-After, and the rate windows that the platform reports. A wait that exceeds the caller's deadline
// costs no call: the platform would answer again, and is not called.
import assert from 'node:assert/strict'
import { answerRead, page } from '../support/example-routes.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { type Answer } from '../support/service.ts'
import { faults, type Scene, type ScriptedFault } from './fault.ts'
import { always, answering, everywhere, limited, lookups, refusal } from './status-rows.ts'

const nowMs = Date.UTC(2026, 10, 20, 12)
const options = { now: () => nowMs }

/** what the platform sends, and the seconds that the caller gets; null: nothing */
const saying = (id: string, said: string, sec: number | null, date = new Date(nowMs).toUTCString()): ScriptedFault[] =>
  always({
    id,
    fault: `429 with ${JSON.stringify(said)} is ${sec ?? 'no wait that could be named'}`,
    status: 429,
    headers: { 'retry-after': said, date },
    expect: { ...limited, retryAfter: sec },
    // without a time, one second
    row: { options, restsSec: sec ?? 1 },
  })

faults([
  ...always({
    id: 'F121',
    fault: '429 with 17 s',
    status: 429,
    headers: { 'retry-after': '17' },
    at: everywhere,
    expect: { ...limited, retryAfter: 17 },
    row: { restsSec: 17 },
  }),
  ...saying('F121', '0', 1),
  ...saying('F121', '1', 1),
  ...saying('F121', ' 17 ', 17),
  ...saying('F121', '3600', 3_600),
  ...saying('F122', 'Fri, 20 Nov 2026 12:01:30 GMT', 90),
  // by the platform's own clock, if it sends a Date
  ...saying('F122', 'Fri, 20 Nov 2026 12:31:30 GMT', 30, 'Fri, 20 Nov 2026 12:31:00 GMT'),
  ...saying('F122', 'Fri, 20 Nov 2026 11:00:00 GMT', 1),
  ...saying('F122', 'Sun, 20 Nov 2095 12:00:00 GMT', 3_600),
  ...saying('F122', 'Friday, 20-Nov-26 12:01:30 GMT', null),
  ...[
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    'NaN',
    '5, 7',
    '2026-11-20T12:01:30Z',
    'Fri, 99 Foo 2026 12:01:30 GMT',
  ].flatMap((said) => saying('F124', said, null)),
  ...saying('F125', '3601', 3_600),
  ...saying('F125', '99999999999', 3_600),
  ...saying('F125', '9'.repeat(40), 3_600),
  ...saying('F126', String(nowMs + 54_001), 55),
  ...saying('F126', String(nowMs - 54_000), 1),
  {
    id: 'F124',
    fault: '429 with two fields of Retry-After',
    expect: { ...limited, retryAfter: null },
    script: (_, res) => {
      const fields = ['Content-Type', 'application/json', 'Retry-After', '5', 'Retry-After', '7']
      res.writeHead(429, fields).end(JSON.stringify(refusal()))
    },
  },
])

const once = { retryAfter: null, ...limited }

faults([
  ...always({
    id: 'F123',
    fault: '429 without Retry-After',
    status: 429,
    expect: once,
    at: everywhere,
    row: { restsSec: 1 },
  }),
  {
    // after each further refusal the platform key pauses twice as long: four seconds at the third
    id: 'F123',
    fault: '429 without Retry-After, three times',
    script: answering(page, 429),
    expect: once,
    options: { file: { upstream: { timeoutMs: 3_000 } } },
    timeoutMs: 3_000,
    more: async (_, { service, calls }) => {
      for (const count of [2, 3]) {
        const { status, headers } = await service.ask(page.path)
        assert.deepEqual(
          [status, headers['retry-after'], calls()],
          [429, undefined, count],
          'asked once more, after a rest',
        )
      }
      const { status, headers } = await service.ask(page.path)
      assert.deepEqual([status, calls()], [429, 3], 'no call')
      assert.ok(['3', '4'].includes(String(headers['retry-after'])), String(headers['retry-after']))
    },
  },
])

/** the lookup succeeds, and the read behind it fails */
const childOf = (at: typeof page): string => Object.keys(at.others)[0] ?? ''
const wait = { 'retry-after': '1' }

faults(
  lookups.flatMap((at): ScriptedFault[] => [
    {
      id: 'F127',
      fault: `429 once for ${at.name}`,
      at,
      script: [answering(at, 429, wait), answerRead(at, at.healthy)],
      expect: { ...limited, retryAfter: 1 },
    },
    {
      id: 'F127',
      fault: `429 once for the read behind ${at.name}`,
      at,
      script: (call, res) => (call.path === childOf(at) ? send(res, refusal(), wait, 429) : send(res, at.healthy)),
      expect: { ...limited, retryAfter: 1, calls: 2 },
    },
  ]),
)

const left = (hour: number): Record<string, string> => ({ 'x-rate-limit': `user-hour-lim:3600;user-hour-rem:${hour};` })
const perMinute = { 'x-rate-limit': 'user-minute-lim:250;user-minute-rem:0;' }
const resting = { ...limited, calls: 0 }

faults([
  ...[left(0), perMinute].map((headers): ScriptedFault => ({
    id: 'F128',
    fault: `a page with ${headers['x-rate-limit']}`,
    script: answerRead(page, page.healthy, headers),
    expect: { status: 200, json: page.answer, calls: 1 },
    restsSec: 60,
    resting,
  })),
  ...lookups.map((at): ScriptedFault => ({
    // the lookup's result is kept: the one call a minute later is for the read behind it
    id: 'F128',
    fault: `nothing is left behind ${at.name}`,
    at,
    script: answerRead(at, at.healthy, left(0)),
    expect: { ...limited, retryAfter: 60 },
    restsSec: 60,
  })),
  {
    id: 'F128',
    fault: 'nothing is left, said with a refusal',
    script: answering(page, 404, left(0)),
    expect: { status: 404, type: 'resource_not_found', calls: 1 },
    restsSec: 60,
    resting,
  },
])

const odd = [
  'nonsense',
  ';;;',
  'user-hour-lim:;user-hour-rem:;',
  'user-hour-lim:3600',
  'user-hour-rem:0',
  'user-hour-lim:-1;user-hour-rem:-1',
  'user-hour-lim:NaN;user-hour-rem:NaN',
  'user-hour-lim:0;user-hour-rem:0',
  'user-hour-lim:1e3;user-hour-rem:0',
  'user-hour-lim:3.5;user-hour-rem:0.5',
  '{"user-hour-rem":0}',
  `user-hour-lim:${'9'.repeat(400)};user-hour-rem:0`,
  'x:1;'.repeat(2_000),
]

faults(
  odd.map((said): ScriptedFault => {
    const script: Script = answerRead(page, page.healthy, { 'x-rate-limit': said })
    return {
      id: 'F129',
      fault: `X-Rate-Limit ${said.slice(0, 60)}`,
      script,
      expect: { status: 200, json: page.answer, calls: 1 },
      more: async (_: Answer, { service, calls }: Scene) => {
        assert.deepEqual([(await service.ask(page.path)).status, calls()], [200, 2])
        assert.equal(service.events.filter(({ kind }) => kind === 'failed').length, 0)
      },
    }
  }),
)
