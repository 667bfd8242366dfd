import assert from 'node:assert/strict'
import test from 'node:test'
import { buildRead } from '../../src/engine/plan.ts'
import { createScopedCache, scopeOf } from '../../src/platform/auth/scope.ts'

/** target of the platform -> the entry that names it */
const entries: Readonly<Record<string, string>> = {
  '/v1/apps': 'GET /v1/apps',
  '/v1/apps?filter%5Bplatform%5D=IOS': 'GET /v1/apps?filter[platform]=IOS',
  '/v1/apps?fields%5Bapps%5D=name%2Csku&limit=2&sort=-name': 'GET /v1/apps?fields[apps]=name,sku',
  '/v1/apps?limit=2': 'GET /v1/apps',
  '/v1/apps?sort=name&cursor=AQ.AJJtGDc%3D&limit=2': 'GET /v1/apps',
  '/v1/apps?limit%5Bbuilds%5D=2': 'GET /v1/apps?limit[builds]=2',
  '/v1/apps?include=': 'GET /v1/apps?include=',
  '/v1/apps/a%2Fb%20c%3Fd': 'GET /v1/apps/a%2Fb%20c%3Fd',
}

test('a scope entry is the method, the path as it is sent, and the decoded query without paging and order', () => {
  for (const [target, entry] of Object.entries(entries)) assert.equal(scopeOf(target), entry)
})

test('values are readable, except characters that would split the entry or are invisible', () => {
  const entry = (value: string) => scopeOf(`/v1/apps?filter%5Bname%5D=${encodeURIComponent(value)}`)
  const said = 'GET /v1/apps?filter[name]='
  assert.equal(entry('Fjordwalk: Ü, 散歩!'), `${said}Fjordwalk:%20Ü,%20散歩!`)
  assert.equal(entry('a&b=c?d#e+f%g'), `${said}a%26b%3Dc%3Fd%23e%2Bf%25g`)
  assert.equal(entry('%26'), `${said}%2526`)
  assert.equal(entry('a\u00a0b\u200dc\u202ed\u{1f600}'), `${said}a%C2%A0b%E2%80%8Dc%E2%80%AEd\u{1f600}`)
})

test('for any request, the scope entry equals its target with the query decoded once', () => {
  const strange = [
    '',
    ' ',
    '+',
    '%',
    '%25',
    'a&sort=b',
    'x=y',
    '?',
    '#',
    '\u0000',
    '\u2028',
    '\u{1f469}\u200d\u{1f680}',
  ]
  for (const name of ['filter[name]', ...strange.filter((s) => s !== '')])
    for (const value of strange) {
      const asked = [
        { name, value },
        { name: 'limit', value: '7' },
      ]
      const step = { endpoint: '/v1/apps/{appId}', ids: { appId: 'a/b c?d&e' }, accept: '', asked }
      const sent = buildRead(step, 'http://platform').target
      const scope = scopeOf(sent)
      assert.equal(scope.split('?', 1)[0], `GET ${sent.split('?', 1)[0]}`)
      assert.deepEqual([...new URLSearchParams(scope.slice(scope.indexOf('?') + 1))], [[name, value]])
      assert.match(scope, /^GET [^\s?]+\?\S*$/u)
    }
})

test('two requests that differ in more than paging and order never share a scope entry', () => {
  const words = ['a', 'a,b', 'a%2Cb', 'a b', 'a+b', 'a&b=c', 'A', 'ä', 'a\u0308', '']
  const targets = words.flatMap((word) => [
    `/v1/apps?filter%5Bname%5D=${encodeURIComponent(word)}`,
    `/v1/apps?filter%5Bsku%5D=${encodeURIComponent(word)}`,
    `/v1/apps?filter%5Bname%5D=a&filter%5Bsku%5D=${encodeURIComponent(word)}`,
    `/v1/apps/x${encodeURIComponent(word)}`,
  ])
  assert.equal(new Set(targets.map(scopeOf)).size, targets.length)
})

const thing = () => ({})

test('a token cache keeps the 256 tokens that its owner used last', () => {
  const cache = createScopedCache<object, object>()
  const owner = {}
  const first = thing()
  cache.set(owner, 'first', first)
  for (let i = 0; i < 10_000; i++) {
    cache.set(owner, `${i}`, thing())
    if (i % 200 === 0) assert.equal(cache.get(owner, 'first'), first, 'used again and again')
  }
  const kept = Array.from({ length: 10_000 }, (_, i) => i).filter((i) => cache.get(owner, `${i}`))
  assert.deepEqual([kept.length, kept.at(-1)], [255, 9_999])
})

test('all token caches together keep at most 4,096, and a busy owner evicts only its own', () => {
  const cache = createScopedCache<object, object>()
  const owners = Array.from({ length: 100 }, thing)
  const [quiet = {}, busy = {}] = owners
  cache.set(quiet, 'mine', thing())
  for (let i = 0; i < 10_000; i++) cache.set(busy, `${i}`, thing())
  assert.ok(cache.get(quiet, 'mine'))
  for (const owner of owners) for (let i = 0; i < 100; i++) cache.set(owner, `${i}`, thing())
  const kept = owners.flatMap((owner) => Array.from({ length: 100 }, (_, i) => cache.get(owner, `${i}`)))
  assert.equal(kept.filter(Boolean).length, 4_096)
})

test('setting a cached name again uses one place', () => {
  const cache = createScopedCache<object, object>()
  const [owner, other] = [thing(), thing()]
  const last = thing()
  cache.set(owner, 'stays', other)
  for (let i = 0; i < 10_000; i++) cache.set(owner, 'again', i === 9_999 ? last : thing())
  assert.equal(cache.get(owner, 'again'), last)
  assert.equal(cache.get(owner, 'stays'), other)
  assert.equal(cache.get(other, 'again'), undefined)
})
