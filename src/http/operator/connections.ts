// The operations on connections.
import type { ConnectionWish, CredentialWish } from '../../connections/desk.ts'
import { connectionId } from '../../setting-values.ts'
import { checkedAt, namesOf, shownConnection, storedConnection, toldBy } from './shown.ts'
import type { BodySchema } from './check.ts'
import { base, idForms, type Operation } from './operation.ts'
import { pageParameters, readPage } from './page.ts'

const name = { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' } as const

const credential = {
  keyId: {
    ...name,
    description: 'Id of the signing key at the platform: 1 to 64 letters, digits, dashes or underscores.',
  },
  issuerId: {
    ...name,
    description: 'Id of the issuer, of the same form; absent for an individual key.',
  },
  privateKey: {
    type: 'string',
    writeOnly: true,
    description:
      'The .p8 file of the platform as text, at most 8,192 letters. It is stored sealed and never given back.',
    minLength: 1,
    maxLength: 8_192,
  },
  check: {
    type: 'boolean',
    description: 'true or false: whether the platform is asked before anything is stored. Absent: true.',
    default: true,
  },
} as const satisfies BodySchema['properties']

const credentialSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['keyId', 'privateKey'],
  properties: credential,
} as const satisfies BodySchema

const connectionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'keyId', 'privateKey'],
  properties: {
    id: {
      type: 'string',
      description: 'Its name here: 1 to 64 letters, digits, dots, dashes or underscores.',
      minLength: 1,
      maxLength: 64,
      pattern: connectionId.source,
    },
    ...credential,
    linkage: {
      type: 'string',
      description: '`asked`: to-one relationships are asked for with every read. Absent: they are not.',
      enum: ['asked'],
    },
    tokenScope: {
      type: 'string',
      description: '`request`: each token is good for one request. Absent: for some minutes.',
      enum: ['request'],
    },
  },
} as const satisfies BodySchema

/** larger than any key: what is too large for one is told in the answer, as all that is wrong with it */
const mostLetters = 32_768

const keySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['privateKey'],
  properties: {
    privateKey: {
      type: 'string',
      writeOnly: true,
      description: 'What is in the .p8 file of the platform, as text, at most 32,768 letters. It is not kept.',
      maxLength: mostLetters,
    },
  },
} as const satisfies BodySchema

const credentialExample = {
  keyId: 'SANDBOXKEY',
  issuerId: '00000000-0000-0000-0000-000000000000',
  privateKey: '(contents of the .p8 file)',
}

/** met where the platform is asked with a key */
const asking = [
  ...(['credential_refused', 'upstream_rate_limited', 'upstream_malformed', 'upstream_failed'] as const),
  ...(['upstream_unavailable', 'upstream_timeout'] as const),
]
const storing = ['member_invalid', 'private_key_unusable', 'vault_closed', ...asking] as const
const subject = 'connection'
const one = `${base}/connections/{id}`

export const connectionOperations: readonly Operation[] = [
  {
    ...{ method: 'GET', path: `${base}/connections`, operationId: 'listConnections', tag: 'connections' },
    summary: 'Connections, by id',
    description: 'Managed ones, which are kept in the settings file, and hosted ones, which are kept in the store.',
    ...{ act: 'connections.list', query: pageParameters, status: 200, answer: 'ConnectionPage', refusals: [] },
    run: async ({ query }, { desk }) => {
      const { items, nextCursor } = await readPage(query, {
        name: 'connections',
        form: idForms.connection,
        read: ({ after = '', limit }) => desk.list({ after, limit }),
        placeOf: ({ id }) => id,
      })
      return { items: items.map(shownConnection), nextCursor }
    },
  },
  {
    ...{ method: 'POST', path: `${base}/connections`, operationId: 'createConnection', tag: 'connections' },
    summary: 'Add a hosted connection',
    description:
      'The signing key is tried at the platform first, unless `check` is false. One that the platform knows but that may not list apps is stored all the same; `check` says so.',
    ...{ act: 'connections.create', subject, body: connectionSchema, status: 201, answer: 'StoredConnection' },
    bodyExample: { id: 'studio', ...credentialExample },
    refusals: [...storing, 'connection_exists'],
    run: async ({ body, actor }, { desk }) =>
      storedConnection(await desk.add(body as unknown as ConnectionWish, actor)),
  },
  {
    ...{ method: 'GET', path: one, operationId: 'getConnection', tag: 'connections' },
    summary: 'One connection',
    ...{ act: 'connections.show', subject, status: 200, answer: 'OneConnection', refusals: ['connection_unknown'] },
    run: async ({ id }, { desk, keys }) => ({
      ...shownConnection(await desk.show(id)),
      keys: namesOf(await keys.naming(id)),
    }),
  },
  {
    ...{ method: 'DELETE', path: one, operationId: 'removeConnection', tag: 'connections' },
    summary: 'Remove a hosted connection and its credential',
    description:
      'Keys that name it end for it: a later connection of the same id is another one, whatever its account. Keys for all connections (`*`) read that, too.',
    ...{ act: 'connections.remove', subject, status: 200, answer: 'RemovedConnection' },
    refusals: ['connection_unknown', 'connection_managed'],
    run: async ({ id, actor }, { desk, keys, ...parts }) => {
      const named = await keys.naming(id)
      await desk.remove(id, actor)
      return { id, removed: true, endedKeys: namesOf(named), ...toldBy(parts) }
    },
  },
  {
    ...{ method: 'POST', path: `${one}/check`, operationId: 'checkConnection', tag: 'connections' },
    summary: 'Try the signing key of a connection at the platform',
    description: 'Costs one call of the platform. That the platform refuses is an answer too: `ok` is false.',
    ...{ act: 'connections.check', subject, status: 200, answer: 'CheckedConnection' },
    refusals: ['connection_unknown', 'connection_unreadable'],
    run: async ({ id, actor }, { desk, now }) => checkedAt(await desk.check(id, actor), now()),
  },
  {
    ...{ method: 'POST', path: `${one}/credentials`, operationId: 'replaceCredentials', tag: 'connections' },
    summary: 'Replace the credentials of a hosted connection',
    description:
      'Reads that begin afterwards use the new key. Another issuer is another account, and so is another individual key: cursors of the old one are refused, and keys that name the connection end for it.',
    ...{ act: 'connections.replace', subject, body: credentialSchema, status: 200, answer: 'ReplacedConnection' },
    bodyExample: credentialExample,
    refusals: [...storing, 'connection_unknown', 'connection_managed', 'connection_changed'],
    run: async ({ id, body, actor }, { desk, keys, ...parts }) => {
      const named = await keys.naming(id)
      const stored = await desk.replace(id, body as unknown as CredentialWish, actor)
      const endedKeys = stored.isSameAccount ? [] : namesOf(named)
      return { ...storedConnection(stored), endedKeys, ...toldBy(parts) }
    },
  },
  {
    ...{ method: 'POST', path: `${base}/private-key`, operationId: 'inspectPrivateKey', tag: 'connections' },
    summary: 'Look at a private key, without keeping it',
    description:
      'Says what adding would say of it, and which connections have the same key. That it cannot be used is an answer too: `usable` is false. The platform is not asked.',
    ...{ act: 'connections.inspect', body: keySchema, status: 200, answer: 'InspectedKey', looks: true },
    bodyExample: { privateKey: credentialExample.privateKey },
    refusals: ['member_invalid'],
    run: ({ body }, { desk }) => desk.inspect((body as unknown as { privateKey: string }).privateKey),
  },
]
