import assert from 'node:assert/strict'
import test from 'node:test'
import { etagOf, isMatch, readWishes } from '../../../base/web/conditional.ts'
import { codes, pageOf, startCaching } from '../support/caching-service.ts'
import { refuse } from '../support/scripted-platform.ts'

const tag = '"abc-123_XYZ"'
const wishes = (text?: string) => {
  const { fresh, keep, maxAgeSec } = readWishes(text)
  return [fresh, keep, maxAgeSec]
}

test('a tag is 18 bytes of the SHA-256 of the answer, in quotes', () => {
  assert.equal(etagOf(Buffer.from('abc')), '"ungWv48Bz-pBQUDeXa4iI7AD"')
  assert.notEqual(etagOf(Buffer.from('abd')), etagOf(Buffer.from('abc')))
})

test('If-None-Match is a list of tags, weak or strong, or an asterisk', () => {
  for (const given of [
    tag,
    `W/${tag}`,
    `"x", ${tag}`,
    `"x",W/"y",${tag} , "z"`,
    `"a,b" , ${tag}`,
    `, ,\t${tag},,`,
    `"", ${tag}`,
    '*',
    ' * ',
    `"é", ${tag}`,
  ])
    assert.equal(isMatch(given, tag), true, given)
})

test('an invalid If-None-Match is ignored', () => {
  for (const given of [
    undefined,
    '',
    ' ',
    ',',
    '"x"',
    'abc-123_XYZ',
    `'abc-123_XYZ'`,
    '"abc-123_xyz"',
    '"abc-123_XYZ',
    'abc-123_XYZ"',
    `w/${tag}`,
    `W/ ${tag}`,
    `W/W/${tag}`,
    `${tag} "x"`,
    `"x"${tag}`,
    `${tag} x`,
    `x, ${tag}`,
    `${tag}, x`,
    `*, ${tag}`,
    `${tag}, *`,
    '**',
    '"*"',
    `"a b", ${tag}`,
    `"a\u007fb", ${tag}`,
    `${tag};q=1`,
  ])
    assert.equal(isMatch(given, tag), false, String(given))
})

test('the longest possible If-None-Match is parsed in negligible time', () => {
  const many = 400_000
  for (const unit of [' ', ',', '"', '"" ', 'W/', '"a', '"a",', '\t,'])
    for (const end of ['', 'x', '"']) {
      const startedAt = performance.now()
      isMatch(unit.repeat(many / unit.length) + end, tag)
      assert.ok(performance.now() - startedAt < 2_000, JSON.stringify([unit, end]))
    }
})

test('Cache-Control is read directive by directive, and anything else in it is ignored', () => {
  const any = [false, true, Infinity]
  for (const text of [
    undefined,
    '',
    'only-if-cached',
    'max-stale=5',
    'min-fresh=5',
    'x-no-cache',
    'no-cache-please',
    'nocache',
    'max-age',
    'max-age=',
    'max-age=-1',
    'max-age=1.5',
    'max-age="5',
    'max-age=x',
    'max-age = 5',
    'max-age=12345678901',
  ])
    assert.deepEqual(wishes(text), any, text)
  for (const text of ['no-cache', 'No-Cache', 'a=b , no-cache', 'no-cache,max-age=5'])
    assert.deepEqual(wishes(text).slice(0, 2), [true, true], text)
  assert.deepEqual(wishes('max-age=0'), [true, true, 0])
  assert.deepEqual(wishes('no-store'), [true, false, Infinity])
  assert.deepEqual(wishes('max-age=30'), [false, true, 30])
  assert.deepEqual(wishes('max-age="30"'), [false, true, 30])
  assert.deepEqual(wishes('max-age=30, max-age=20'), [false, true, 20])
})

test('a caller who already has the answer gets 304, without a platform call while it is cached', async (t) => {
  const { ask, calls, pass, service, seen } = await startCaching(t, { file: { rateLimit: { perMinute: 100 } } })
  const key = await service.issue({ perMinute: 50 })
  const etag = String((await ask(codes, { key })).headers['etag'])
  pass(10)
  for (const method of ['GET', 'HEAD']) {
    const { status, text, headers } = await ask(codes, { key, method, headers: { 'if-none-match': `W/${etag}` } })
    assert.deepEqual([status, text], [304, ''])
    assert.equal(headers['etag'], etag)
    assert.equal(headers['age'], '10')
    assert.equal(headers['vary'], 'Authorization')
    assert.equal(headers['cache-control'], 'private, max-age=60')
    assert.equal(headers['cache-status'], 'vitrine; hit; ttl=50')
    assert.match(String(headers['x-request-id']), /^req_[\w-]{16}$/)
    assert.equal(headers['ratelimit-policy'], '"key";q=50;w=60')
    assert.match(String(headers['ratelimit']), /^"key";r=4\d;t=\d+$/)
    for (const name of ['content-type', 'content-length', 'transfer-encoding']) assert.equal(headers[name], undefined)
  }
  assert.equal((await ask(codes, { key, headers: { 'if-none-match': '*' } })).status, 304)
  assert.equal((await ask(codes, { key, headers: { 'if-none-match': '"other"' } })).status, 200)
  const { cache, status } = (await seen()) ?? {}
  assert.deepEqual([cache, status, calls()], ['hit', 200, 1])
})

test('an expired answer is read again, and gets 304 if it has not changed', async (t) => {
  const { platform, ask, calls, pass, seen } = await startCaching(t)
  const { etag } = (await ask(codes)).headers
  const again = () => ask(codes, { headers: { 'if-none-match': String(etag) } })
  pass(60)
  const { status, headers } = await again()
  assert.deepEqual([status, headers['age'], headers['etag'], calls()], [304, '0', etag, 2])
  assert.equal(headers['cache-status'], 'vitrine; fwd=uri-miss; stored')
  assert.equal((await seen())?.cache, 'revalidated')

  pass(60)
  platform.script = pageOf('Summer')
  const changed = await again()
  assert.deepEqual([changed.status, changed.json.items[0].name], [200, 'Summer'])
  assert.notEqual(changed.headers['etag'], etag)
  assert.equal((await seen())?.cache, 'miss')

  platform.script = (_, res) => refuse(res, 404, 'NOT_FOUND')
  pass(60)
  const gone = await ask(codes, { headers: { 'if-none-match': '*' } })
  assert.deepEqual([gone.status, gone.headers['etag']], [404, undefined])
})

test('a page with a next cursor also gets 304, as long as its cursor stays the same', async (t) => {
  const { platform, ask, pass } = await startCaching(t)
  const read = async (next: string) => {
    platform.script = pageOf('Spring', next)
    pass(60)
    return ask(codes)
  }
  const first = await read('place-1')
  const again = await read('place-1')
  assert.equal(again.text, first.text)
  assert.equal(again.headers['etag'], first.headers['etag'])

  const moved = await read('place-2')
  assert.deepEqual(moved.json.items, first.json.items)
  assert.notEqual(moved.json.nextCursor, first.json.nextCursor)
  assert.notEqual(moved.headers['etag'], first.headers['etag'])

  for (const { json } of [first, moved]) {
    platform.script = pageOf('Autumn')
    assert.equal((await ask(`${codes}?cursor=${json.nextCursor}`)).json.items[0].name, 'Autumn')
  }
  const asked = platform.calls.slice(-2).map(({ query }) => query.get('cursor'))
  assert.deepEqual(asked, ['place-1', 'place-2'])

  pass(11 * 3_600)
  const late = await read('place-1')
  assert.notEqual(late.json.nextCursor, first.json.nextCursor)
})
