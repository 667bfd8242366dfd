import assert from 'node:assert/strict'
import test from 'node:test'
import { Problem, problems } from '../../src/problems.ts'

/** section 2.9 of the contract, typed by hand */
const types: Readonly<Record<number, string>> = {
  400: 'invalid_request invalid_dockerfile invalid_archive invalid_public_key',
  401: 'unauthorized session_required invalid_credentials',
  403: 'forbidden csrf_failed',
  404: 'not_found container_not_found image_not_found key_not_found file_not_found parent_not_found',
  405: 'method_not_allowed',
  409: 'container_not_running image_not_ready image_in_use name_in_use quota_exceeded is_directory not_directory not_regular file_exists read_only idempotency_conflict idempotency_in_progress',
  411: 'length_required',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'start_failed exec_start_failed',
  429: 'rate_limited exec_limit file_limit build_limit ssh_limit',
  500: 'internal_error',
  502: 'engine_error exec_outcome_unknown',
  503: 'engine_unavailable no_capacity shutting_down',
  504: 'engine_timeout',
  507: 'disk_full',
}

test('every type has the status of the contract, and 429 and 503 say how long to wait', () => {
  for (const [status, all] of Object.entries(types))
    for (const type of all.split(' ')) {
      const row = problems[type]
      assert.deepEqual([row?.status, row?.type], [Number(status), type])
      assert.ok(row?.summary && row.cure, type)
    }
  for (const [code, { status, retryAfterSec }] of Object.entries(problems))
    if (status === 429 || status === 503) assert.ok((retryAfterSec ?? 0) > 0, code)
})

test('problems of base have a type of this API, with its status', () => {
  // framing has no type of its own in the contract; output_limit is a line of a stream
  const framing = new Set([408, 414, 417, 421, 431, 505])
  const additions = [
    'directory_not_empty',
    'action_refused',
    'exec_not_found',
    'upgrade_required',
    'terminal_limit',
    'log_limit',
  ]
  const known = new Map(Object.entries(types).flatMap(([status, all]) => all.split(' ').map((type) => [type, Number(status)]))) // prettier-ignore
  for (const [code, { type, status }] of Object.entries(problems))
    if (!framing.has(status) && ![...additions, 'output_limit'].includes(code))
      assert.equal(known.get(type), status, `${code}: ${type}`)
})

test('a problem of base names its parameter in the details, as ours do', () => {
  const problem = new Problem('repeated_parameter', { param: 'limit' })
  const shown = Problem.present(problem, 'req_x')
  assert.deepEqual(shown, {
    type: 'invalid_request',
    code: 'repeated_parameter',
    message: problem.message,
    requestId: 'req_x',
    details: { field: 'limit', reason: problem.message },
  })
})
