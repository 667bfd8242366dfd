import assert from 'node:assert/strict'
import test from 'node:test'
import { counted, duration, share, whole } from '../../../base/console/format.ts'
import {
  brokenLine,
  evenScale,
  gapsOf,
  loneDots,
  middleOf,
  stackedBars,
  tenfoldScale,
  ticksOf,
} from '../../../base/console/parts/chart-geometry.ts'

const room = { left: 10, top: 0, width: 40, height: 100 }

test('an axis of counts starts at 0, has whole steps, and ends above the highest value', () => {
  for (const [values, ticks] of [
    [[], [0, 1]],
    [
      [0, 0],
      [0, 1],
    ],
    [[3], [0, 1, 2, 3]],
    [
      [7, 2],
      [0, 5, 10],
    ],
    [[100], [0, 50, 100]],
    [[101], [0, 50, 100, 150]],
    [[61_000], [0, 50_000, 100_000]],
  ] as const)
    assert.deepEqual(evenScale(values).ticks, ticks)
  assert.equal(evenScale([100]).at(25), 0.25)
})

test('steps without data are drawn as one gap each run', () => {
  assert.deepEqual(gapsOf([]), [])
  assert.deepEqual(gapsOf([true, true]), [])
  assert.deepEqual(gapsOf([false, false, true, false, true, true, false]), [
    [0, 2],
    [3, 1],
    [6, 1],
  ])
})

test('ticks that would overlap are left out', () => {
  const steps = {
    starts: ['a', 'b', 'c', 'd'],
    unit: 'hour',
    known: [],
    nameOf: String,
    tickOf: (iso: string) => (iso === 'b' ? undefined : 'Mon 23'),
  }
  const names = (width: number) => ticksOf(steps, { ...room, width }).length
  assert.deepEqual([names(40), names(160), names(800)], [1, 2, 3])
})

test('an axis of times has tenfold steps, and no value is below its foot', () => {
  const scale = tenfoldScale([3, 450])
  assert.deepEqual(scale.ticks, [1, 10, 100, 1_000])
  assert.deepEqual([scale.at(1), scale.at(1_000), scale.at(0), scale.at(0.2)], [0, 1, 0, 0])
  assert.deepEqual(tenfoldScale([]).ticks, [10, 100])
  assert.deepEqual(tenfoldScale([0.3]).ticks, [0.1, 1, 10])
})

test('a line breaks where values are missing, and a lone minute is a dot', () => {
  const scale = evenScale([100])
  assert.equal(brokenLine([0, 50, null, 100], scale, room), 'M15.0 100.0L25.0 50.0M45.0 0.0')
  assert.equal(loneDots([0, 50, null, 100], scale, room), 'M45.0 0.0h0')
  assert.equal(loneDots([25, null, 50, null], scale, room), 'M15.0 75.0h0M35.0 50.0h0')
  assert.equal(brokenLine([null, null], scale, room), '')
})

test('bars are stacked, and one among thousands is visible', () => {
  const [low, high] = stackedBars(
    [
      [50, 0],
      [50, 100],
    ],
    evenScale([100]),
    { ...room, width: 20 },
  )
  assert.equal(low, 'M11.2 100.0v-50.0h7.6v50.0z')
  assert.equal(high, 'M11.2 50.0v-50.0h7.6v50.0zM21.2 100.0v-100.0h7.6v100.0z')
  assert.equal(stackedBars([[1]], evenScale([100_000]), room)[0], 'M14.8 100.0v-1.0h30.4v1.0z')
  assert.equal(middleOf(room, 0, 4), 15)
})

test('numbers are formatted for people, and a percentage never rounds a problem away', () => {
  assert.deepEqual([whole(12_345), counted(1, 'call'), counted(2_000, 'call')], ['12,345', '1 call', '2,000 calls'])
  assert.deepEqual(
    [share(0, 0), share(0, 9), share(1, 1_000), share(999, 1_000), share(5, 5), share(1, 3)],
    ['0 %', '0 %', '< 1 %', '> 99 %', '100 %', '33 %'],
  )
  assert.deepEqual([0.34, 9.96, 12.3, 999, 1_000, 9_949, 9_960, 119_000, 120_000].map(duration), [
    '0.3 ms',
    '10 ms',
    '12 ms',
    '999 ms',
    '1 s',
    '9.9 s',
    '10 s',
    '119 s',
    '2 min',
  ])
})
