import assert from 'node:assert/strict'
import test from 'node:test'
import { errors } from 'undici'
import { Failure, failureOfError, failureOfStatus } from '../../src/platform/retry/failures.ts'
import { Problem } from '../../src/problems.ts'

/** the code that the caller gets, whether the call is retried, and whether it counts as the platform being down */
type Meaning = readonly [code: string, again: boolean, down: boolean]

const meaningOf = ({ problem, again, down }: Failure): Meaning => [problem.code, again, down]
const coded = (code: string): Error => Object.assign(new Error(`PLATFORM ${code}`), { code })
const named = (name: string): Error => new DOMException('PLATFORM', name)

const nobody: Meaning = ['upstream_unavailable', true, true]
const cut: Meaning = ['upstream_malformed', true, false]
const wrong: Meaning = ['upstream_malformed', false, false]
const silent: Meaning = ['upstream_timeout', false, true]
const stuck: Meaning = ['upstream_timeout', false, false]

const socketInfo = undefined as never

const rows: readonly (readonly [error: Error, beforeHeaders: Meaning, afterHeaders: Meaning])[] = [
  // no answer, or a closed socket
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENETDOWN',
    'EHOSTDOWN',
    'EADDRNOTAVAIL',
    'ENOTFOUND',
    'EAI_AGAIN',
  ].map((code) => [coded(code), nobody, cut] as const),
  [new errors.SocketError('other side closed', socketInfo), nobody, cut],
  [new errors.InformationalError('reset'), nobody, cut],
  [new errors.ClientDestroyedError(), nobody, cut],
  [new errors.ClientClosedError(), nobody, cut],
  [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), nobody, cut],
  // an answer shorter than its Content-Length; before the headers are complete it contradicts itself
  [new errors.ResponseContentLengthMismatchError(), cut, cut],
  // time
  [new errors.ConnectTimeoutError(), ['upstream_timeout', true, true], ['upstream_timeout', true, false]],
  [new errors.HeadersTimeoutError(), silent, stuck],
  [new errors.BodyTimeoutError(), silent, stuck],
  [named('TimeoutError'), silent, stuck],
  // not a usable answer
  [new errors.HTTPParserError('PLATFORM'), wrong, wrong],
  [new errors.HeadersOverflowError(), wrong, wrong],
  [new errors.SocketError('bad upgrade', socketInfo), wrong, wrong],
  [new errors.SocketError('bad response', socketInfo), wrong, wrong],
  [new assert.AssertionError({ message: 'assert(statusCode >= 100)' }), wrong, wrong],
  // the answer of another server
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'EPROTO',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  ].map((code) => [coded(code), wrong, wrong] as const),
  [coded('EPRIVATE'), ['upstream_failed', false, false], ['upstream_failed', false, false]],
  // our own limits, which say nothing about the platform
  ...['EMFILE', 'ENFILE'].map(
    (code) => [coded(code), ['upstream_unavailable', true, false], ['upstream_unavailable', true, false]] as const,
  ),
  // unknown errors
  ...[coded('ENEW'), new Error('PLATFORM'), new TypeError('PLATFORM')].map(
    (error) => [error, ['upstream_unavailable', false, true], wrong] as const,
  ),
]

for (const [error, beforeHeaders, afterHeaders] of rows) {
  const { code = error.name } = error as NodeJS.ErrnoException
  test(`${code}, ${error.message || 'of several addresses'}: ${beforeHeaders[0]}, or ${afterHeaders[0]} within an answer`, () => {
    for (const [answering, meaning] of [
      [false, beforeHeaders],
      [true, afterHeaders],
    ] as const) {
      const failure = failureOfError(error, answering)
      assert.deepEqual(meaningOf(failure), meaning)
      assert.equal(failure.status, undefined)
      assert.equal(failure.stale, false)
      assert.ok(
        !`${failure.message} ${String(failure.problem.extras.cause)}`.includes('PLATFORM'),
        'no words of others',
      )
    }
  })
}

test('a known failure keeps its kind, and a problem is not retried', () => {
  const failure = new Failure(new Problem('upstream_failed'), { status: 500, again: true })
  assert.equal(failureOfError(failure, false), failure)
  const problem = new Problem('upstream_malformed')
  assert.equal(failureOfError(problem, true).problem, problem)
  assert.deepEqual(meaningOf(failureOfError(problem, true)), wrong)
})

const statuses: readonly (readonly [status: number, Meaning])[] = [
  ...[201, 204, 206, 301, 302, 304, 307, 308].map((status) => [status, wrong] as const),
  [400, ['upstream_failed', false, false]],
  [401, ['upstream_key_rejected', false, false]],
  [403, ['upstream_forbidden', false, false]],
  ...[404, 410].map((status) => [status, ['resource_not_found', false, false]] as const),
  ...[402, 405, 406, 409, 422, 451].map((status) => [status, ['upstream_failed', false, false]] as const),
  [429, ['upstream_rate_limited', false, false]],
  ...[500, 502].map((status) => [status, ['upstream_failed', true, false]] as const),
  [503, ['upstream_unavailable', true, true]],
  [504, ['upstream_timeout', true, true]],
  ...[501, 505, 507, 599].map((status) => [status, ['upstream_failed', false, false]] as const),
  ...[600, 999].map((status) => [status, wrong] as const),
]

test('of the statuses only 500, 502, 503 and 504 are retried', () => {
  for (const [status, meaning] of statuses) {
    const failure = failureOfStatus({ status, retryAfter: undefined, body: undefined, given: new Map(), nowMs: 0 })
    assert.deepEqual([status, ...meaningOf(failure)], [status, ...meaning])
    assert.equal(failure.status, status)
  }
})

test('the platform is not called before the time that its Retry-After gives', () => {
  const { again, down, problem } = failureOfStatus({
    status: 503,
    retryAfter: '7',
    body: undefined,
    given: new Map(),
    nowMs: 0,
  })
  assert.deepEqual([again, down, problem.extras.retryAfterSec], [false, true, 7])
})

test("a rejection without the platform's own errors is recognised as coming from elsewhere, if its body arrived", () => {
  const refusal = { status: 403, retryAfter: undefined, given: new Map(), nowMs: 0 }
  const own = { errors: [{ status: '403', code: 'FORBIDDEN_ERROR' }] }
  const seen = [{ body: own }, { body: {} }, { body: undefined }, { body: undefined, isWhole: false }]
  assert.deepEqual(
    seen.map((one) => failureOfStatus({ ...refusal, ...one }).isOwn),
    [true, false, false, true],
  )
})

test('a timeout is recognised by the name of the error and not by a number', () => {
  const { problem } = failureOfError(new DOMException('over', 'TimeoutError'), false)
  assert.deepEqual([problem.code, problem.extras.cause], ['upstream_timeout', 'TimeoutError'])
})
