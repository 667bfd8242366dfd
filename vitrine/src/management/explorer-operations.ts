// The operations of the console's explorer: the routes, the plan of a read, and the read itself.
import { bodySchema } from '../../../base/operations/check.ts'
import { showsPersonal } from './roles.ts'
import { base, connectionIdMember, define, type ManagementOperation } from './operation.ts'

const wanted = bodySchema(['connection', 'target'], {
  connection: connectionIdMember('Id of the connection: 1 to 64 letters, digits, dots, dashes or underscores.'),
  target: {
    type: 'string',
    description:
      'Path below the connection, and query, as at the public endpoint: a slash first, and at most 16,384 letters.',
    minLength: 1,
    maxLength: 16_384,
    pattern: '^/',
  },
})

const tag = 'reads'
const bodyExample = { connection: 'studio', target: '/apps?limit=5' }

/** what the public endpoint refuses without a platform call */
const beforehand = [
  ...(['repeated_parameter', 'empty_parameter', 'value_not_allowed', 'request_too_long', 'uri_too_long'] as const),
  ...(['cursor_invalid', 'cursor_mismatch', 'cursor_expired', 'route_not_found', 'connection_not_found'] as const),
  ...(['resource_not_found', 'localization_not_found', 'connection_unreadable', 'personal_not_granted'] as const),
]

export const readingOperations: readonly ManagementOperation[] = [
  define({
    method: 'GET',
    path: `${base}/operations`,
    operationId: 'listOperations',
    tag,
    summary: 'The routes that can be read through a connection',
    description:
      'The routes of the public endpoint, each with everything that a form needs to check a request before it is sent.',
    act: 'operations.list',
    answer: 'Forms',
    run: (_, { forms }) => forms(),
  }),
  define({
    method: 'POST',
    path: `${base}/plan`,
    operationId: 'planRead',
    tag,
    summary: 'The platform calls that a read would make',
    description: 'Costs no platform call. What the public endpoint would refuse is refused here, with the same error.',
    act: 'plan',
    readOnly: true,
    body: wanted,
    bodyExample,
    answer: 'Plan',
    refusals: ['member_invalid', ...beforehand],
    run: ({ body, session }, { explorer }) => explorer.plan({ ...body, personal: showsPersonal(session) }),
  }),
  define({
    method: 'POST',
    path: `${base}/read`,
    operationId: 'readThrough',
    tag,
    summary: 'Read through a connection, and see what it cost',
    description:
      'Made as at the public endpoint, with the same checks, cursors, cached answers and queue, but without a facade key. Viewers are not shown personal data. A refusal of the read is an answer with its `status`. At most four at once.',
    act: 'read',
    readOnly: true,
    body: wanted,
    bodyExample,
    answer: 'Reading',
    refusals: ['member_invalid', 'too_busy'],
    run: ({ body, actor, exchange, session }, { explorer }) =>
      explorer.read(body, { exchange, who: actor.who, personal: showsPersonal(session) }),
  }),
]
