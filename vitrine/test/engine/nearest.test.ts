import assert from 'node:assert/strict'
import test from 'node:test'
import { nearestOf } from '../../../base/core/nearest.ts'

const names = ['name', 'bundleId', 'sku', 'versionPlatform', 'id', 'sort', 'fields', 'limit', '*']

test('a typing mistake finds the intended name', () => {
  const slips = {
    nmae: 'name',
    Name: 'name',
    bundleid: 'bundleId',
    bundle_id: 'bundleId',
    feilds: 'fields',
    limits: 'limit',
    versionPlatfrom: 'versionPlatform',
    sorts: 'sort',
  }
  for (const [slip, meant] of Object.entries(slips)) assert.equal(nearestOf(slip, names), meant, slip)
})

test('a name that resembles none gets no hint', () => {
  for (const word of ['x', 'q', 'b', 'os', 'page', 'include', 'platformVersion', '', 'x'.repeat(10_000)])
    assert.equal(nearestOf(word, names), undefined, word)
  assert.equal(nearestOf('name', []), undefined)
})
