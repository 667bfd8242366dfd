// Routes 1: containers.
import { type Answer } from '../api/route.ts'
import { pageParameters } from '../api/cursors.ts'
import { presentContainer } from '../containers/present.ts'
import { type ContainerWish, standardIdleSeconds, standardLimits, standardTtlSeconds } from '../containers/wish.ts'
import { invalid } from '../problems.ts'
import { type ContainerRecord, containerStatuses } from '../store/container-rows.ts'
import {
  commandSchema,
  directorySchema,
  envSchema,
  idSchema,
  labelsSchema,
  nameSchema,
  orNull,
  userSchema,
} from './schemas.ts'
import { defineRoute } from './service.ts'

const limitsSchema = {
  type: 'object',
  description: 'What the container may use; missing members take the default.',
  additionalProperties: false,
  properties: {
    cpu: { type: 'number', minimum: 0.1, maximum: 2, multipleOf: 0.01, default: standardLimits.cpu },
    memoryMiB: { type: 'integer', minimum: 32, maximum: 4096, default: standardLimits.memoryMiB },
    pids: { type: 'integer', minimum: 16, maximum: 1024, default: standardLimits.pids },
    diskMiB: { type: 'integer', minimum: 64, maximum: 10_240, default: standardLimits.diskMiB },
  },
} as const

const egressSchema = {
  type: 'object',
  description:
    'Addition to the contract: hosts that the container reaches through a proxy of the service, where the operator allows them. Its network stays `none`.',
  additionalProperties: false,
  required: ['hosts'],
  properties: {
    hosts: {
      type: 'array',
      description: 'Names such as `api.example.com`, and `*.example.com` for every name below it.',
      minItems: 1,
      maxItems: 64,
      items: { type: 'string', minLength: 1, maxLength: 255 },
    },
  },
} as const

const secretsSchema = {
  type: 'object',
  description:
    'Addition to the contract: secrets that stay outside the container. Its environment has a placeholder by each name, which the proxy replaces by the value in one header of requests to the hosts of that secret, over TLS alone. The container reaches these hosts.',
  maxProperties: 16,
  propertyNames: { type: 'string', pattern: '^(?!ATELIER_)[A-Za-z_][A-Za-z0-9_]*$', maxLength: 256 },
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['value', 'hosts'],
    properties: {
      value: {
        type: 'string',
        description: 'Never shown again. Printable ASCII, without spaces at the ends.',
        pattern: '^[!-~][ -~]*[!-~]$',
        minLength: 8,
        maxLength: 4_096,
      },
      hosts: {
        type: 'array',
        description: 'Names, without patterns.',
        minItems: 1,
        maxItems: 16,
        items: { type: 'string', minLength: 1, maxLength: 253 },
      },
      header: { type: 'string', pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", maxLength: 64, default: 'authorization' },
    },
  },
} as const

const wishSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['image'],
  properties: {
    image: { ...idSchema, description: 'An image id, or the name of an own image or of a base image.' },
    name: orNull({
      ...nameSchema,
      description: `Unique among the living containers of the account. ${nameSchema.description}`,
    }),
    command: orNull(commandSchema),
    env: envSchema,
    labels: labelsSchema,
    workingDir: orNull(directorySchema),
    user: orNull(userSchema),
    limits: limitsSchema,
    network: { type: 'string', enum: ['none', 'egress'], description: '`egress` only where the operator allows it.' },
    egress: orNull(egressSchema),
    secrets: secretsSchema,
    readOnlyRootfs: { type: 'boolean', description: 'Only the working directory and /tmp can be written.' },
    ttlSeconds: { type: 'integer', minimum: 60, maximum: 86_400, default: standardTtlSeconds },
    idleTimeoutSeconds: { type: ['integer', 'null'], minimum: 60, maximum: 86_400, default: standardIdleSeconds },
  },
} as const

const createdAnswer = (record: ContainerRecord): Answer => ({
  status: 201,
  location: `/containers?id=${record.id}`,
  body: presentContainer(record),
})

