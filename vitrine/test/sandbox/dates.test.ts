import assert from 'node:assert/strict'
import test from 'node:test'
import { rows } from '../../src/sandbox/account/feedback.ts'
import { writeInstant } from '../../src/sandbox/account/rows.ts'
import { rows as versionRows } from '../../src/sandbox/account/versions.ts'
import { rows as reviewRows } from '../../src/sandbox/account/reviews.ts'
import { rows as subscriptionRows } from '../../src/sandbox/account/subscriptions.ts'

const forms = {
  seconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  decimals: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,3}(?<!0)Z$/,
  pacific: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[78]:00$/,
}
const formOf = (text: string) => Object.entries(forms).find(([, form]) => form.test(text))?.[0]

test('an attribute of the sandbox has its dates in one of the forms of the platform, always the same', () => {
  const found = new Map<string, Set<string | undefined>>()
  for (const { type, values } of [...rows, ...versionRows, ...reviewRows, ...subscriptionRows])
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) continue
      const place = `${type}.${name}`
      found.set(place, (found.get(place) ?? new Set()).add(formOf(value)))
    }
  assert.ok(found.size >= 6, [...found.keys()].join())
  for (const [place, kinds] of found) assert.deepEqual([place, kinds.size, kinds.has(undefined)], [place, 1, false])
})

test('Pacific time has the offset of its day', () => {
  const at = (text: string) => writeInstant(Date.parse(text), 'pacific')
  assert.equal(at('2026-01-07T16:30:00Z'), '2026-01-07T08:30:00-08:00')
  assert.equal(at('2026-07-07T16:30:00Z'), '2026-07-07T09:30:00-07:00')
  assert.equal(at('2026-03-08T09:59:59Z'), '2026-03-08T01:59:59-08:00')
  assert.equal(at('2026-03-08T10:00:00Z'), '2026-03-08T03:00:00-07:00')
  assert.equal(at('2026-11-01T09:00:00Z'), '2026-11-01T01:00:00-08:00')
})
