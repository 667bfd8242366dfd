// What a page of the same machine, at another port, and a page of elsewhere get of a session, in a real browser: cookies
// know no ports, so the browser sends ours along for the one of them.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../../base/test/browser.ts'
import { buildConsole } from '../support/console-build.ts'
import { startManager, token } from './manager.ts'

/** a page of another service; records the cookies that reach its server */
async function startNeighbour(t: TestContext) {
  const cookies: string[] = []
  const server = createServer((req, res) => {
    cookies.push(`${req.url} ${req.headers.cookie ?? ''}`)
    res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>neighbour</title>')
  })
  await new Promise<void>((ok) => void server.listen(0, '127.0.0.1', ok))
  t.after(() => server.close())
  return { cookies, port: (server.address() as AddressInfo).port }
}

const json = { 'content-type': 'application/json' }

/** what the script of this page gets of a request with all cookies: the answer, or that there is none */
const asks = (page: Page, url: string, init: object = {}): Promise<string> =>
  page.evaluate(`fetch(${JSON.stringify(url)}, ${JSON.stringify({ credentials: 'include', ...init })}).then(
    async (answer) => answer.status + ' ' + (await answer.text()),
    () => 'nothing',
  )`)

async function openScene(t: TestContext, host = '127.0.0.1') {
  buildConsole()
  const browser = await openBrowser(t, 'What pages of elsewhere get of a session')
  if (!browser) return undefined
  const { port, audit, service } = await startManager(t)
  const context = await browser.newContext()
  const own = await context.newPage()
  const endpoint = `http://${host}:${port}`
  await own.goto(endpoint)
  const signedIn = await asks(own, '/operator/v1/session', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ token }),
  })
  const { csrf } = JSON.parse(signedIn.slice(4)) as { csrf: string }
  /** the answers of the operator endpoint since the last call */
  const answered = () =>
    service.events
      .splice(0)
      .flatMap((event) => (event.kind === 'answered' ? [`${event.method} ${event.code ?? event.status}`] : []))
  const neighbour = await startNeighbour(t)
  const visit = async (host: string, path = '/') => {
    const page = await context.newPage()
    await page.goto(`http://${host}:${neighbour.port}${path}`)
    answered()
    return page
  }
  return { context, own, endpoint, port, csrf, audit, neighbour, visit, answered }
}

const plant = (name: string, path: string) => `document.cookie = '${name}=${'A'.repeat(43)}; path=${path}'`

test('a page of another origin gets nothing through the session of its reader', async (t) => {
  const scene = await openScene(t)
  if (!scene) return
  const { own, endpoint, csrf, audit, visit, answered } = scene
  const fields = { 'x-vitrine-csrf': csrf }
  const [session, keys] = [`${endpoint}/operator/v1/session`, `${endpoint}/operator/v1/keys`]
  assert.match(await asks(own, keys, { headers: fields }), /^200 /)
  const before = await audit()
  // the browser sends the cookie to the first, which is the same site, and not to the second
  for (const [host, refused] of [
    ['127.0.0.1', 'origin_not_allowed'],
    ['localhost', 'operator_token_missing'],
  ] as const) {
    const page = await visit(host)
    for (const url of [keys, `${endpoint}/operator/v1/events`, session]) assert.equal(await asks(page, url), 'nothing')
    const sessionRefused = host === 'localhost' ? 'session_missing' : refused
    assert.deepEqual(answered(), [`GET ${refused}`, `GET ${refused}`, `GET ${sessionRefused}`])

    assert.equal(await asks(page, session, { method: 'DELETE', headers: fields }), 'nothing')
    const signIn = { method: 'POST', body: JSON.stringify({ token }) }
    assert.equal(await asks(page, session, { ...signIn, headers: json }), 'nothing')
    assert.deepEqual(answered(), ['OPTIONS operator_token_missing', 'OPTIONS operator_token_missing'])
    assert.equal(await asks(page, session, { ...signIn, mode: 'no-cors' }), 'nothing')
    assert.deepEqual(answered(), ['POST origin_not_allowed'])

    await page.evaluate(
      `document.body.innerHTML = '<form method=post enctype=text/plain action="${keys}"><input name=a>'`,
    )
    await Promise.all([page.waitForURL(keys), page.evaluate('document.forms[0].submit()')])
    // a browser that shows it looks for an icon too
    assert.equal(answered()[0], `POST ${refused}`)
    await page.close()
  }
  assert.deepEqual((await audit({ outcome: 'done' })).length, before.length, 'nothing was done')
  assert.match(await asks(own, session), /^200 /, 'the session goes on')
})

test('no page can read the cookie, frame the console, or take an answer for a script or an image', async (t) => {
  const scene = await openScene(t)
  if (!scene) return
  const { context, own, endpoint, visit } = scene
  for (const path of ['/', '/keys', '/operator/v1/openapi.json']) {
    await own.goto(`${endpoint}${path}`)
    assert.equal(await own.evaluate('document.cookie'), '')
  }
  const [kept] = await context.cookies(`${endpoint}/operator/v1`)
  assert.deepEqual([kept?.httpOnly, kept?.sameSite, kept?.path, kept?.expires], [true, 'Strict', '/operator/v1', -1])
  const page = await visit('127.0.0.1')
  const outcomes = await page.evaluate(`Promise.all(['script', 'img'].map((name) => new Promise((ok) => {
    const element = Object.assign(document.createElement(name), { src: '${endpoint}/operator/v1/session' })
    for (const how of ['load', 'error']) element.addEventListener(how, () => ok(name + ' ' + how))
    document.body.append(element)
  })))`)
  assert.deepEqual(outcomes, ['script error', 'img error'])
  const framed = page.waitForEvent('framenavigated')
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('iframe'), { src: '${endpoint}/keys' }))`,
  )
  assert.match((await framed).url(), /^chrome-error:/)
})

test('another service of the host that sets a second cookie blocks the console and gains nothing', async (t) => {
  const scene = await openScene(t)
  if (!scene) return
  const { own, endpoint, port, csrf, visit, neighbour } = scene
  const page = await visit('127.0.0.1', '/operator/v1/x')
  const ask = () => asks(own, `${endpoint}/operator/v1/keys`, { headers: { 'x-vitrine-csrf': csrf } })
  await page.evaluate(plant(`vitrine_session_${port}`, '/operator/v1'))
  assert.match(await ask(), /^200 /, 'a script does not replace ours')
  await page.evaluate(plant(`vitrine_session_${port}`, '/operator'))
  assert.match(await ask(), /^400 .*ambiguous_header/)
  // the browser sends the cookie to that server: see docs/decisions/console-session.md
  assert.ok(neighbour.cookies.some((line) => line.startsWith('/operator/v1/x vitrine_session_')))
})

test("a host name of the endpoint's own keeps the cookie from all neighbours", async (t) => {
  const scene = await openScene(t, 'vitrine.localhost')
  if (!scene) return
  const { own, endpoint, csrf, visit, neighbour } = scene
  assert.match(await asks(own, `${endpoint}/operator/v1/keys`, { headers: { 'x-vitrine-csrf': csrf } }), /^200 /)
  for (const host of ['127.0.0.1', 'localhost']) {
    const page = await visit(host, '/operator/v1/x')
    await asks(page, '/operator/v1/y')
  }
  const sent = neighbour.cookies.filter((line) => line.startsWith('/operator/v1/'))
  assert.deepEqual(sent, ['/operator/v1/x ', '/operator/v1/y ', '/operator/v1/x ', '/operator/v1/y '])
})
