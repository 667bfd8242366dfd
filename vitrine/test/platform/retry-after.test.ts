import assert from 'node:assert/strict'
import test from 'node:test'
import { readRetryAfter } from '../../src/platform/retry/retry-after.ts'

const now = Date.UTC(2026, 10, 21, 12, 0, 0)
const date = (ms: number) => new Date(now + ms).toUTCString()

const cases: [string | undefined, number | undefined][] = [
  ...(['0', '1', '120', '3600', '99999'] as const).map((v): [string, number] => [
    v,
    Math.min(3600, Math.max(1, Number(v))),
  ]),
  ['99999999999', 3600],
  ['9'.repeat(40), 3600],
  [date(30_000), 30],
  [date(-30_000), 1],
  [date(86_400_000), 3600],
  [String(now + 54_000), 54],
  [String(now - 54_000), 1],
  ...[
    undefined,
    '',
    ' ',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '120, 130',
    '2026-11-21',
    'Saturday, 21-Nov-26 12:00:30 GMT',
    '٣',
  ].map((v): [string | undefined, undefined] => [v, undefined]),
]

for (const [value, seconds] of cases)
  test(`Retry-After ${JSON.stringify(value)} is ${seconds ?? 'nothing'}`, () => {
    assert.equal(readRetryAfter(value, now), seconds)
  })
