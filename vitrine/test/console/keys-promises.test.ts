// What the console knows of keys without a request: it must be what the API says.
import assert from 'node:assert/strict'
import test from 'node:test'
import { groups } from '../../src/catalogue/groups.ts'
import { blank, bodyOf, type KeyDraft, endOf, faultsOf, spanOf } from '../../src/console/pages/keys/key-draft.ts'
import { endsSoon, isIdle, filtered, standard } from '../../src/console/pages/keys/filter.ts'
import { withoutSecret } from '../../src/console/facade-key.ts'
import type { Key } from '../../src/console/answers.ts'
import { readKeyWish } from '../../src/management/key-wish.ts'
import { readSpan } from '../../../base/core/moment.ts'
import { Problem } from '../../src/problems.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const many = (amount: number): string[] => Array.from({ length: amount }, (_, i) => `account-${i}`)
const known = ['acme', 'other', ...many(1_001)]

/** the member that the API would refuse; undefined: none */
function refusedMember(draft: KeyDraft): string | undefined {
  try {
    readKeyWish(JSON.parse(JSON.stringify(bodyOf(draft))), known, now)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.extras.param
  }
}

const good: KeyDraft = { ...blank, name: 'ci', connections: ['acme'] }

const taken: Readonly<Record<string, Partial<KeyDraft>>> = {
  'a name of one letter': { name: 'c' },
  'a name of a hundred letters': { name: 'n'.repeat(100) },
  'a name of a hundred letters that are two units each': { name: '😀'.repeat(100) },
  'a name with space around it': { name: '  ci  ' },
  'a note of five hundred letters': { note: 'n'.repeat(500) },
  'a note of nothing but space': { note: '   ' },
  'a thousand connections': { connections: many(1_000) },
  'all connections': { sees: 'all', connections: [] },
  'one group': { may: 'chosen', groups: ['reviews'] },
  'all groups, one by one': { may: 'chosen', groups },
  '30 days': { ends: '30d' },
  'a year': { ends: '365d' },
  'no end': { ends: 'never' },
  'personal data': { personal: 'yes' },
  'two apps': { apps: ' 6446998001, 6446998002,' },
  'a budget of a million': { platformCallsPerHour: ' 1000000 ' },
  tomorrow: { ends: 'date', date: '2026-11-22' },
  'no rate': { rate: 'none' },
  'a rate of one': { rate: 'own', perMinute: '1' },
  'a rate of a million': { rate: 'own', perMinute: '1000000' },
}

for (const [title, part] of Object.entries(taken))
  test(`the form takes ${title}, and so does the endpoint`, () => {
    assert.deepEqual(faultsOf({ ...good, ...part }, now), {})
    assert.equal(refusedMember({ ...good, ...part }), undefined)
  })

const refused: readonly (readonly [string, string, Partial<KeyDraft>])[] = [
  ['no name', 'name', { name: '' }],
  ['a name of nothing but space', 'name', { name: '  ' }],
  ['a name of 101 letters', 'name', { name: 'n'.repeat(101) }],
  ['a name of two lines', 'name', { name: 'a\nb' }],
  ['half a letter in a name', 'name', { name: 'a\uD83D' }],
  ['a note of 501 letters', 'note', { note: 'n'.repeat(501) }],
  ['a note of two lines', 'note', { note: 'a\tb' }],
  ['no connection', 'connections', { connections: [] }],
  ['1,001 connections', 'connections', { connections: many(1_001) }],
  ['no group', 'groups', { may: 'chosen', groups: [] }],
  ['today', 'expires', { ends: 'date', date: '2026-11-21' }],
  ['a day of last year', 'expires', { ends: 'date', date: '2025-11-22' }],
  ['no day', 'expires', { ends: 'date', date: '' }],
  ['a day that there is not', 'expires', { ends: 'date', date: '2027-02-31' }],
  ['a rate below none', 'perMinute', { rate: 'own', perMinute: '-1' }],
  ['a rate in halves', 'perMinute', { rate: 'own', perMinute: '1.5' }],
  ['a rate above a million', 'perMinute', { rate: 'own', perMinute: '1000001' }],
  ['a rate in words', 'perMinute', { rate: 'own', perMinute: 'ten' }],
  ['an app that is no id', 'apps', { apps: '1,a b' }],
  ['101 apps', 'apps', { apps: many(101).join() }],
  ['a budget of none', 'platformCallsPerHour', { platformCallsPerHour: '0' }],
  ['a budget above a million', 'platformCallsPerHour', { platformCallsPerHour: '1000001' }],
]

