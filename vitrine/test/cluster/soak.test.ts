// The evaluation of a soak test: it finds a leak in noise, and reports none in noise alone.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createChance } from '../secrets/random.ts'
import { figuresOf, fit } from './soak/figures.ts'
import { drawSoak, roundUp } from './soak/picture.ts'
import type { Sample } from './soak/sampler.ts'

const chance = createChance(7)

/** half an hour, every 5 s: 90 MiB with noise of 8, and a growth each minute */
const samplesOf = (perMin: number): Sample[] =>
  Array.from({ length: 360 }, (_, n) => ({
    replica: 'a',
    at: n * 5,
    values: { rssMiB: 90 + chance.below(1_600) / 100 - 8 + (perMin * n) / 12, sockets: 12 },
  }))

test('memory that grows by a quarter of a MiB a minute under 16 MiB of noise counts as growing', () => {
  const { verdict, slopePerMin, withinPerMin, first, last } = figuresOf(samplesOf(0.25), 'rssMiB', 'a', 300)
  assert.equal(verdict, 'grows')
  assert.ok(Math.abs(slopePerMin - 0.25) < withinPerMin + 0.1 && last > first, `${slopePerMin} ± ${withinPerMin}`)
})

test('noise, a constant count and shrinking memory count as flat', () => {
  assert.equal(figuresOf(samplesOf(0), 'rssMiB', 'a', 300).verdict, 'flat')
  assert.equal(figuresOf(samplesOf(0), 'sockets', 'a', 300).verdict, 'flat')
  assert.equal(figuresOf(samplesOf(-1), 'rssMiB', 'a', 300).verdict, 'flat')
})

test('two minutes are too short for a verdict', () => {
  assert.equal(figuresOf(samplesOf(1).slice(0, 24), 'rssMiB', 'a', 0).verdict, 'too short')
})

test('the fitted line passes through points that lie on a line', () => {
  const { slope, within } = fit([1, 2, 3, 4, 5].map((x) => [x, 3 * x + 1] as const))
  assert.ok(Math.abs(slope - 3) < 1e-9 && within < 1e-6)
})

test('the chart has a line for each replica in each field, on scales that fit all values', () => {
  const samples = [...samplesOf(0), ...samplesOf(0).map((one) => ({ ...one, replica: 'b' }))]
  const drawing = {
    samples,
    measures: ['rssMiB', 'sockets'] as const,
    replicas: ['a', 'b'],
    faults: [10, 20],
    warmSec: 300,
  }
  const svg = drawSoak({ ...drawing, title: 'Two replicas' })
  assert.equal([...svg.matchAll(/<polyline/g)].length, 4)
  const ys = [...svg.matchAll(/points="([^"]*)"/g)].flatMap(([, points = '']) =>
    points.split(' ').map((p) => Number(p.split(',')[1])),
  )
  assert.ok(ys.every((y) => y > 0 && y < 420))
  assert.deepEqual([0.3, 1, 11, 24, 26, 101].map(roundUp), [0.5, 1, 20, 25, 50, 200])
})
