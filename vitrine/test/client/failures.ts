// Failed calls of the client: the class of each error, and which ones are retried.
import assert from 'node:assert/strict'
import test from 'node:test'
import { startRawPlatform, answerOf } from '../support/raw-platform.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { startOverSandbox } from '../support/service.ts'
import { app, busy, inTurn, key, type Load, refusal, script, thrown, skipRetryWaits } from './scene.ts'

const classes: Readonly<Record<string, string>> = {
  invalid_query: 'InvalidQueryError',
  unauthorized: 'UnauthorizedError',
  forbidden: 'ForbiddenError',
  upstream_forbidden: 'UpstreamForbiddenError',
  resource_not_found: 'ResourceNotFoundError',
  localization_not_found: 'LocalizationNotFoundError',
  ambiguous_selection: 'AmbiguousSelectionError',
  rate_limited: 'RateLimitedError',
  upstream_error: 'UpstreamError',
  overloaded: 'OverloadedError',
  internal_error: 'InternalError',
  method_not_allowed: 'MethodNotAllowedError',
  uri_too_long: 'RequestError',
  of_a_later_release: 'RequestError',
  constructor: 'RequestError',
}

const html: Script = (_, res) => {
  res.writeHead(200, { 'content-type': 'text/html', 'x-request-id': 'req_p' })
  res.end('<html>\n<h1>\u001b[31mBad   gateway</h1></html>')
}

export function promiseFailures(of: string, load: Load) {
  test(`${of}: every error type has a class with all members of the error`, async (t) => {
    const client: any = await load()
    const details = { allowed: ['name'], nearest: 'name' }
    let type = ''
    const { vitrine, service } = await script(t, client, (_, res) =>
      send(res, refusal(type, 'some_code', { param: 'nmae', details }), { 'retry-after': '7' }, 418),
    )
    for (type of Object.keys(classes)) {
      const error = await thrown(vitrine.listApps())
      assert.equal(error.name, classes[type])
      assert.ok(error instanceof client[classes[type] ?? ''] && error instanceof client.VitrineError)
      const { code, status, requestId, retryable, docUrl, param, retryAfterSec, message } = error
      assert.deepEqual(
        { type: error.type, code, status, requestId, retryable, param, retryAfterSec, message, details: error.details },
        {
          type,
          code: 'some_code',
          status: 418,
          requestId: 'req_1',
          retryable: false,
          param: 'nmae',
          retryAfterSec: 7,
          message: 'Words.',
          details,
        },
      )
      assert.equal(docUrl, `${service.url}/errors/some_code`)
    }
  })

  test(`${of}: refusals of a real service arrive as the right class`, async (t) => {
    const { Vitrine } = await load()
    const { service, close } = await startOverSandbox()
    t.after(close)
    const of = { url: service.url, connection: 'acme' }
    const vitrine = new Vitrine({ ...of, key: service.key })
    const blind = new Vitrine({ ...of, key: await service.issue({ groups: ['builds'] }) })
    const asked: [() => PromiseLike<unknown>, string, string][] = [
      [() => new Vitrine({ ...of, key: 'vtr_test_wrong' }).listApps(), 'UnauthorizedError', 'key_invalid'],
      [() => blind.listApps(), 'ForbiddenError', 'group_not_granted'],
      [() => vitrine.listApps({ cursor: 'forged' }), 'InvalidQueryError', 'cursor_invalid'],
      [() => vitrine.getEvent({ eventId: '404' }), 'ResourceNotFoundError', 'resource_not_found'],
      [() => vitrine.connection('none').listApps(), 'ResourceNotFoundError', 'connection_not_found'],
      [() => vitrine.read('listApps', { nmae: 'Tidal' }), 'InvalidQueryError', 'unknown_parameter'],
    ]
    for (const [ask, name, code] of asked) {
      const error = await thrown(ask())
      assert.deepEqual([error.name, error.code], [name, code])
      assert.match(error.requestId, /^req_/)
      assert.ok((await fetch(error.docUrl)).ok, error.docUrl)
    }
  })

  test(`${of}: temporary failures are retried as often as the caller allows`, async (t) => {
    skipRetryWaits(t)
    for (const status of [429, 502, 503, 504]) {
      const { vitrine, service } = await script(t, await load(), inTurn(busy({}, status), busy({}, status), app))
      assert.equal((await vitrine.listApps()).items.length, 1)
      assert.equal(service.calls.length, 3)
      service.script = busy({}, status)
      assert.equal((await thrown(vitrine.listApps())).status, status)
      assert.equal(service.calls.length, 6)
      await thrown(vitrine.listApps({}, { retries: 0 }))
      assert.equal(service.calls.length, 7)
    }
  })

  test(`${of}: permanent failures are not retried`, async (t) => {
    const lasting: Script[] = [
      (_, res) => send(res, refusal('upstream_error', 'upstream_key_rejected'), {}, 502),
      (_, res) => send(res, refusal('internal_error', 'internal_error', { retryable: true }), {}, 500),
      (_, res) => send(res, refusal('invalid_query', 'cursor_expired'), {}, 400),
      (_, res) => send(res, refusal('resource_not_found', 'resource_not_found'), {}, 404),
      html,
    ]
    for (const answer of lasting) {
      const { vitrine, service } = await script(t, await load(), answer)
      await thrown(vitrine.listApps())
      assert.equal(service.calls.length, 1)
    }
  })

  test(`${of}: a truncated answer is retried`, async (t) => {
    skipRetryWaits(t)
    const { Vitrine } = await load()
    const whole = answerOf('{"items":[{"id":"1"}],"nextCursor":null}')
    const torn = whole.subarray(0, -9)
    const raw = await startRawPlatform((socket) => socket.end(raw.requests.length < 3 ? torn : whole))
    t.after(raw.close)
    const vitrine = new Vitrine({ url: raw.url, key, connection: 'acme' })
    assert.deepEqual((await vitrine.listApps()).items, [{ id: '1' }])
    assert.equal(raw.requests.length, 3)
    raw.script = (socket) => socket.end(torn)
    const error = await thrown(vitrine.listApps())
    assert.deepEqual([error.name, error.retryable, error.status], ['UnreachableError', true, 0])
    assert.match(error.message, /broke off/)
    await raw.close()
    const gone = await thrown(vitrine.listApps({}, { retries: 0 }))
    assert.equal(gone.name, 'UnreachableError')
    assert.match(gone.message, /cannot be reached: /)
  })
}