for (const [title, member, part] of refused)
  test(`the form refuses ${title} where the endpoint would`, () => {
    const draft = { ...good, ...part }
    assert.deepEqual(Object.keys(faultsOf(draft, now)), [member])
    assert.equal(refusedMember(draft), member)
  })

test('a custom rate limit needs a number, and no limit does not', () => {
  for (const perMinute of ['', '0'])
    assert.deepEqual(Object.keys(faultsOf({ ...good, rate: 'own', perMinute }, now)), ['perMinute'])
})

test('the form says when the key will expire', () => {
  for (const [ends, at] of [
    ['30d', '2026-12-21T12:00:00.000Z'],
    ['90d', '2027-02-19T12:00:00.000Z'],
    ['365d', '2027-11-21T12:00:00.000Z'],
  ] as const) {
    assert.equal(endOf({ ends, date: '' }, now), Date.parse(at))
    assert.equal(readKeyWish(bodyOf({ ...good, ends }), known, now).expiresAt, Date.parse(at))
  }
  assert.equal(endOf({ ends: 'date', date: '2027-01-31' }, now), Date.parse('2027-01-31T00:00:00Z'))
  assert.equal(endOf({ ends: 'date', date: '' }, now), undefined)
  assert.equal(endOf({ ends: 'never', date: '2027-01-31' }, now), undefined)
  assert.equal(readKeyWish(bodyOf({ ...good, ends: 'never' }), known, now).expiresAt, undefined)
})

test('a form that is left as it is makes a key of 90 days without personal data, as the endpoint does', () => {
  const { expiresAt, personal } = readKeyWish(bodyOf(good), known, now)
  assert.deepEqual([expiresAt, personal], [Date.parse('2027-02-19T12:00:00Z'), false])
  const bare = readKeyWish({ name: 'ci', connections: ['acme'] }, known, now)
  assert.deepEqual([bare.expiresAt, bare.personal ?? false], [expiresAt, personal])
})

test('the page and the API accept the same overlaps', () => {
  for (const text of ['0', '1m', '30m', '24h', '7d', '999999d', '0h'])
    assert.equal(spanOf(text), readSpan('overlap', text), text)
  for (const text of ['', ' ', '1', '24', 'h', '1w', '-1h', '1.5h', '1000000m', '24 h', '24H']) {
    assert.equal(spanOf(text), undefined, text)
    assert.throws(() => readSpan('overlap', text), Problem, text)
  }
})

const key: Key = {
  id: '3kTq9ZpW1xYb',
  name: 'Dashboard',
  note: 'of the night shift',
  state: 'active',
  connections: ['acme'],
  endedConnections: [],
  groups: ['apps'],
  apps: null,
  personal: false,
  perMinute: null,
  platformCallsPerHour: null,
  createdAt: '2026-11-01T12:00:00Z',
  expiresAt: null,
  revokedAt: null,
  replaces: null,
  lastUsedAt: null,
}
const found = (text: string) => filtered([key], { ...standard, text }, now).length

test('a key is found by its name, id, note and connections, in any case', () => {
  for (const text of ['dash', 'NIGHT', 'acm', '3ktq', ' 3kTq9ZpW1xYb ']) assert.equal(found(text), 1, text)
  for (const text of ['dashboards', 'apps', 'other']) assert.equal(found(text), 0, text)
})

test('a key expires soon within 14 days, and is idle after 90 days without use', () => {
  assert.equal(endsSoon({ ...key, expiresAt: '2026-12-05T12:00:00Z' }, now), true)
  assert.equal(endsSoon({ ...key, expiresAt: '2026-12-05T12:00:01Z' }, now), false)
  assert.equal(endsSoon({ ...key, state: 'expired', expiresAt: '2026-11-20T12:00:00Z' }, now), false)
  assert.equal(endsSoon(key, now), false)
  assert.equal(isIdle({ ...key, lastUsedAt: '2026-08-23T11:59:59Z' }, now), true)
  assert.equal(isIdle({ ...key, lastUsedAt: '2026-08-23T12:00:00Z' }, now), false)
  assert.equal(isIdle({ ...key, createdAt: '2026-08-01T12:00:00Z' }, now), true)
  assert.equal(isIdle(key, now), false)
})

test('of a whole key in the search, only the id stays', () => {
  assert.equal(withoutSecret('vtr_live_3kTq9ZpW1xYb_abcdef'), '3kTq9ZpW1xYb')
  assert.equal(withoutSecret('Authorization: Bearer vtr_test_3kTq9ZpW1xYb_abcdef'), '3kTq9ZpW1xYb')
  assert.equal(withoutSecret('vtr_live_'), 'vtr_live_')
})
