// The operations on connections. Long because it is a table.
import { checkedAt, keyNames, shownConnection, storedConnection, unpublishedState } from './shown.ts'
import { idHint } from '../connection-settings.ts'
import { type BodySchema, bodySchema } from '../../../base/operations/check.ts'
import { base, connectionIdMember, define, type ManagementOperation, subjects } from './operation.ts'
import { pageParameters, readPage } from '../../../base/operations/page.ts'

const named = (description: string) =>
  ({ type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$', description }) as const

const credential = {
  keyId: named(`Id of the signing key at the platform. ${idHint('keyId')}`),
  issuerId: named(`Id of the issuer; absent for an individual key. ${idHint('issuerId')}`),
  privateKey: {
    type: 'string',
    writeOnly: true,
    description:
      'The .p8 file of the platform as text, at most 8,192 letters. It is stored encrypted and never returned.',
    minLength: 1,
    maxLength: 8_192,
  },
  check: {
    type: 'boolean',
    description: 'true or false: whether the platform is asked before anything is stored. Absent: true.',
    default: true,
  },
} as const satisfies BodySchema['properties']

const credentialSchema = bodySchema(['keyId', 'privateKey'], credential)

const connectionSchema = bodySchema(['id', 'keyId', 'privateKey'], {
  id: connectionIdMember('Its name here: 1 to 64 letters, digits, dots, dashes or underscores.'),
  ...credential,
  linkage: {
    type: 'string',
    description:
      '`asked`: with every read, the ids of all related resources are asked for. Absent: only where rows say nothing without.',
    enum: ['asked'],
  },
  tokenScope: {
    type: 'string',
    description: '`request`: each token is good for one request. Absent: for some minutes.',
    enum: ['request'],
  },
})

/** larger than any key: the answer says what is wrong with a key, also that it is too large */
const mostLetters = 32_768

const keySchema = bodySchema(['privateKey'], {
  privateKey: {
    type: 'string',
    writeOnly: true,
    description: 'The .p8 file of the platform as text, at most 32,768 letters. It is not stored.',
    maxLength: mostLetters,
  },
})

const credentialExample = {
  keyId: 'SANDBOXKEY',
  issuerId: '00000000-0000-0000-0000-000000000000',
  privateKey: '(contents of the .p8 file)',
}

/** from a platform call with the key */
const asking = [
  ...(['credential_refused', 'upstream_rate_limited', 'upstream_malformed', 'upstream_failed'] as const),
  ...(['upstream_unavailable', 'upstream_timeout'] as const),
]
const storing = ['member_invalid', 'private_key_unusable', 'vault_closed', ...asking] as const
const subject = 'connection'
const one = `${base}/connections/{id}`

export const connectionOperations: readonly ManagementOperation[] = [
  define({
    method: 'GET',
    path: `${base}/connections`,
    operationId: 'listConnections',
    tag: 'connections',
    summary: 'Connections, by id',
    description: 'Managed connections are kept in the settings file, hosted ones in the store.',
    act: 'connections.list',
    query: pageParameters,
    answer: 'ConnectionPage',
    run: async ({ query }, { connectionAdmin }) => {
      const { items, nextCursor } = await readPage(query, {
        name: 'connections',
        form: subjects.connection.idForm,
        read: ({ after = '', limit }) => connectionAdmin.list({ after, limit }),
        placeOf: ({ id }) => id,
      })
      return { items: items.map(shownConnection), nextCursor }
    },
  }),
  define({
    method: 'POST',
    path: `${base}/connections`,
    operationId: 'createConnection',
    tag: 'connections',
    summary: 'Add a hosted connection',
    description:
      'The signing key is checked at the platform first, unless `check` is false. A key that the platform knows but that may not list apps is stored nevertheless; `check` says so.',
    act: 'connections.create',
    subject,
    body: connectionSchema,
    status: 201,
    answer: 'StoredConnection',
    bodyExample: { id: 'studio', ...credentialExample },
    refusals: [...storing, 'connection_exists'],
    run: async ({ body, actor }, { connectionAdmin }) => storedConnection(await connectionAdmin.add(body, actor)),
  }),
  define({
    method: 'GET',
    path: one,
    operationId: 'getConnection',
    tag: 'connections',
    summary: 'One connection',
    act: 'connections.show',
    subject,
    answer: 'OneConnection',
    refusals: ['connection_unknown'],
    run: async ({ id }, { connectionAdmin, keys }) => ({
      ...shownConnection(await connectionAdmin.show(id)),
      keys: keyNames(await keys.naming(id)),
    }),
  }),
  define({
    method: 'DELETE',
    path: one,
    operationId: 'removeConnection',
    tag: 'connections',
    summary: 'Remove a hosted connection and its credential',
    description:
      'Keys that name it lose it: a later connection with the same id is a different one, whatever its account. Keys for all connections (`*`) read that one too.',
    act: 'connections.remove',
    subject,
    answer: 'RemovedConnection',
    refusals: ['connection_unknown', 'connection_managed'],
    run: async ({ id, actor }, { connectionAdmin, keys, ...parts }) => {
      const named = await keys.naming(id)
      await connectionAdmin.remove(id, actor)
      return { id, removed: true, endedKeys: keyNames(named), ...unpublishedState(parts) }
    },
  }),
  define({
    method: 'POST',
    path: `${one}/check`,
    operationId: 'checkConnection',
    tag: 'connections',
    summary: 'Check the signing key of a connection at the platform',
    description: 'Costs one platform call. A refusal of the platform is an answer too: `ok` is false.',
    act: 'connections.check',
    subject,
    answer: 'CheckedConnection',
    refusals: ['connection_unknown', 'connection_unreadable'],
    run: async ({ id, actor }, { connectionAdmin, now }) => checkedAt(await connectionAdmin.check(id, actor), now()),
  }),
  define({
    method: 'POST',
    path: `${one}/credentials`,
    operationId: 'replaceCredentials',
    tag: 'connections',
    summary: 'Replace the credentials of a hosted connection',
    description:
      'Reads that begin afterwards use the new key. Another issuer or another individual key means another account: cursors of the old account are refused, and keys that name the connection lose it.',
    act: 'connections.replace',
    subject,
    body: credentialSchema,
    answer: 'ReplacedConnection',
    bodyExample: credentialExample,
    refusals: [...storing, 'connection_unknown', 'connection_managed', 'connection_changed'],
    run: async ({ id, body, actor }, { connectionAdmin, keys, ...parts }) => {
      const named = await keys.naming(id)
      const stored = await connectionAdmin.replace(id, body, actor)
      const endedKeys = stored.isSameAccount ? [] : keyNames(named)
      return { ...storedConnection(stored), endedKeys, ...unpublishedState(parts) }
    },
  }),
  define({
    method: 'POST',
    path: `${base}/private-key`,
    operationId: 'inspectPrivateKey',
    tag: 'connections',
    summary: 'Inspect a private key without storing it',
    description:
      'Reports what adding it would report, and which connections have the same key. An unusable key is an answer too: `usable` is false. The platform is not called.',
    act: 'connections.inspect',
    body: keySchema,
    answer: 'InspectedKey',
    readOnly: true,
    bodyExample: { privateKey: credentialExample.privateKey },
    refusals: ['member_invalid'],
    run: ({ body }, { connectionAdmin }) => connectionAdmin.inspect(body.privateKey),
  }),
]
