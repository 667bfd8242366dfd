import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { readRouteQuery } from '../../src/engine/request.ts'
import { Problem } from '../../src/problems.ts'

const apps = routes[0]!

function refusal(query: string, route = apps): Problem {
  try {
    readRouteQuery(route, query)
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.equal(error.row.status, 400)
    assert.equal(error.row.type, 'invalid_query')
    return error
  }
  return assert.fail(`${query} was taken`)
}

test('a query is parsed with decoded values, whole lists, and no limit if none is given', () => {
  assert.deepEqual(readRouteQuery(apps, ''), { filters: new Map() })
  const query = readRouteQuery(
    apps,
    'name=Caf%C3%A9+1,b%26c&sort=-name,sku&fields=sku,name&limit=200&cursor=x-_&li%6Dit'.replace('&li%6Dit', ''),
  )
  assert.deepEqual(query, {
    filters: new Map([['name', 'Café 1,b&c']]),
    sort: '-name,sku',
    fields: ['sku', 'name'],
    limit: 200,
    cursor: 'x-_',
  })
})

test('a limit is plain digits from 1 to 200', () => {
  for (const good of ['1', '50', '200']) assert.equal(readRouteQuery(apps, `limit=${good}`).limit, Number(good))
  for (const bad of ['0', '201', '-1', '1.5', '1e2', '0x10', '05', '+5', '%205', '5%20', '٣', 'abc', '9'.repeat(30)])
    assert.deepEqual(
      [refusal(`limit=${bad}`).code, refusal(`limit=${bad}`).extras.param],
      ['value_not_allowed', 'limit'],
    )
})

test('an unknown parameter is rejected with the nearest allowed name and all of them', () => {
  const { code, message, extras } = refusal('nmae=x')
  assert.equal(code, 'unknown_parameter')
  assert.equal(extras.param, 'nmae')
  assert.equal(extras.details?.['nearest'], 'name')
  assert.match(message, /"nmae" .* Did you mean "name"\? Allowed: name, bundleId, /)
  for (const name of ['include', 'filter[name]', 'fields[apps]', '__proto__', 'constructor', 'Name', '', 'name%00'])
    assert.equal(refusal(`${name}=x`).code, 'unknown_parameter')
})

test('repeated, empty and undecodable parameters are rejected', () => {
  assert.equal(refusal('limit=1&limit=1').code, 'repeated_parameter')
  assert.equal(refusal('name=a&n%61me=b').code, 'repeated_parameter')
  for (const empty of ['name=', 'name', 'fields=,', 'fields=name,', 'name=a,,b', 'sort=', 'cursor='])
    assert.equal(refusal(empty).code, 'empty_parameter', empty)
  for (const broken of ['name=%zz', 'name=%E0%A4', '%=1', 'name=%C3%28'])
    assert.equal(refusal(broken).code, 'malformed_query', broken)
  assert.equal(refusal('name=a%00b').code, 'value_not_allowed')
  for (const stray of ['&', 'limit=1&', 'limit=1&&name=a'])
    assert.equal(refusal(stray).code, 'unknown_parameter', stray)
})

test('fields, sort keys and listed filter values are exactly those of the route', () => {
  for (const bad of [
    'fields=NAME',
    'fields=%20name',
    'fields=id',
    'fields=appStoreIconId',
    'fields=__proto__',
    'fields=name,name',
  ])
    assert.equal(refusal(bad).code, 'value_not_allowed', bad)
  for (const bad of ['sort=nonsense', 'sort=--name', 'sort=%2Bname', 'sort=name,-name'])
    assert.equal(refusal(bad).code, 'value_not_allowed', bad)
  const { message, extras } = refusal('versionState=ACCEPTED,IN_REVEIW')
  assert.equal(extras.param, 'versionState')
  assert.equal(extras.details?.['nearest'], 'IN_REVIEW')
  assert.match(message, /does not allow "IN_REVEIW"/)
})

test('an error quotes little of the input, and no terminal control characters', () => {
  const { message, extras } = refusal(`${'x'.repeat(500)}=1`)
  assert.ok(!message.includes('x'.repeat(41)))
  assert.ok((extras.param?.length ?? 0) <= 40)
  assert.doesNotMatch(refusal('%1b%5b31m=1').message, /[\u0000-\u001f\u007f-\u009f\u202e]/)
  assert.doesNotMatch(refusal('fields=%E2%80%AE').message, /\u202e/)
})
