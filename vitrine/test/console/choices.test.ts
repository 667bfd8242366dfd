// The choices of a combobox while one types.
import assert from 'node:assert/strict'
import test from 'node:test'
import { grouped, lastPart, matching, withLastPart } from '../../../base/console/parts/choices.ts'

const choices = [
  { value: 'a', label: 'listApps', detail: 'List apps', group: 'apps' },
  { value: 'b', label: 'getEvent', detail: 'Read an in-app event', group: 'marketing' },
  { value: 'c', label: 'listAppVersionIds', detail: 'List the ids', group: 'apps' },
]
const valuesOf = (typed: string) => matching(choices, typed).map(({ value }) => value)

test('a choice is found by the words of its label, its detail and its group', () => {
  assert.deepEqual(valuesOf(''), ['a', 'b', 'c'])
  assert.deepEqual(valuesOf('  LIST   ids '), ['c'])
  assert.deepEqual(valuesOf('marketing'), ['b'])
  assert.deepEqual(valuesOf('app'), ['a', 'b', 'c'])
  assert.deepEqual(valuesOf('apps nothing'), [])
})

test('the choices of a group stay together, in order', () => {
  assert.deepEqual(
    grouped(choices).map(([group, some]) => [group, some.map(({ value }) => value)]),
    [
      ['apps', ['a', 'c']],
      ['marketing', ['b']],
    ],
  )
})

test('of several values separated by commas, the last is completed', () => {
  assert.equal(lastPart('IOS, TV'), 'TV')
  assert.equal(lastPart('IOS'), 'IOS')
  assert.equal(withLastPart('IOS,TV', 'TV_OS'), 'IOS,TV_OS')
  assert.equal(withLastPart('TV', 'TV_OS'), 'TV_OS')
})
