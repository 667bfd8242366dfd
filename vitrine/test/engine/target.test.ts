import assert from 'node:assert/strict'
import test from 'node:test'
import { buildRead, type QueryParameter, fillPath } from '../../src/engine/plan.ts'

const buildTarget = (origin: string, endpoint: string, asked: readonly QueryParameter[]): string =>
  buildRead({ endpoint, asked, ids: {}, accept: 'application/json' }, origin).target

test('an id is one path segment, percent-encoded once and otherwise unchanged', () => {
  const ids = [
    '1',
    'a/b',
    'a%2Fb',
    'é🎉',
    "~'()*!",
    'a b',
    '...',
    'a..b',
    '.a',
    '..a',
    'x?y#z;@:&=+',
    '\u202e',
    '//',
    'a\\..\\b',
  ]
  for (const id of ids) {
    const path = fillPath('/v1/apps/{appId}/x', { appId: id })
    const url = new URL(`https://platform.example${path}`)
    assert.equal(url.pathname.split('/').length, 5, id)
    assert.equal(decodeURIComponent(path.split('/')[3] ?? ''), id)
    assert.equal(url.search + url.hash, '')
  }
})

test('an id that could change the path is never sent', () => {
  for (const id of [
    '',
    '.',
    '..',
    '../x',
    'x/..',
    'a/./b',
    'a/../../v1/users',
    '\0',
    'a\tb',
    'a\nb',
    'x\u007f',
    '\ud800',
  ])
    assert.throws(
      () => fillPath('/v1/apps/{appId}/x', { appId: id }),
      { code: 'resource_not_found' },
      JSON.stringify(id),
    )
  assert.throws(() => fillPath('/v1/apps/{appId}', {}), { code: 'resource_not_found' })
})

test('a URL of 4,096 bytes is sent, and a longer one is rejected', () => {
  const origin = 'https://platform.example'
  const room = 4_096 - origin.length - '/v1/apps?a='.length
  assert.equal(buildTarget(origin, '/v1/apps', [{ name: 'a', value: 'x'.repeat(room) }]).length + origin.length, 4_096)
  assert.throws(() => buildTarget(origin, '/v1/apps', [{ name: 'a', value: 'x'.repeat(room + 1) }]), {
    code: 'request_too_long',
  })
  assert.throws(() => buildTarget(origin, '/v1/apps', [{ name: 'a', value: 'é'.repeat(room / 5) }]), {
    code: 'request_too_long',
  })
})

test('values cannot smuggle parameters', () => {
  assert.equal(
    buildTarget('', '/v1/apps', [{ name: 'filter[name]', value: 'x&filter[id]=1#y' }]),
    '/v1/apps?filter%5Bname%5D=x%26filter%5Bid%5D%3D1%23y',
  )
})
