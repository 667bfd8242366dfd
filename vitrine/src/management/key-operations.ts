// The operations on facade keys.
import { issuedKey, shownKey, shownKeyBy, unpublishedState } from './shown.ts'
import { bodySchema } from '../../../base/operations/check.ts'
import { keyWishSchema, readExpiry, readKeyWish } from './key-wish.ts'
import { readSpan, spanForm } from '../../../base/core/moment.ts'
import { base, define, type ManagementOperation, subjects } from './operation.ts'
import { pageParameters, readPage } from '../../../base/operations/page.ts'

const defaultOverlap = '24h'

const rerollSchema = bodySchema([], {
  overlap: {
    type: 'string',
    description: 'How long the old key still works: a time such as `24h`, `30m` or `7d`, or `0` for at once.',
    pattern: spanForm,
    default: defaultOverlap,
  },
  expires: {
    type: 'string',
    description:
      'When the successor ends: a time such as `90d`, `12h` or `30m`, a date such as `2027-01-31`, or `never`; absent: when the old key would have.',
    maxLength: 40,
  },
})

const subject = 'key'
const one = `${base}/keys/{id}`

export const keyOperations: readonly ManagementOperation[] = [
  define({
    method: 'GET',
    path: `${base}/keys`,
    operationId: 'listKeys',
    tag: 'keys',
    summary: 'Facade keys, by id',
    description: 'Including expired and revoked keys. They contain no part of a secret.',
    act: 'keys.list',
    query: pageParameters,
    answer: 'KeyPage',
    run: async ({ query }, { keys, now }) => {
      const { items, nextCursor } = await readPage(query, {
        name: 'keys',
        form: subjects.key.idForm,
        read: ({ after = '', limit }) => keys.page({ after, limit }),
        placeOf: ({ id }) => id,
      })
      const ended = await keys.endedOf(items)
      return { items: items.map((key) => shownKey(key, ended(key), now())), nextCursor }
    },
  }),
  define({
    method: 'POST',
    path: `${base}/keys`,
    operationId: 'createKey',
    tag: 'keys',
    summary: 'Create a facade key',
    description: 'The key is only in this answer: the service stores its hash.',
    act: 'keys.create',
    body: keyWishSchema,
    status: 201,
    answer: 'IssuedKey',
    refusals: ['member_invalid'],
    bodyExample: { name: 'dashboard', connections: ['studio'], groups: ['apps', 'builds'], expires: '90d' },
    run: async ({ body, actor }, { keys, connections, now }) =>
      issuedKey(keys, await keys.issue(readKeyWish(body, await connections.ids(), now()), actor), now()),
  }),
  define({
    method: 'GET',
    path: one,
    operationId: 'getKey',
    tag: 'keys',
    summary: 'One facade key',
    act: 'keys.show',
    subject,
    answer: 'Key',
    refusals: ['key_unknown'],
    run: async ({ id }, { keys, now }) => shownKeyBy(keys, await keys.show(id), now()),
  }),
  define({
    method: 'DELETE',
    path: one,
    operationId: 'revokeKey',
    tag: 'keys',
    summary: 'Revoke a facade key',
    description: 'It takes effect at once and cannot be undone. Revoking it again changes nothing.',
    act: 'keys.revoke',
    subject,
    answer: 'RevokedKey',
    refusals: ['key_unknown'],
    run: async ({ id, actor }, { keys, ...parts }) => {
      const alreadyRevoked = !(await keys.revoke(id, actor))
      return { id, revoked: true, alreadyRevoked, ...unpublishedState(parts) }
    },
  }),
  define({
    method: 'POST',
    path: `${one}/reroll`,
    operationId: 'rerollKey',
    tag: 'keys',
    summary: 'Replace a facade key by a successor',
    description:
      'Creates a key with the same grants, which ends when the old key would have unless `expires` says otherwise. The old key expires after the overlap; without an overlap it is revoked at once. Connections that the old key lost stay lost for the new one.',
    act: 'keys.reroll',
    subject,
    body: rerollSchema,
    bodyExample: { overlap: '24h', expires: '90d' },
    status: 201,
    answer: 'RerolledKey',
    refusals: ['member_invalid', 'key_unknown', 'key_not_live'],
    run: async ({ id, body, actor }, { keys, now, ...parts }) => {
      const { overlap = defaultOverlap, expires } = body
      const expiresAt = expires === undefined ? undefined : readExpiry(expires, now())
      const issued = await keys.reroll(id, readSpan('overlap', overlap), actor, expiresAt)
      return { ...(await issuedKey(keys, issued, now())), ...unpublishedState(parts) }
    },
  }),
]
