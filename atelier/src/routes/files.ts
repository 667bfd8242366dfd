// Route 3: files and trees of a container, in and out.
import { setMaxListeners } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { type Answer, answered, type RouteRequest } from '../api/route.ts'
import { mediaTypeOf } from '../api/request-body.ts'
import { sendFreeing } from '../engine/free-chunks.ts'
import { checkPath } from '../files/paths.ts'
import type { FileTarget } from '../files/transfer.ts'
import { invalid, Problem } from '../problems.ts'
import type { ContainerRecord } from '../store/container-rows.ts'
import { idSchema } from './schemas.ts'
import { defineRoute, type Service } from './service.ts'

const fileType = 'application/octet-stream'
const treeType = 'application/x-tar'

const placeParameters = {
  containerId: { description: 'The container.', schema: idSchema, required: true },
  path: {
    description: 'An absolute path; `/` for trees alone.',
    schema: { type: 'string', minLength: 1, maxLength: 4_096 },
    required: true,
  },
} as const

interface Place {
  readonly containerId: string
  readonly path: string
}

function targetOf({ id, spec }: ContainerRecord, path: string): FileTarget {
  const [uid = 0, gid = 0] = spec.user.split(':').map(Number)
  const writable = spec.readOnlyRootfs ? spec.workingDir : null
  return { container: id, path, uid, gid, writable, diskMiB: spec.limits.diskMiB }
}

/** A transfer counts for its account, keeps its container busy, and ends with it. */
async function transfer<T>(
  { caller, query, signal, exchange }: RouteRequest<Place>,
  isTree: boolean,
  { containers, counter, limits }: Service,
  act: (target: FileTarget, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  checkPath(query.path, isTree)
  const record = await containers.running(caller.account, query.containerId)
  exchange.record.target = record.id
  const release = counter.take(`files ${caller.account}`, limits.files, 'file_limit')
  const ended = new AbortController()
  const done = containers.work.begin(record.id, () =>
    ended.abort(new Problem('container_not_running', { details: { status: 'deleted', statusReason: null } })),
  )
  try {
    const either = AbortSignal.any([signal, ended.signal])
    // each call of the engine under way adds a listener
    setMaxListeners(0, either)
    return await act(targetOf(record, query.path), either)
  } catch (error) {
    // what was found while it was being removed says nothing of its files
    throw ended.signal.aborted ? ended.signal.reason : await containers.explain(record.id, error)
  } finally {
    done()
    release()
  }
}

const wantsTree = ({ exchange }: Pick<RouteRequest, 'exchange'>): boolean =>
  (exchange.req.headers.accept ?? '').split(',').some((one) => one.split(';', 1)[0]?.trim() === treeType)

function lengthOf({ exchange }: Pick<RouteRequest, 'exchange'>): number {
  const { 'content-length': length } = exchange.req.headers
  if (length === undefined) throw new Problem('length_required')
  return Number(length)
}

const refusals = [
  'container_not_found',
  'container_not_running',
  'file_not_found',
  'is_directory',
  'not_directory',
  'not_regular',
  'too_large',
  'file_limit',
  'engine_error',
  'engine_unavailable',
  'engine_timeout',
] as const

const headOf = ({ mode, modifiedAt, sizeBytes }: { mode: string; modifiedAt: Date; sizeBytes: number }) => [
  'content-type',
  fileType,
  'content-length',
  String(sizeBytes),
  'x-file-mode',
  mode,
  'x-file-modified',
  modifiedAt.toISOString(),
]

async function sendTree(request: RouteRequest<Place>, service: Service) {
  const { exchange } = request
  const isHead = exchange.method === 'HEAD'
  await transfer(request, true, service, async (target, signal) => {
    if (isHead) await service.files.statTree(target)
    const tree = isHead ? undefined : await service.files.getTree(target, signal)
    exchange.startBody(['content-type', treeType])
    if (tree) await pipeline(tree, exchange.res)
    else exchange.res.end()
  })
}

async function sendFile(request: RouteRequest<Place>, service: Service) {
  const { exchange } = request
  await transfer(request, false, service, async (target, signal) => {
    if (exchange.method === 'HEAD') {
      exchange.startBody(headOf(await service.files.statFile(target)))
      return void exchange.res.end()
    }
    const file = await service.files.getFile(target, signal)
    exchange.startBody(headOf(file))
    return sendFreeing(file.body, exchange.res)
  })
}

export const readFile = defineRoute({
  method: 'GET',
  path: '/containers/files',
  operationId: 'readFile',
  tag: 'containers',
  summary: 'Read a file, or a directory as a tar',
  description: 'With `Accept: application/x-tar`, `path` is a directory. HEAD answers the head alone.',
  credential: 'key',
  scope: 'files',
  query: placeParameters,
  answers: {
    200: [
      { media: fileType, description: 'The file, with `X-File-Mode` and `X-File-Modified`.' },
      { media: treeType, description: 'The directory: names relative to it, owner 0:0.' },
    ],
  },
  refusals,
  async run(request, service) {
    await (wantsTree(request) ? sendTree(request, service) : sendFile(request, service))
    return answered
  },
})

interface WriteQuery extends Place {
  readonly mode: string | undefined
  readonly createParents: boolean
  readonly ifAbsent: boolean | undefined
}

function writeTree(request: RouteRequest<WriteQuery>, service: Service) {
  const { query, exchange } = request
  const { mode, createParents, ifAbsent } = query
  if (mode !== undefined) throw invalid('mode', 'is for files alone')
  if (ifAbsent !== undefined) throw invalid('ifAbsent', 'is for files alone')
  return transfer(request, true, service, (target, signal) =>
    service.files.putTree(target, exchange.req, { createParents }, signal),
  )
}

function writeFile(request: RouteRequest<WriteQuery>, service: Service) {
  const { query, exchange } = request
  const { mode = '0644', createParents, ifAbsent = false } = query
  const sizeBytes = lengthOf(request)
  return transfer(request, false, service, (target, signal) =>
    service.files.putFile(
      target,
      exchange.req,
      sizeBytes,
      { mode: Number.parseInt(mode, 8), createParents, ifAbsent },
      signal,
    ),
  )
}

const flag = { type: 'boolean' } as const

export const putFile = defineRoute({
  method: 'PUT',
  path: '/containers/files',
  operationId: 'putFile',
  tag: 'containers',
  summary: 'Write a file, or a tar into a directory',
  description:
    'A file replaces a regular file, and has the user of the container as its owner. A tar is checked entry by entry and written anew. Not atomic: a failed write may leave a part.',
  credential: 'key',
  scope: 'files',
  query: {
    ...placeParameters,
    mode: { description: 'Of a file: three octal digits (0644).', schema: { type: 'string', pattern: '^0?[0-7]{3}$' } },
    createParents: { description: 'Make missing parents, mode 0755.', schema: { ...flag, default: false } },
    ifAbsent: { description: 'Of a file: refuse to replace one.', schema: flag },
  },
  streamedBody: { mediaTypes: [fileType, treeType], description: 'The file with its length, or an uncompressed tar.' },
  answers: { 200: { json: 'WrittenFile', description: 'It is written, and its size read back.' } },
  refusals: [
    ...refusals,
    'parent_not_found',
    'file_exists',
    'read_only',
    'invalid_archive',
    'length_required',
    'disk_full',
  ],
  async run(request, service): Promise<Answer> {
    const isTree = mediaTypeOf(request.exchange.req) === treeType
    const written = await (isTree ? writeTree(request, service) : writeFile(request, service))
    return { status: 200, body: written }
  },
})