export const createContainer = defineRoute<{}, ContainerWish>({
  method: 'POST',
  path: '/containers',
  operationId: 'createContainer',
  tag: 'containers',
  summary: 'Create and start a container',
  credential: 'key',
  scope: 'containers:write',
  body: { schema: wishSchema, example: { image: 'base', name: 'job-7', limits: { memoryMiB: 256 } } },
  isCreation: true,
  makes: 'ct',
  answers: { 201: { json: 'Container', description: 'It runs.' } },
  refusals: [
    'image_not_found',
    'image_not_ready',
    'name_in_use',
    'quota_exceeded',
    'not_opened',
    'start_failed',
    'engine_error',
    'engine_unavailable',
    'engine_timeout',
  ],
  run: async ({ caller, body, madeId }, { containers }) =>
    createdAnswer(await containers.create(caller.account, body, madeId)),
  async recall({ madeId }, { store }) {
    const record = await store.containers.find(madeId)
    // it is removed by the next reconciliation
    if (record?.status === 'creating') return 'in_progress'
    return record && createdAnswer(record)
  },
})

function labelOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw invalid('label', 'must be k=v')
  return [text.slice(0, at), text.slice(at + 1)]
}

export const listContainers = defineRoute({
  method: 'GET',
  path: '/containers',
  operationId: 'listContainers',
  tag: 'containers',
  summary: 'List containers, newest first',
  description:
    'Without `status`, all that are not deleted. With `id`, exactly that one. Deleted ones are kept for 24 hours.',
  credential: 'key',
  scope: 'containers:read',
  query: {
    id: { description: 'One container; stands alone.', schema: idSchema },
    status: {
      description: 'Statuses, separated by commas.',
      schema: { type: 'string', enum: containerStatuses },
      isList: true,
    },
    name: { description: 'The name, exactly.', schema: { type: 'string', minLength: 1, maxLength: 63 } },
    label: {
      description: 'A label as `k=v`; may be given several times, and all must match.',
      schema: { type: 'string', minLength: 2, maxLength: 400 },
      isRepeated: true,
    },
    ...pageParameters,
  },
  answers: { 200: { json: 'ContainerPage', description: 'A page.' } },
  refusals: ['container_not_found'],
  async run({ caller: { account }, query, exchange }, { containers, page }): Promise<Answer> {
    const { id, status: statuses, name, label, limit, cursor } = query
    if (id !== undefined) {
      if (exchange.query.includes('&')) throw invalid('id', 'stands alone')
      return { status: 200, body: { items: [presentContainer(await containers.find(account, id))], nextCursor: null } }
    }
    const labels = label.map(labelOf)
    const place = { account, route: 'listContainers', filters: { statuses, name, labels } }
    const { items, nextCursor } = await page(place, { limit, cursor }, (after, most) =>
      containers.page({ account, statuses, name, labels }, after, most),
    )
    return { status: 200, body: { items: items.map(presentContainer), nextCursor } }
  },
})

export const deleteContainer = defineRoute({
  method: 'DELETE',
  path: '/containers',
  operationId: 'deleteContainer',
  tag: 'containers',
  summary: 'Delete a container',
  description: 'Answers when the engine has nothing of it any more; repeated, it gives the same answer for 24 hours.',
  credential: 'key',
  scope: 'containers:write',
  query: {
    id: { description: 'The container.', schema: idSchema, required: true },
    graceSeconds: {
      description: 'How long its command may take to end by itself after TERM.',
      schema: { type: 'integer', minimum: 0, maximum: 30, default: 2 },
    },
  },
  answers: { 200: { json: 'DeletedContainer', description: 'It is gone.' } },
  refusals: ['container_not_found', 'engine_error', 'engine_unavailable', 'engine_timeout'],
  async run({ caller, query: { id, graceSeconds } }, { containers }): Promise<Answer> {
    const { status, deletedAt } = presentContainer(await containers.delete(caller.account, id, graceSeconds))
    return { status: 200, body: { id, status, deletedAt } }
  },
})
