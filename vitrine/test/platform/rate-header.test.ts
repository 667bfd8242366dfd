import assert from 'node:assert/strict'
import test from 'node:test'
import { readRates } from '../../src/platform/schedule/rate-header.ts'

const hour = (limit: number, remaining: number) => ({ hour: { limit, remaining } })

test('X-Rate-Limit is read in every form seen so far, and anything else is ignored', () => {
  const rows: [string | undefined, object][] = [
    ['user-hour-lim:3500;user-hour-rem:500;', hour(3_500, 500)],
    ['user-hour-lim:3600;user-hour-rem:3582', hour(3_600, 3_582)],
    [' user-hour-rem : 7 ; USER-HOUR-LIM : 9 ', hour(9, 7)],
    ['user-hour-lim:3600;user-hour-rem:0;', hour(3_600, 0)],
    [
      'user-hour-lim:3600;user-hour-rem:10;, user-minute-lim:150;user-minute-rem:149;',
      { ...hour(3_600, 10), minute: { limit: 150, remaining: 149 } },
    ],
    ['user-minute-lim:250;user-minute-rem:1;user-week-rem:9;', { minute: { limit: 250, remaining: 1 } }],
    // more left than the limit: the limit
    ['user-hour-lim:10;user-hour-rem:99;', hour(10, 10)],
    // given twice: the smaller one
    ['user-hour-lim:10;user-hour-rem:5;user-hour-rem:3;', hour(10, 3)],
    ...[
      undefined,
      '',
      ';;;',
      'nonsense',
      'user-hour-lim',
      'user-hour-lim:;user-hour-rem:;',
      'user-hour-lim:3600;',
      'user-hour-rem:3600;',
      'user-hour-lim:-1;user-hour-rem:-1;',
      'user-hour-lim:1e3;user-hour-rem:5;',
      'user-hour-lim:3.5;user-hour-rem:1.5;',
      'user-hour-lim:0;user-hour-rem:0;',
      'user-hour-lim:99999999999999;user-hour-rem:1;',
      'user-hour-lim:NaN;user-hour-rem:NaN;',
      '{"a":1}',
    ].map((value): [string | undefined, object] => [value, {}]),
  ]
  for (const [value, told] of rows) assert.deepEqual(readRates(value), told, value)
})

test('an endless header is read in no time', () => {
  const startedAt = performance.now()
  for (const piece of ['user-hour-lim:1', 'a-', ':1;', '1:', ' ', 'x:1 '])
    readRates(piece.repeat(16_384 / piece.length))
  assert.ok(performance.now() - startedAt < 2_000)
})
