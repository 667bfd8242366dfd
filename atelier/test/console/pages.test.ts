// How the console is served: its one page at several paths, its files, and how much is loaded before something shows.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { load, namedBy, partsOf } from '../../../base/test/page-load.ts'
import { consolePaths, openConsole } from '../../src/routes/console-pages.ts'
import { openRig } from '../service-rig.ts'
import { buildConsole } from './scene.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

async function serve(t: TestContext) {
  buildConsole()
  const { service } = await openRig(t)
  const port = Number(new URL(service.url).port)
  return (path: string, headers = {}, method = 'GET') => load(port, path, headers, method)
}

test('the one page is at each of its paths, needs no credential, and is closed to other sites', async (t) => {
  const get = await serve(t)
  const page = readFileSync('dist/console/index.html', 'utf8')
  for (const path of [...consolePaths, '/console?a=1', '/console/containers?id=%3Cb%3E']) {
    const { status, headers, bytes } = await get(path)
    assert.deepEqual([status, bytes.toString()], [200, page], path)
    assert.deepEqual(
      ['cache-control', 'content-security-policy', 'x-frame-options', 'x-content-type-options'].map(
        (one) => headers[one],
      ),
      ['no-cache', policy, 'DENY', 'nosniff'],
    )
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    const again = await get(path, { 'if-none-match': String(headers['etag']) })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
    assert.deepEqual((await get(path, {}, 'HEAD')).headers['content-length'], String(bytes.length))
    const { status: refused, headers: said } = await get(path, {}, 'POST')
    assert.deepEqual([refused, said['allow']], [405, 'GET, HEAD'])
  }
})

test('the pages of the browser are those that the service knows', () => {
  const text = readFileSync('src/console/main.tsx', 'utf8')
  const named = [...text.matchAll(/^ {4}'(\/console[\w/-]*)': \{/gm)].map(([, path]) => path)
  assert.deepEqual(new Set(named), new Set<string>(consolePaths))
})

test('paths beside the pages and files are 404, however they are written', async (t) => {
  const get = await serve(t)
  const [file = ''] = namedBy((await get('/console')).bytes.toString())
  for (const path of [
    '/console/',
    '/Console',
    '/console/nothing',
    '/console/index.html',
    '/console/assets/',
    '/console/assets/../index.html',
    '/console/assets/%2e%2e/index.html',
    '/console/licences.txt',
    '/console/constructor',
    '/assets/index.js',
    `${file}.br`,
    `${file}/`,
  ])
    assert.equal((await get(path)).status, 404, path)
})

test('a browser at a mistyped address gets the console with status 404, and a program a problem', async (t) => {
  const get = await serve(t)
  const page = (await get('/console')).bytes
  const html = { accept: 'text/html,*/*;q=0.8' }
  for (const path of ['/console/', '/console/nothing', '/console/containers/x']) {
    const shown = await get(path, html)
    assert.deepEqual([shown.status, shown.bytes, shown.headers['content-security-policy']], [404, page, policy], path)
    for (const headers of [{}, { ...html, authorization: 'Bearer x' }]) {
      const refused = await get(path, headers)
      assert.deepEqual([refused.status, JSON.parse(refused.bytes.toString()).error.type], [404, 'not_found'], path)
    }
  }
  assert.match(String((await get('/nothing', html)).headers['content-type']), /json/)
})

test('the first load is below 60 kB by gzip at each page, and everything in it is kept for ever', async (t) => {
  const get = await serve(t)
  const ask = async (path: string) => {
    const { status, headers, bytes } = await get(path, { 'accept-encoding': 'gzip' })
    assert.deepEqual([status, headers['content-encoding']], [200, 'gzip'], path)
    if (path !== '/console') assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    return bytes
  }
  const page = await ask('/console')
  const sizes = new Map<string, number>()
  const sum = async (paths: Iterable<string>) => {
    let total = page.length
    for (const path of paths) {
      const size = sizes.get(path) ?? (await ask(path)).length
      sizes.set(path, size)
      total += size
    }
    return total
  }
  const first = namedBy(gunzipSync(page).toString())
  const told = [`${await sum(first)} bytes in ${first.length + 1} files`]
  const script = first.find((path) => path.endsWith('.js')) ?? assert.fail('no script')
  const parts = partsOf(gunzipSync(await ask(script)).toString(), '/console/')
  assert.equal(parts.length, consolePaths.length)
  for (const [name, files] of parts) {
    const bytes = await sum(new Set([...first, ...files]))
    told.push(`${name} ${bytes}`)
    assert.ok(bytes < 60_000, `${bytes} bytes until ${name} shows`)
  }
  t.diagnostic(told.join(', '))
})

test('where the console is not built, its page says how to build it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-console-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { page } = openConsole(folder).find('/console') ?? assert.fail('no page')
  assert.equal(page.status, 503)
  assert.match(String((await page.text.as(undefined)).bytes), /<h1>The console is not built<\/h1>.*npm ci/s)
})

test('the ways to sign in are told as JSON where that alone is wanted', async (t) => {
  const get = await serve(t)
  const { headers, bytes } = await get('/auth/login', { accept: 'application/json' })
  assert.match(String(headers['content-type']), /^application\/json/)
  assert.deepEqual(JSON.parse(bytes.toString()), { provider: null })
  assert.match(String((await get('/auth/login', { accept: 'text/html,application/json' })).headers['content-type']), /^text\/html/) // prettier-ignore
})
