// The operations on facade keys.
import { issuedKey, shownKey, shownKeyBy, toldBy } from './shown.ts'
import type { BodySchema } from './check.ts'
import { keyWishSchema, readKeyWish } from './key-wish.ts'
import { readSpan, spanForm } from '../moment.ts'
import { base, idForms, type Operation } from './operation.ts'
import { pageParameters, readPage } from './page.ts'

const defaultOverlap = '24h'

const rerollSchema = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    overlap: {
      type: 'string',
      description: 'How long the old key still works: a time such as `24h`, `30m` or `7d`, or `0` for at once.',
      pattern: spanForm,
      default: defaultOverlap,
    },
  },
} as const satisfies BodySchema

const subject = 'key'
const one = `${base}/keys/{id}`

export const keyOperations: readonly Operation[] = [
  {
    ...{ method: 'GET', path: `${base}/keys`, operationId: 'listKeys', tag: 'keys' },
    summary: 'Facade keys, by id',
    description: 'Those that expired or were revoked too. Nothing of a secret is in them.',
    ...{ act: 'keys.list', query: pageParameters, status: 200, answer: 'KeyPage', refusals: [] },
    run: async ({ query }, { keys, now }) => {
      const { items, nextCursor } = await readPage(query, {
        name: 'keys',
        form: idForms.key,
        read: ({ after = '', limit }) => keys.page({ after, limit }),
        placeOf: ({ id }) => id,
      })
      const ended = await keys.endedOf(items)
      return { items: items.map((key) => shownKey(key, ended(key), now())), nextCursor }
    },
  },
  {
    ...{ method: 'POST', path: `${base}/keys`, operationId: 'createKey', tag: 'keys' },
    summary: 'Make a facade key',
    description: 'The key is in the answer, once: only its hash is kept.',
    ...{ act: 'keys.create', body: keyWishSchema, status: 201, answer: 'IssuedKey', refusals: ['member_invalid'] },
    bodyExample: { name: 'dashboard', connections: ['studio'], groups: ['apps', 'builds'], expires: '90d' },
    run: async ({ body, actor }, { keys, connections, now }) =>
      issuedKey(keys, await keys.issue(readKeyWish(body, await connections.ids(), now()), actor), now()),
  },
  {
    ...{ method: 'GET', path: one, operationId: 'getKey', tag: 'keys' },
    summary: 'One facade key',
    ...{ act: 'keys.show', subject, status: 200, answer: 'Key', refusals: ['key_unknown'] },
    run: async ({ id }, { keys, now }) => shownKeyBy(keys, await keys.show(id), now()),
  },
  {
    ...{ method: 'DELETE', path: one, operationId: 'revokeKey', tag: 'keys' },
    summary: 'Revoke a facade key',
    description: 'At once, and for good. Revoking it again changes nothing.',
    ...{ act: 'keys.revoke', subject, status: 200, answer: 'RevokedKey', refusals: ['key_unknown'] },
    run: async ({ id, actor }, { keys, ...parts }) => {
      const alreadyRevoked = !(await keys.revoke(id, actor))
      return { id, revoked: true, alreadyRevoked, ...toldBy(parts) }
    },
  },
  {
    ...{ method: 'POST', path: `${one}/reroll`, operationId: 'rerollKey', tag: 'keys' },
    summary: 'Let another key take over',
    description:
      'Makes a key with the same grants, and lets the old one end after the overlap; without one it is revoked at once. Connections that ended for the old key stay ended for the new one.',
    ...{ act: 'keys.reroll', subject, body: rerollSchema, bodyExample: { overlap: '24h' }, status: 201 },
    ...{ answer: 'RerolledKey', refusals: ['member_invalid', 'key_unknown', 'key_not_live'] },
    run: async ({ id, body, actor }, { keys, now, ...parts }) => {
      const { overlap = defaultOverlap } = body as { overlap?: string }
      const issued = await keys.reroll(id, readSpan('overlap', overlap), actor)
      return { ...(await issuedKey(keys, issued, now())), ...toldBy(parts) }
    },
  },
]
