import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openConsole } from '../../src/operator/console-pages.ts'
import { codingFor } from '../../../base/web/content-coding.ts'
import { buildConsole, load, namedBy } from '../support/console-build.ts'
import { startManager } from './manager.ts'

const pages = ['/', '/connections', '/keys', '/access', '/explorer', '/audit', '/health']
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: https:; font-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

async function startConsole(t: TestContext) {
  buildConsole()
  const { port } = await startManager(t)
  const page = readFileSync('dist/console/index.html', 'utf8')
  return { port, page, get: (path: string, headers = {}, method = 'GET') => load(port, path, headers, method) }
}

test('the one page is at each of its paths, needs no token, and is closed to other sites', async (t) => {
  const { get, page } = await startConsole(t)
  for (const path of [...pages, '/?a=1', '/keys?state=revoked&q=%3Cb%3E', '/explorer?']) {
    const { status, headers, bytes } = await get(path)
    assert.deepEqual([status, bytes.toString()], [200, page], path)
    const { 'x-request-id': id, date, connection, etag, ...rest } = headers
    assert.ok(id && date && connection)
    assert.match(String(etag), /^"[\w-]{24}"$/)
    assert.deepEqual(rest, {
      'cache-control': 'no-cache',
      'content-length': String(bytes.length),
      'content-security-policy': policy,
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    const head = await get(path, {}, 'HEAD')
    assert.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, String(bytes.length)])
  }
})

test('the page has nothing inline and nothing of another origin, and everything that it names exists', async (t) => {
  const { get, page } = await startConsole(t)
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)[^>]*>|<style|\s(?:style|on\w+)=|javascript:|\bhttps?:/i)
  const named = namedBy(page)
  assert.ok(named.some((path) => path.endsWith('.js')) && named.some((path) => path.endsWith('.css')))
  const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' }
  for (const path of named) {
    assert.match(path, /^\/assets\/[\w-]+-[\w-]{8}\.(?:js|css|svg)$/)
    const { status, headers } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['content-type'], types[path.split('.').at(-1) as keyof typeof types])
    assert.equal(headers['content-security-policy'], policy)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  }
})

test('a text is sent in the smallest coding that the caller accepts, and is the same in each', async (t) => {
  const { get, page } = await startConsole(t)
  const script = namedBy(page).find((path) => path.endsWith('.js')) ?? ''
  for (const path of ['/keys', script]) {
    const plain = await get(path)
    assert.equal(plain.headers['content-encoding'], undefined)
    const br = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const gzip = await get(path, { 'accept-encoding': 'gzip' })
    assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'])
    assert.ok(br.bytes.length < gzip.bytes.length && gzip.bytes.length < plain.bytes.length)
    assert.deepEqual(brotliDecompressSync(br.bytes), plain.bytes)
    assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
    for (const { headers } of [plain, br, gzip]) assert.equal(headers['vary'], 'Accept-Encoding')
    const head = await get(path, { 'accept-encoding': 'br' }, 'HEAD')
    assert.deepEqual(
      [head.headers['content-encoding'], head.headers['content-length']],
      ['br', String(br.bytes.length)],
    )
  }
})

test('codings are chosen as the caller weighs them', () => {
  const both = ['br', 'gzip'] as const
  for (const [accepted, coding] of [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0, gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.4', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['br;q=2', undefined],
    ['br;q=x, gzip', 'gzip'],
    ['deflate, zstd', undefined],
  ] as const)
    assert.equal(codingFor(accepted, both), coding, accepted)
  assert.equal(codingFor('br', ['gzip']), undefined)
  assert.equal(codingFor('br, gzip', []), undefined)
})

