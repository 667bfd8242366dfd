// The OpenAPI description of the operator endpoint.
import { version } from '../version.ts'
import { idHint } from '../connection-settings.ts'
import { describeOperations, describePage } from '../../../base/operations/description.ts'
import { accepts, isOpen } from '../../../base/operations/operation.ts'
import {
  about as described,
  anyObject,
  flag,
  integer,
  listOf,
  object,
  oneOf,
  ref,
  text,
} from '../../../base/operations/schema.ts'
import { type ProblemCode, type ProblemExtras, problems } from '../problems.ts'
import { answerSchemas } from './answer-schemas.ts'
import { base, type ManagementOperation, subjects } from './operation.ts'
import { operations } from './operations.ts'
import { neededRole } from './roles.ts'

const about = `Management of a Vitrine service: connections, facade keys, the vault, the audit log and the state of the service. It needs the operator
token; facade keys are refused. The console signs in with that token, or with an OpenID Connect provider, and gets a session: a cookie, which
is sent together with \`X-Vitrine-Csrf\`. A session of the provider has a role; what the role does not allow is 403 with the role it needs. Requests and answers are JSON, times are ISO 8601 in UTC, and unknown values are null.

A list comes in pages: pass \`nextCursor\` back as \`cursor\` until it is null. Every change and every refused change is in the
audit log. Credentials are never returned, and a facade key is shown once, when it is created.`

const tags: Readonly<Record<ManagementOperation['tag'] | 'service', string>> = {
  connections: 'Store accounts: managed ones in the settings file, hosted ones in the store.',
  keys: 'Facade keys, with which callers read at the public endpoint.',
  vault: 'Master keys, which encrypt the credentials of hosted connections.',
  audit: 'Who changed what, and what was refused.',
  status: 'The state of the service and of its connections.',
  session: 'Sign-in at the console. Only browsers need it: programs send their token with each request.',
  reads: 'The routes of the public endpoint and their parameters, and reads through any connection.',
  doctor: 'Checks of the installation, with the cause and the fix of each problem.',
  service: 'The service itself. These need no token.',
}

const security = {
  token: {
    name: 'operatorToken',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The operator token: the value of `VITRINE_OPERATOR_TOKEN`, or a line of the file of `operatorTokenFile`.',
    },
  },
  session: {
    name: 'session',
    scheme: {
      type: 'apiKey',
      in: 'cookie',
      name: 'vitrine_session',
      description:
        'The cookie of the console. Its name ends with the port, if there is one, as in `vitrine_session_8081`; over https it begins with `__Secure-`.',
    },
  },
  csrf: {
    name: 'csrf',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Vitrine-Csrf',
      description: '`csrf` of the session. Operations that accept the cookie need it too, unless they say otherwise.',
    },
  },
}

function authenticationCodes(operation: ManagementOperation): ProblemCode[] {
  const always = ['operator_token_invalid', 'operator_locked_out', 'origin_not_allowed'] as const
  if (isOpen(operation)) return [...always]
  const missing = accepts(operation, 'token') ? 'operator_token_missing' : 'session_missing'
  const ofSessions: ProblemCode[] = ['session_ended', 'session_unknown']
  const ofRoles: ProblemCode[] = neededRole(operation) === 'viewer' ? [] : ['role_insufficient']
  return [missing, ...always, ...ofSessions, ...(operation.withoutCsrf ? [] : ['csrf_missing' as const]), ...ofRoles]
}

const samples: { readonly [K in ProblemCode]?: ProblemExtras } = {
  unknown_parameter: { message: '"page" is not a parameter of this operation. Allowed: none.', param: 'page' },
  repeated_parameter: { message: '"limit" is given more than once.', param: 'limit' },
  empty_parameter: { message: '"cursor" has no value.', param: 'cursor' },
  value_not_allowed: {
    message: '"limit" is a whole number from 1 to 200.',
    param: 'limit',
    details: { minimum: 1, maximum: 200 },
  },
  cursor_invalid: { param: 'cursor' },
  cursor_mismatch: { param: 'cursor' },
  payload_too_large: { message: 'The body is larger than 65536 bytes.' },
  content_not_allowed: { message: 'The request has content, and this operation takes none: send no body.' },
  member_invalid: {
    message: `keyId: missing. Id of the signing key at the platform. ${idHint('keyId')}`,
    param: 'keyId',
  },
  private_key_unusable: { message: 'The private key cannot be used: it is truncated or damaged.', param: 'privateKey' },
}

const status = (word: string) => ({
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', const: word } },
})

const problemSchemas = {
  Problem: object({ error: ref('ProblemError') }),
  ProblemError: {
    type: 'object',
    required: ['type', 'code', 'message', 'requestId', 'retryable', 'docUrl'],
    properties: {
      type: oneOf([...new Set(Object.values(problems).map(({ type }) => type))]),
      code: described(text, 'Finer than the type; more may come.'),
      message: described(text, 'For people.'),
      requestId: described(text, 'Equal to the X-Request-Id header.'),
      retryable: described(flag, 'Whether the same request may succeed later.'),
      docUrl: { ...text, format: 'uri-reference', description: 'Page about this code.' },
      param: described(text, 'The parameter or member at fault.'),
      details: {
        type: 'object',
        description: 'For programs; more members may come.',
        properties: {
          allowed: described(listOf(text), 'Names or values that are allowed, at most 20 of them.'),
          nearest: described(text, 'The allowed one that was probably meant.'),
          minimum: integer,
          maximum: integer,
        },
      },
    },
  },
}

export const describeOperator = (): object =>
  describeOperations({
    title: 'Vitrine, the operator endpoint',
    version,
    about,
    server: 'This service, at its operator endpoint.',
    tags,
    operations,
    schemas: { ...answerSchemas, ...problemSchemas },
    security,
    authenticationCodes,
    samples,
    aboutId: ({ subject = 'connection' }) => subjects[subject].about,
    pages: {
      [`${base}/openapi.json`]: describePage('getDescription', 'This description', anyObject),
      '/livez': describePage('getLiveness', 'Whether the process answers', status('ok')),
      '/healthz': describePage('getHealth', 'Whether the process answers, by an older name', status('ok')),
      '/readyz': describePage('getReadiness', 'Whether the service should get traffic', status('ready')),
    },
  })
