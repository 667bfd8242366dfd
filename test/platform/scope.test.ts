import assert from 'node:assert/strict'
import test from 'node:test'
import { address } from '../../src/engine/target.ts'
import { createShelves, scopeOf } from '../../src/platform/scope.ts'

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

test('an entry is the method, the path as it is sent, and the decoded query without paging and order', () => {
  for (const [target, entry] of Object.entries(entries)) assert.equal(scopeOf(target), entry)
})

test('a value is readable, except for what would cut the entry elsewhere or cannot be seen', () => {
  const entry = (value: string) => scopeOf(`/v1/apps?filter%5Bname%5D=${encodeURIComponent(value)}`)
  const said = 'GET /v1/apps?filter[name]='
  assert.equal(entry('Fjordwalk: Ü, 散歩!'), `${said}Fjordwalk:%20Ü,%20散歩!`)
  assert.equal(entry('a&b=c?d#e+f%g'), `${said}a%26b%3Dc%3Fd%23e%2Bf%25g`)
  assert.equal(entry('%26'), `${said}%2526`)
  assert.equal(entry('a\u00a0b\u200dc\u202ed\u{1f600}'), `${said}a%C2%A0b%E2%80%8Dc%E2%80%AEd\u{1f600}`)
})

test('whatever a caller asks, its entry says the same as its target when a query is decoded once', () => {
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
      const sent = address(step, 'http://platform').target
      const scope = scopeOf(sent)
      assert.equal(scope.split('?', 1)[0], `GET ${sent.split('?', 1)[0]}`)
      assert.deepEqual([...new URLSearchParams(scope.slice(scope.indexOf('?') + 1))], [[name, value]])
      assert.match(scope, /^GET [^\s?]+\?\S*$/u)
    }
})

test('no two requests that differ in more than paging and order have one entry', () => {
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

test('a shelf keeps what its owner used last, and no more than 256 of it', () => {
  const shelves = createShelves<object, object>()
  const owner = {}
  const first = thing()
  shelves.set(owner, 'first', first)
  for (let i = 0; i < 10_000; i++) {
    shelves.set(owner, `${i}`, thing())
    if (i % 200 === 0) assert.equal(shelves.get(owner, 'first'), first, 'used again and again')
  }
  const kept = Array.from({ length: 10_000 }, (_, i) => i).filter((i) => shelves.get(owner, `${i}`))
  assert.deepEqual([kept.length, kept.at(-1)], [255, 9_999])
})

test('all shelves together keep no more than 4,096, and a busy owner pushes out only what is his', () => {
  const shelves = createShelves<object, object>()
  const owners = Array.from({ length: 100 }, thing)
  const [quiet = {}, busy = {}] = owners
  shelves.set(quiet, 'mine', thing())
  for (let i = 0; i < 10_000; i++) shelves.set(busy, `${i}`, thing())
  assert.ok(shelves.get(quiet, 'mine'))
  for (const owner of owners) for (let i = 0; i < 100; i++) shelves.set(owner, `${i}`, thing())
  const kept = owners.flatMap((owner) => Array.from({ length: 100 }, (_, i) => shelves.get(owner, `${i}`)))
  assert.equal(kept.filter(Boolean).length, 4_096)
})

test('a name set again is one place on the shelf', () => {
  const shelves = createShelves<object, object>()
  const [owner, other] = [thing(), thing()]
  const last = thing()
  shelves.set(owner, 'stays', other)
  for (let i = 0; i < 10_000; i++) shelves.set(owner, 'again', i === 9_999 ? last : thing())
  assert.equal(shelves.get(owner, 'again'), last)
  assert.equal(shelves.get(owner, 'stays'), other)
  assert.equal(shelves.get(other, 'again'), undefined)
})