test('paths outside the console need the token, however they are written', async (t) => {
  const { get, page } = await startConsole(t)
  const [file = ''] = namedBy(page)
  for (const path of [
    '/index.html',
    '/console',
    '/connections/',
    '/connections/studio',
    '/Keys',
    '//',
    '/%6beys',
    '/keys%2f',
    '/./keys',
    '/assets',
    '/assets/',
    '/assets/nothing.js',
    `${file}.br`,
    `${file}.gz`,
    `${file}/`,
    file.toUpperCase(),
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/index.html',
    '/assets/..\\index.html',
    '/assets/../../../package.json',
    '/licences.txt',
    '/built-from.txt',
    '/favicon.ico',
    '/constructor',
  ]) {
    const { status } = await get(path)
    assert.equal(status, 401, path)
  }
})

test('a browser at an address without a page gets the console with 404, and a program the refusal', async (t) => {
  const { get, page } = await startConsole(t)
  const visit = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  for (const path of ['/conections', '/keys/', '/Keys', '/a/b?c=d', '/assets/nothing.js', '//', '/%6beys']) {
    const { status, headers, bytes } = await get(path, visit)
    assert.deepEqual([status, bytes.toString()], [404, page], path)
    assert.equal(headers['content-security-policy'], policy)
    assert.equal((await get(path, visit, 'HEAD')).status, 404, path)
    assert.equal((await get(path, visit, 'POST')).status, 401, path)
    assert.equal((await get(path, { ...visit, authorization: 'Bearer wrong' })).status, 401, path)
    assert.equal((await get(path, { accept: 'application/json' })).status, 401, path)
  }
  for (const path of ['/operator/v1/keys', '/operator/v1/nothing', '/operator/'])
    assert.equal((await get(path, visit)).status, 401, path)
})

test('the page and its files are only read', async (t) => {
  const { get, page } = await startConsole(t)
  const [file = ''] = namedBy(page)
  for (const path of ['/', '/keys', file])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const { status, headers } = await get(path, {}, method)
      assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD'], `${method} ${path}`)
    }
})

test('the public endpoint has no console', async (t) => {
  buildConsole()
  const { service } = await startManager(t)
  assert.match(String((await load(service.port, '/')).headers['content-type']), /^text\/plain/)
  for (const path of [...pages, '/assets/index.js'])
    if (path !== '/') assert.equal((await load(service.port, path)).status, 401, path)
})

test('if the console is not built, its page says how to build it, and serves it once it is built', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-console-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const shown = openConsole(folder)
  const get = async (path: string) => {
    const { page } = shown.find(path) ?? {}
    assert.ok(page)
    return { status: page.status ?? 200, fields: page.fields, body: String((await page.text.as(undefined)).bytes) }
  }
  const absent = await get('/keys')
  assert.equal(absent.status, 503)
  assert.match(absent.body, /<h1>The console is not built<\/h1>.*node scripts\/build-console\.mjs/s)
  assert.doesNotMatch(absent.body, /<script|style=/)
  assert.equal(absent.fields[absent.fields.indexOf('content-security-policy') + 1], policy)
  assert.equal(shown.find('/keys')?.name, '/keys')
  assert.equal(shown.find('/assets/a.js'), undefined)

  writeFileSync(join(folder, 'index.html'), 'half of it')
  assert.equal((await get('/keys')).status, 503)
  assert.equal(shown.find('/assets/a.js'), undefined)

  mkdirSync(join(folder, 'assets'))
  for (const name of ['a.js', 'a.js.br', 'a.map', 'secret']) writeFileSync(join(folder, 'assets', name), name)
  writeFileSync(join(folder, 'index.html'), 'the page')
  assert.deepEqual([(await get('/keys')).body, (await get('/assets/a.js')).body], ['the page', 'a.js'])
  assert.equal(shown.find('/assets/a.js')?.name, '/assets/:file')
  for (const name of ['a.js.br', 'a.map', 'secret']) assert.equal(shown.find(`/assets/${name}`), undefined)

  writeFileSync(join(folder, 'index.html'), 'another page')
  rmSync(join(folder, 'assets'), { recursive: true })
  assert.deepEqual(
    [(await get('/keys')).body, (await get('/assets/a.js')).body],
    ['the page', 'a.js'],
    'it is one whole',
  )
})
