// Folders of a container: what stands in one, and its removal. Additions to the contract.
import type { Answer } from '../api/route.ts'
import { checkPath } from '../files/paths.ts'
import { idSchema } from './schemas.ts'
import { defineRoute } from './service.ts'

const containerId = { description: 'The container.', schema: idSchema, required: true } as const
const path = {
  description: 'An absolute path.',
  schema: { type: 'string', minLength: 1, maxLength: 4_096 },
  required: true,
} as const

const refusals = [
  'container_not_found',
  'container_not_running',
  'file_not_found',
  'permission_denied',
  'not_directory',
  'action_refused',
  'exec_start_failed',
  'exec_limit',
  'exec_outcome_unknown',
  'engine_error',
  'engine_unavailable',
  'engine_timeout',
] as const

export const listFiles = defineRoute({
  method: 'GET',
  path: '/containers/files/entries',
  operationId: 'listFiles',
  tag: 'containers',
  summary: 'List a directory',
  description:
    'An addition to the contract. The entries of one directory in the order of the bytes of their names, as the user of the container sees them; the image needs a shell and the usual small programs. `total` counts all entries, and `isComplete` says whether all are shown. A name that is not UTF-8 is exact in `nameBase64`, and shown with replacement characters in `name`. `isReachable` is false where no path of this API can name the entry.',
  credential: 'key',
  scope: 'files',
  query: {
    containerId,
    path,
    limit: {
      description: 'At most so many entries.',
      schema: { type: 'integer', minimum: 1, maximum: 20_000, default: 1_000 },
    },
  },
  answers: { 200: { json: 'Folder', description: 'The directory.' } },
  refusals: [...refusals, 'too_large'],
  async run({ caller, query, exchange, signal }, { containers, folders }): Promise<Answer> {
    checkPath(query.path, true)
    const record = await containers.running(caller.account, query.containerId)
    exchange.record.target = record.id
    return { status: 200, body: await folders.list(record, query.path, query.limit, signal) }
  },
})

export const deleteFile = defineRoute({
  method: 'DELETE',
  path: '/containers/files',
  operationId: 'deleteFile',
  tag: 'containers',
  summary: 'Remove a file or a directory',
  description:
    'An addition to the contract. Removes a file, a symlink or an empty directory, as the user of the container may; with `recursive`, a directory and all that is in it. Not atomic: a removal that fails may have removed a part.',
  credential: 'key',
  scope: 'files',
  isOnlyWithQuery: true,
  query: {
    containerId,
    path,
    recursive: { description: 'Remove what is in a directory, too.', schema: { type: 'boolean', default: false } },
  },
  answers: { 204: { description: 'It is gone.' } },
  refusals: [...refusals, 'read_only', 'directory_not_empty', 'is_directory', 'not_regular'],
  async run({ caller, query, exchange, signal }, { containers, folders }): Promise<Answer> {
    checkPath(query.path, false)
    const record = await containers.running(caller.account, query.containerId)
    exchange.record.target = record.id
    await folders.remove(record, query.path, query.recursive, signal)
    return { status: 204 }
  },
})
