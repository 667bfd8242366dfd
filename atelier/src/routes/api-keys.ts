// Routes 8: API keys, managed in a browser session.
import { timeOrNull } from '../containers/present.ts'
import type { Answer } from '../api/route.ts'
import { pageParameters } from '../api/cursors.ts'
import { type Scope, scopes } from '../accounts/scopes.ts'
import { firstOf } from '../store/listing.ts'
import type { KeyRecord } from '../store/key-rows.ts'
import { idSchema } from './schemas.ts'
import { defineRoute } from './service.ts'

const dayMs = 24 * 60 * 60_000

const presentKey = ({
  id,
  name,
  prefix,
  scopes,
  createdAt,
  createdBy,
  lastUsedAt,
  expiresAt,
  revokedAt,
}: KeyRecord) => ({
  id,
  name,
  prefix,
  scopes,
  createdAt: timeOrNull(createdAt),
  createdBy,
  lastUsedAt: timeOrNull(lastUsedAt),
  expiresAt: timeOrNull(expiresAt),
  revokedAt: timeOrNull(revokedAt),
})

export const listKeys = defineRoute({
  method: 'GET',
  path: '/api-keys',
  operationId: 'listKeys',
  tag: 'keys',
  summary: 'List API keys, newest first',
  description: 'Revoked keys stay listed for 30 days, the last 200 of them.',
  credential: 'session',
  query: pageParameters,
  answers: { 200: { json: 'KeyPage', description: 'A page.' } },
  refusals: [],
  async run({ caller: { account }, query }, { keys, page }): Promise<Answer> {
    const place = { account, route: 'listKeys', filters: {} }
    const { items, nextCursor } = await page(place, query, async (after, most) =>
      firstOf(await keys.page(account, after, most + 1), most),
    )
    return { status: 200, body: { items: items.map(presentKey), nextCursor } }
  },
})

interface KeyWish {
  readonly name: string
  readonly scopes?: readonly Scope[]
  readonly expiresInDays?: number | null
}

export const createKey = defineRoute<{}, KeyWish>({
  method: 'POST',
  path: '/api-keys',
  operationId: 'createKey',
  tag: 'keys',
  summary: 'Create an API key',
  description: 'The text of the key is in `key`, this once.',
  credential: 'session',
  isCreation: true,
  body: {
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[^\\0]*$' },
        scopes: {
          type: 'array',
          items: { type: 'string', enum: scopes },
          minItems: 1,
          maxItems: scopes.length,
          uniqueItems: true,
        },
        expiresInDays: { type: ['integer', 'null'], minimum: 1, maximum: 365 },
      },
    },
    example: { name: 'ci', scopes: ['containers:read', 'exec'], expiresInDays: 90 },
  },
  makes: 'key',
  answers: { 201: { json: 'CreatedKey', description: 'The key.' } },
  refusals: ['quota_exceeded', 'rate_limited'],
  async run({ caller: { account }, body, madeId: id }, { keys, limits, now }): Promise<Answer> {
    const { name, scopes: wanted = scopes, expiresInDays = null } = body
    const expiresAt = expiresInDays === null ? null : now() + expiresInDays * dayMs
    const wish = { id, account, name, scopes: wanted, expiresAt, createdBy: account }
    const made = await keys.create(wish, limits.keys)
    return { status: 201, body: { ...presentKey(made.key), key: made.text }, secrets: ['key'] }
  },
  async recall({ caller, madeId }, { store }) {
    const key = await store.keys.find(caller.account, madeId)
    return key && { status: 201, body: { ...presentKey(key), key: null } }
  },
})

export const deleteKey = defineRoute({
  method: 'DELETE',
  path: '/api-keys',
  operationId: 'deleteKey',
  tag: 'keys',
  summary: 'Revoke an API key',
  description: 'Counts from the next request on. What was begun with the key ends within 5 seconds.',
  credential: 'session',
  query: { id: { description: 'The key.', schema: idSchema, required: true } },
  answers: { 204: { description: 'It is revoked, also when repeated.' } },
  refusals: ['key_not_found'],
  async run({ caller, query: { id } }, { keys, keyHolders }): Promise<Answer> {
    await keys.revoke(caller.account, id)
    await keyHolders.check()
    return { status: 204 }
  },
})
