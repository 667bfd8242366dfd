import assert from 'node:assert/strict'
import test from 'node:test'
import type { ExchangeRecord } from '../../../base/web/exchange.ts'
import { describeOperations } from '../../../base/operations/description.ts'
import { createOperationTable, operationDefiner } from '../../../base/operations/operation.ts'
import { about, object, text } from '../../../base/operations/schema.ts'

interface Names {
  readonly tag: 'jobs'
  readonly subject: 'job'
  readonly answers: { readonly Job: { readonly id: string } }
  readonly code: 'unknown_parameter'
}

const define = operationDefiner<{ readonly start: (name: string) => string }, ExchangeRecord, Names>()
const common = { tag: 'jobs', answer: 'Job', refusals: [] } as const
const operations = [
  define({
    ...common,
    method: 'PUT',
    path: '/jobs/{id}',
    operationId: 'startJob',
    act: 'jobs.start',
    summary: 'Start a job',
    credentials: ['token'],
    scope: 'jobs:write',
    status: 202,
    body: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: { name: { type: 'string', description: 'Its name.' } },
    },
    run: async ({ body }, { start }) => ({ id: start(body.name) }),
  }),
  define({
    ...common,
    method: 'GET',
    path: '/jobs/{id}',
    operationId: 'getJob',
    act: 'jobs.show',
    summary: 'A job',
    credentials: ['session'],
    withoutCsrf: true,
    status: 200,
    run: async ({ id }) => ({ id }),
  }),
]

test('a second service describes keys with scopes and sessions, with nothing of the first one', () => {
  const described = describeOperations({
    title: 'Jobs',
    version: '1',
    about: 'Runs jobs.',
    server: 'Here.',
    tags: { jobs: 'Jobs.' },
    operations,
    schemas: { Job: object({ id: about(text, 'Its id.') }), Problem: {} },
    security: {
      token: { name: 'apiKey', scheme: { type: 'http', scheme: 'bearer' } },
      session: { name: 'session', scheme: { type: 'apiKey', in: 'cookie', name: 'jobs_session' } },
      csrf: { name: 'csrf', scheme: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' } },
    },
    authenticationCodes: () => ['session_missing'],
    samples: {},
    aboutId: () => 'Id of the job.',
    pages: {},
  }) as any
  const { examples, ...components } = described.components
  assert.deepEqual(examples.session_missing.value.error.code, 'session_missing')
  assert.doesNotMatch(JSON.stringify({ ...described, components }), /vitrine|operator/i)
  assert.deepEqual(described.security, [{ apiKey: [] }, { session: [], csrf: [] }])
  const { put, get } = described.paths['/jobs/{id}']
  assert.deepEqual([put.security, get.security], [[{ apiKey: ['jobs:write'] }], [{ session: [] }]])
  assert.deepEqual(Object.keys(put.responses).slice(0, 2), ['202', '400'])
  assert.deepEqual(put.requestBody.content['application/json'].schema.required, ['name'])
})

test('a table finds the operation, the id and the allowed methods of a path', () => {
  const find = createOperationTable(operations)
  assert.equal(find('/jobs', 'GET'), undefined)
  const found = find('/jobs/a%20b', 'PUT')
  assert.deepEqual([found?.operation?.operationId, found?.id], ['startJob', 'a b'])
  assert.deepEqual(find('/jobs/x', 'POST'), { operation: undefined, allowed: ['PUT', 'GET', 'HEAD'], id: 'x' })
})
