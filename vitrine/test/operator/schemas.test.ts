import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Body } from '../../../base/web/body.ts'
import { checkBody } from '../../../base/operations/check.ts'
import { accepts, isOpen } from '../../../base/operations/operation.ts'
import { describeOperator } from '../../src/management/description.ts'
import { networkOf } from '../../../base/core/network.ts'
import { createLockOut } from '../../../base/auth/rate-limits.ts'
import { readMoment, readSpan } from '../../../base/core/moment.ts'
import { operations } from '../../src/management/operations.ts'
import { Problem } from '../../src/problems.ts'

const odd: unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e6,
  1e6 + 1,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'x',
  '*',
  '0',
  '1',
  'true',
  'apps',
  'asked',
  'request',
  'a b',
  'a\nb',
  '\u0000',
  '\ud800',
  '😀',
  '😀'.repeat(64),
  '😀'.repeat(100),
  'é',
  'n'.repeat(64),
  'n'.repeat(65),
  'n'.repeat(100),
  'n'.repeat(101),
  'n'.repeat(500),
  'n'.repeat(501),
  'n'.repeat(8_193),
  '-x',
  '.x',
  '_x',
  'x.y',
  'x-y_z',
  '24h',
  '24 h',
  '1234567h',
  '-1d',
  '2027-01-31',
  [],
  {},
  [1],
  [null],
  ['x'],
  ['x', 'x'],
  ['x', 'y'],
  ['apps', 'builds'],
  ['apps', 'apps'],
  [''],
  ['*'],
  [['x']],
  Array.from({ length: 1_000 }, (_, i) => `${i}`),
  Array.from({ length: 1_001 }, (_, i) => `${i}`),
  { length: 1 },
]

function isTaken(schema: Parameters<typeof checkBody>[0], body: Body): boolean {
  try {
    checkBody(schema, body)
    return true
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'member_invalid' && error.extras.param !== undefined)
    return false
  }
}

test('a body is accepted exactly if the schema of the description accepts it', () => {
  const ajv = new Ajv2020({ strict: false })
  let [taken, refused] = [0, 0]
  for (const { body: schema, bodyExample = {} } of operations) {
    if (!schema) continue
    const validate = ajv.compile(schema)
    assert.ok(validate(bodyExample) && isTaken(schema, bodyExample), 'the example is good')
    for (const name of [...Object.keys(schema.properties), 'nmae', 'toString'])
      for (const value of odd) {
        const body: Body = { ...bodyExample, [name]: value }
        if (value === undefined) Reflect.deleteProperty(body, name)
        const mine = isTaken(schema, body)
        assert.equal(mine, validate(body), `${name}: ${JSON.stringify(value)?.slice(0, 99)}`)
        if (mine) taken++
        else refused++
      }
  }
  assert.ok(taken > 50 && refused > 500, `${taken} ${refused}`)
})

test('every operation has a name and an act of its own, and a line in the guide', () => {
  const ids = operations.map(({ operationId }) => operationId)
  const acts = operations.map(({ act }) => act)
  assert.deepEqual([new Set(ids).size, new Set(acts).size], [ids.length, acts.length])
  const guide = readFileSync('docs/guides/operator.md', 'utf8')
  for (const { method, path, body, subject, ...row } of operations) {
    const full = path.replace('{id}', subject === 'key' ? '3kTq9ZpW1xYb' : 'studio')
    const example = full.startsWith('/operator/v1/')
      ? full.replace('/operator/v1', '$api')
      : `\${api%/operator/v1}${full}`
    const sent = method === 'GET' ? '' : body ? ' -H "$json" -d [^|]*' : ` -X ${method}`
    const escape = (text: string) => text.replaceAll(/[${}]/g, String.raw`\$&`)
    const cookie = row.withoutCsrf ? '-b cookies' : '-b cookies -H "X-Vitrine-Csrf: $csrf"'
    const entry = escape(isOpen(row) ? '-c cookies' : accepts(row, 'token') ? '-H "$auth"' : cookie)
    assert.match(guide, new RegExp(`curl ${entry}${sent.replaceAll('$', '\\$')} "${escape(example)}["?]`), example)
  }
})

test('every answer of the description that is an object names all its members as required', () => {
  const { components } = describeOperator() as any
  for (const [name, schema] of Object.entries<any>(components.schemas))
    if (name !== 'ProblemError') assert.deepEqual(schema.required, Object.keys(schema.properties), name)
})

test('times are read as people write them, and nothing else is accepted', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const at = (text: string) => new Date(readMoment('expires', text, now)).toISOString()
  assert.equal(at('90d'), '2027-02-19T12:00:00.000Z')
  assert.equal(at('30m'), '2026-11-21T12:30:00.000Z')
  assert.equal(at('2027-01-31'), '2027-01-31T00:00:00.000Z')
  assert.equal(at('2027-01-31T10:00+02:00'), '2027-01-31T08:00:00.000Z')
  assert.equal(at('2027-01-31T08:00:00.000Z'), '2027-01-31T08:00:00.000Z', 'as the operator endpoint writes them')
  for (const text of [
    '',
    '90',
    'd',
    '1w',
    '1.5d',
    '-1d',
    '0d',
    '2027-02-31',
    '2027-1-1',
    '2027-01-31T10',
    '2026-11-21',
    'never',
  ])
    assert.throws(() => readMoment('expires', text, now), { code: 'member_invalid' }, text)
  assert.deepEqual(
    [readSpan('overlap', '0'), readSpan('overlap', '24h'), readSpan('overlap', '0m')],
    [0, 86_400_000, 0],
  )
  for (const text of ['', '24', 'h', '1y', '-1h', ' 1h'])
    assert.throws(() => readSpan('overlap', text), { code: 'member_invalid' })
})

test('addresses of one network count as one', () => {
  const same = (a: string, b: string) => networkOf(a) === networkOf(b)
  assert.ok(same('192.0.2.1', '192.0.2.254'))
  assert.ok(same('192.0.2.1', '::ffff:192.0.2.9'))
  assert.ok(!same('192.0.2.1', '192.0.3.1'))
  assert.ok(same('2001:db8:1:200::1', '2001:db8:1:2ff:ffff::'))
  assert.ok(!same('2001:db8:1:200::1', '2001:db8:1:300::1'))
  assert.ok(same('2001:db8::1', '2001:db8:0:0:1:2:3:4'))
  assert.ok(same('fe80::1%eth0', 'fe80::2'))
  assert.ok(!same('::1', '1::'))
  assert.ok(!same('192.0.2.1', '::1'))
})

test('the lock-out keeps at most 50,000 networks, and drops those that failed longest ago', () => {
  const lockOut = createLockOut({ now: () => 0 })
  const fail = (address: string) => {
    for (let i = 0; i < 10; i++) lockOut.failed(address)
  }
  fail('192.0.2.1')
  assert.equal(lockOut.waitOf('192.0.2.77'), 60)
  for (let i = 0; i < 49_999; i++)
    lockOut.failed(`2001:db8:${(i >> 8).toString(16)}:${((i & 255) << 8).toString(16)}::1`)
  assert.equal(lockOut.waitOf('192.0.2.1'), 60)
  lockOut.failed('198.51.100.1')
  assert.equal(lockOut.waitOf('192.0.2.1'), 0)
})
