// The operations of the glass: what can be asked through a connection, what that would ask of the platform, and asking it.
import { connectionId } from '../../setting-values.ts'
import type { BodySchema } from './check.ts'
import { base, type Operation } from './operation.ts'
import type { Wanted } from './reader.ts'

const wanted = {
  type: 'object',
  additionalProperties: false,
  required: ['connection', 'target'],
  properties: {
    connection: {
      type: 'string',
      description: 'Id of the connection: 1 to 64 letters, digits, dots, dashes or underscores.',
      minLength: 1,
      maxLength: 64,
      pattern: connectionId.source,
    },
    target: {
      type: 'string',
      description:
        'Path below the connection, and query, as the public door takes them: a slash first, and at most 16,384 letters.',
      minLength: 1,
      maxLength: 16_384,
      pattern: '^/',
    },
  },
} as const satisfies BodySchema

const tag = 'reads'
const bodyExample = { connection: 'studio', target: '/apps?limit=5' }

/** what the public door says before it asks the platform */
const beforehand = [
  ...(['repeated_parameter', 'empty_parameter', 'value_not_allowed', 'request_too_long', 'uri_too_long'] as const),
  ...(['cursor_invalid', 'cursor_mismatch', 'cursor_expired', 'route_not_found', 'connection_not_found'] as const),
  ...(['resource_not_found', 'localization_not_found', 'connection_unreadable'] as const),
]

export const readingOperations: readonly Operation[] = [
  {
    ...{ method: 'GET', path: `${base}/operations`, operationId: 'listOperations', tag },
    summary: 'What can be asked through a connection',
    description: 'The routes of the public door, each with all that a form needs to be right before it is sent.',
    ...{ act: 'operations.list', status: 200, answer: 'Forms', refusals: [] },
    run: (_, { forms }) => forms(),
  },
  {
    ...{ method: 'POST', path: `${base}/plan`, operationId: 'planRead', tag },
    summary: 'What a read would ask of the platform',
    description: 'Costs no call of the platform. What the public door would refuse is refused here, in the same words.',
    ...{ act: 'plan', looks: true, body: wanted, bodyExample, status: 200, answer: 'Plan' },
    refusals: ['member_invalid', ...beforehand],
    run: ({ body }, { reader }) => reader.plan(body as unknown as Wanted),
  },
  {
    ...{ method: 'POST', path: `${base}/read`, operationId: 'readThrough', tag },
    summary: 'Read through a connection, and see what it took',
    description:
      'Made as the public door makes it, with the same checks, cursors, remembered answers and turns, and no facade key. A refusal of the read is an answer with its `status`. Four at once.',
    ...{ act: 'read', looks: true, body: wanted, bodyExample, status: 200, answer: 'Reading' },
    refusals: ['member_invalid', 'too_busy'],
    run: ({ body, actor, exchange }, { reader }) =>
      reader.read(body as unknown as Wanted, { exchange, who: actor.who }),
  },
]
