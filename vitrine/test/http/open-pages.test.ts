import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { publicPages } from '../../src/pages/pages.ts'
import { load } from '../support/console-build.ts'
import { startOverSandbox } from '../support/service.ts'

async function open(t: TestContext) {
  const { service, close } = await startOverSandbox()
  t.after(close)
  return { service, get: (path: string, headers = {}, method = 'GET') => load(service.port, path, headers, method) }
}

/** the type of the text, and whether HTML and Markdown answer at the same path */
const pages: Readonly<Record<string, [type: string, isEither: boolean]>> = {
  '/': ['text/plain; charset=utf-8', false],
  '/openapi.json': ['application/json; charset=utf-8', false],
  '/docs': ['text/html; charset=utf-8', true],
  '/docs/docs.css': ['text/css; charset=utf-8', false],
  '/docs/samples.js': ['text/javascript; charset=utf-8', false],
  '/docs.md': ['text/markdown; charset=utf-8', false],
  '/docs/routes/listApps.md': ['text/markdown; charset=utf-8', false],
  '/llms.txt': ['text/markdown; charset=utf-8', false],
  '/errors': ['text/html; charset=utf-8', true],
  '/errors/key_missing': ['text/html; charset=utf-8', true],
  '/errors/key_missing.md': ['text/markdown; charset=utf-8', false],
}

test('a page without a key is sent in the coding that the caller prefers, each with its own tag', async (t) => {
  const { get } = await open(t)
  for (const [path, [type, isEither]] of Object.entries(pages)) {
    const plain = await get(path)
    const gzip = await get(path, { 'accept-encoding': 'gzip, br;q=0.5' })
    const br = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const all = [plain, gzip, br]
    if (plain.bytes.length >= 1_024) {
      assert.deepEqual(
        all.map(({ headers }) => headers['content-encoding']),
        [undefined, 'gzip', 'br'],
        path,
      )
      assert.deepEqual([gunzipSync(gzip.bytes), brotliDecompressSync(br.bytes)], [plain.bytes, plain.bytes], path)
      assert.ok(gzip.bytes.length < plain.bytes.length && br.bytes.length < plain.bytes.length, path)
      assert.equal(new Set(all.map(({ headers }) => headers['etag'])).size, 3, path)
    }
    for (const { status, headers, bytes } of all) {
      assert.deepEqual([status, headers['content-type'], headers['content-length']], [200, type, String(bytes.length)])
      assert.equal(headers['vary'], isEither ? 'Accept, Accept-Encoding' : 'Accept-Encoding', path)
      assert.match(String(headers['etag']), /^"[\w-]{24}"$/)
      assert.equal(headers['cache-control'], 'no-cache')
    }
  }
})

test('/ says in one line what this is and where the reference stands, and nothing else is open', async (t) => {
  const { get } = await open(t)
  const text = 'Vitrine: a read-only facade over the App Store Connect API. Reference: /docs\n'
  for (const path of ['/', '/?x=1']) assert.equal((await get(path)).bytes.toString(), text, path)
  for (const path of ['//', '/index.html', '/v1', '/v1/']) assert.equal((await get(path)).status, 401, path)
  assert.equal((await get('/', {}, 'POST')).status, 405)
})

test('a caller who has a page gets 304 for the tag of that coding only', async (t) => {
  const { get } = await open(t)
  for (const path of Object.keys(pages)) {
    const plain = await get(path)
    const gzip = await get(path, { 'accept-encoding': 'gzip' })
    for (const [had, accepted] of [
      [plain, {}],
      [gzip, { 'accept-encoding': 'gzip' }],
    ] as const) {
      const etag = String(had.headers['etag'])
      for (const method of ['GET', 'HEAD']) {
        const again = await get(path, { ...accepted, 'if-none-match': `"x", W/${etag}` }, method)
        assert.deepEqual([again.status, again.bytes.length, again.headers['etag']], [304, 0, etag], path)
        assert.equal(again.headers['vary'], had.headers['vary'])
      }
    }
    if (gzip.headers['content-encoding'] === undefined) continue
    const other = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': String(plain.headers['etag']) })
    assert.equal(other.status, 200, path)
  }
})

test('no open page is below /v1/, where none is looked for', () => {
  for (const { name } of publicPages) assert.ok(!name.startsWith('/v1/'), name)
})

test('probes are never cached', async (t) => {
  const { get } = await open(t)
  for (const path of ['/livez', '/healthz', '/readyz']) {
    const { status, headers } = await get(path, { 'if-none-match': '*', 'accept-encoding': 'br' })
    assert.deepEqual(
      [status, headers['cache-control'], headers['etag'], headers['content-encoding']],
      [200, 'no-store', undefined, undefined],
    )
  }
})

test('HEAD has the headers of GET in each coding', async (t) => {
  const { get } = await open(t)
  for (const path of Object.keys(pages))
    for (const accepted of ['identity', 'gzip', 'br']) {
      const [whole, head] = [
        await get(path, { 'accept-encoding': accepted }),
        await get(path, { 'accept-encoding': accepted }, 'HEAD'),
      ]
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
      for (const name of ['content-length', 'content-type', 'content-encoding', 'etag', 'vary'])
        assert.equal(head.headers[name], whole.headers[name], `${path} ${accepted} ${name}`)
    }
})
