import assert from 'node:assert/strict'
import test from 'node:test'
import { relativeTime } from '../../../base/console/format.ts'

test('a relative time has the largest unit that fits, and never shows 60 seconds', () => {
  const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
  assert.deepEqual(
    [0, -4 * second, -5 * second, -59.6 * second, 2 * minute, -100 * minute, -23.6 * hour, 30 * day, -400 * day].map(
      relativeTime,
    ),
    ['now', 'now', '5 sec. ago', '1 min. ago', 'in 2 min.', '2 hr. ago', 'yesterday', 'in 30 days', 'last yr.'],
  )
})
