// Answers that do not come from the service, and attempts to get the key.
import assert from 'node:assert/strict'
import test from 'node:test'
import { inspect } from 'node:util'
import { type Script, send } from '../support/scripted-platform.ts'
import { app, inTurn, key, type Load, script, thrown, skipRetryWaits } from './scene.ts'

const say =
  (body: string, status = 200, type = 'application/json'): Script =>
  (_, res) =>
    send(res, body, { 'content-type': type, 'x-request-id': 'req_s' }, status)

export function promiseHostile(of: string, load: Load) {
  test(`${of}: an answer of another server is an error that quotes its beginning`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app)
    service.script = say(`<html>\n <h1>\u001b[31mSign   in</h1>${'x'.repeat(500)}`, 200, 'text/html')
    const error = await thrown(vitrine.listApps())
    assert.equal(error.name, 'UnexpectedAnswerError')
    assert.deepEqual([error.status, error.requestId, error.retryable], [200, 'req_s', false])
    assert.match(error.message, /status 200, text\/html, "<html> <h1> \[31mSign in<\/h1>x+…"/)
    assert.ok(error.message.length < 250)
  })

  test(`${of}: an answer of the wrong shape is an error, never an empty list`, async (t) => {
    const { vitrine, service } = await script(t, await load(), app)
    const pages = ['', 'null', '[]', '{}', '"x"', '{"items":[]}', '{"items":{},"nextCursor":null}']
    const more = ['{"items":[],"nextCursor":7}', '{"items":[],"nextCursor":""}', '{"items":[1],"nextCursor":null}']
    for (const body of [...pages, ...more, '{"items":[{"name":"x"}],"nextCursor":null}', '{"items":[{"id":"1"}']) {
      service.script = say(body)
      assert.equal((await thrown(vitrine.listApps())).name, 'UnexpectedAnswerError', body)
      assert.equal((await thrown(vitrine.listApps().toArray({ max: 9 }))).name, 'UnexpectedAnswerError', body)
    }
    for (const body of ['{}', '{"id":7}', '{"id":null}', '[]']) {
      service.script = say(body)
      assert.equal((await thrown(vitrine.getEvent({ eventId: '1' }))).name, 'UnexpectedAnswerError', body)
    }
    for (const body of ['{}', '[]', '{"error":{"type":"x","code":"y"}}', '{"ok":true}', '{"id":7,"connection":7}']) {
      service.script = say(body)
      assert.equal((await thrown(vitrine.whoami())).name, 'UnexpectedAnswerError', body)
      assert.equal((await thrown(vitrine.connectionStatus())).name, 'UnexpectedAnswerError', body)
    }
    service.script = say('{"id":null}')
    const none = await vitrine.getLegacyEncryptionDeclarationAppId({ encryptionDeclarationId: '1' })
    assert.deepEqual(none, { id: null })
    for (const status of [201, 204, 400, 500]) {
      service.script = say(status === 204 ? '' : '{"id":"1"}', status)
      const error = await thrown(vitrine.getEvent({ eventId: '1' }))
      assert.deepEqual([error.name, error.status], ['UnexpectedAnswerError', status])
    }
  })

  test(`${of}: a 503 of a proxy is retried like one of the service`, async (t) => {
    skipRetryWaits(t)
    const { vitrine, service } = await script(t, await load(), inTurn(say('<html>', 503, 'text/html'), app))
    await vitrine.listApps()
    assert.equal(service.calls.length, 2)
  })

  test(`${of}: redirects are not followed, so the key reaches only the given service`, async (t) => {
    const thief = await script(t, await load(), app)
    for (const status of [301, 302, 303, 307, 308]) {
      const { vitrine, service } = await script(t, await load(), (_, res) =>
        send(res, '', { location: `${thief.service.url}/x` }, status),
      )
      const error = await thrown(vitrine.listApps())
      assert.deepEqual([error.name, error.code, error.status], ['UnexpectedAnswerError', 'redirected', status])
      assert.ok(error.message.includes(thief.service.url), error.message)
      assert.equal(service.calls.length, 1)
    }
    assert.equal(thief.service.calls.length, 0)
  })

  test(`${of}: inspecting or serializing the client or an error never shows the key`, async (t) => {
    const client = await load()
    const echo: Script = ({ headers }, res) => send(res, `you sent ${headers.authorization}`, {}, 400)
    const { vitrine, service } = await script(t, client, echo)
    const shows = (value: unknown) =>
      [inspect(value, { depth: 9, showHidden: true }), JSON.stringify(value), String((value as any)?.stack)].join('\n')
    assert.ok(!shows(vitrine).includes(key))
    assert.equal(JSON.stringify(vitrine), '{}')
    assert.ok(!shows(vitrine.listApps()).includes(key))
    const echoed = await thrown(vitrine.listApps())
    assert.match(echoed.message, /you sent Bearer \(key\)/)
    service.script = ({ headers }, res) => {
      const error = { type: 'bad_request', code: 'x', message: headers.authorization, requestId: '', retryable: false }
      send(res, { error }, {}, 400)
    }
    for (const error of [echoed, await thrown(vitrine.listApps())]) assert.ok(!shows(error).includes(key))
    const told: Script = ({ headers: { authorization = '' } }, res) => {
      send(res, { error: { type: 'bad_request', code: 'x' } }, { 'x-request-id': authorization }, 400)
    }
    const page: Script = ({ headers: { authorization = '' } }, res) =>
      send(res, '<html>', { 'x-request-id': authorization })
    const broken: Script = ({ headers: { authorization = '' } }, res) => {
      res.writeHead(200, { 'x-request-id': authorization, 'content-length': 9 }).write('{')
      setImmediate(() => res.destroy())
    }
    for (const script of [told, page, broken]) {
      service.script = script
      const error = await thrown(vitrine.listApps({}, { retries: 0 }))
      assert.equal(error.requestId, 'Bearer (key)')
      assert.ok(!shows(error).includes(key))
    }
    for (const bad of [`${key}\n`, `${key} `, `${key}é`, ''])
      assert.throws(
        () => new client.Vitrine({ url: service.url, key: bad }),
        (error) => error instanceof TypeError && !shows(error).includes(key),
      )
  })

  test(`${of}: plain http to another machine needs the option insecure`, async () => {
    const { Vitrine } = await load()
    const open = (url: string, insecure?: boolean) => new Vitrine({ url, key, insecure })
    for (const url of ['https://vitrine.example', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:1/'])
      assert.ok(open(url))
    for (const url of [
      'http://vitrine.example',
      'http://10.0.0.7:8080',
      'http://localhost.example',
      'http://127.evil.example',
    ])
      assert.throws(() => open(url), /insecure: true/, url)
    assert.ok(open('http://vitrine:8080', true))
    for (const url of [
      'ftp://127.0.0.1',
      'https://a:secret@vitrine.example',
      'https://v.example/?secret',
      'secret',
      '',
    ])
      assert.throws(
        () => open(url),
        (error) =>
          error instanceof TypeError && !inspect(error, { showHidden: true }).split('\n')[0]?.includes('secret'),
        url,
      )
  })

  test(`${of}: the url of the service may have a path`, async (t) => {
    const client = await load()
    const { service } = await script(t, client, app)
    await new client.Vitrine({ url: `${service.url}/store/`, key, connection: 'acme' }).listApps()
    assert.equal(service.calls[0]?.path, '/store/v1/connections/acme/apps')
  })

  test(`${of}: an invalid timeoutMs or retries throws a TypeError`, async (t) => {
    const client = await load()
    const { vitrine, service } = await script(t, client, app)
    for (const wrong of [{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { retries: -1 }]) {
      assert.throws(() => new client.Vitrine({ url: service.url, key, ...wrong }), TypeError)
      assert.ok((await thrown(vitrine.listApps({}, wrong))) instanceof TypeError)
    }
    await vitrine.listApps({}, { timeoutMs: Infinity })
    await vitrine.listApps({}, { timeoutMs: 2 ** 40 })
    assert.equal(service.calls.length, 2)
  })
}
