// Routes 4 to 6: images, their builds, and the logs of these.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pageParameters } from '../api/cursors.ts'
import type { ApiExchange } from '../api/exchange.ts'
import { boundaryOf, readTwoParts } from '../api/multipart.ts'
import { checkMembers, collectBody, mediaTypeOf } from '../api/request-body.ts'
import { type Answer, answered } from '../api/route.ts'
import { parseStrictJson } from '../api/strict-json.ts'
import { LineWriter, readerStallMs } from '../exec/stream.ts'
import { readWithin } from '../files/chunks.ts'
import { sendLog } from '../images/log-lines.ts'
import type { BuildSpec } from '../images/port.ts'
import { presentImage } from '../images/present.ts'
import { Problem, refuse } from '../problems.ts'
import { type ImageRecord, imageStatuses } from '../store/image-rows.ts'
import { partSchema, specSchema } from './build-schemas.ts'
import { defineRoute, type Service } from './service.ts'

const mostJsonBytes = 8 * 1024 * 1024
const stallMs = 60_000
const jsonType = 'application/json'
const formType = 'multipart/form-data'

interface BuildBody {
  readonly spec: BuildSpec
  /** with an Idempotency-Key: a repeat must bring the same context */
  readonly contextSha256?: string
}

const contexts = new WeakMap<ApiExchange, Readable>()

/** Writes the context to a nameless file, so that its digest is known before the build begins. */
async function keepContext(
  context: Readable,
  mostBytes: number,
): Promise<{ readonly stored: Readable; readonly sha256: string }> {
  const path = join(tmpdir(), `atelier-upload-${randomBytes(16).toString('hex')}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  const digest = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of context as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostBytes) throw refuse('too_large', { limit: mostBytes })
      digest.update(chunk)
      await file.appendFile(chunk)
    }
  } catch (error) {
    await file.close()
    throw error
  }
  return { stored: createReadStream('', { fd: file, start: 0 }), sha256: digest.digest('hex') }
}

/** Until the answer is sent; it may be the one of an earlier request, and then no build reads the context. */
async function keepUntilAnswered(exchange: ApiExchange, context: Readable, service: Service) {
  const kept = await keepContext(context, service.limits.contextBytes)
  if (exchange.res.closed) kept.stored.destroy()
  exchange.res.once('close', () => kept.stored.destroy())
  return kept
}

async function readForm(exchange: ApiExchange, service: Service, signal: AbortSignal): Promise<BuildBody> {
  const { req, res, record } = exchange
  const { counter, limits } = service
  // before anything is read: a form holds its first part in memory, and may never end it
  res.once('close', counter.take(`forms ${record.accountId}`, limits.builds, 'build_limit'))
  const names = {
    first: { name: 'spec', type: jsonType, mostBytes: 1024 * 1024 },
    second: { name: 'context', type: 'application/x-tar' },
  }
  const stalled = () => new Problem('request_timeout')
  const source = readWithin(req, { stallMs, signal, stalled })
  const { first, second } = await readTwoParts(source, boundaryOf(req.headers['content-type']), names)
  const spec = parseStrictJson(first)
  checkMembers(partSchema, spec)
  const isRepeatable = req.headers['idempotency-key'] !== undefined
  const kept = isRepeatable ? await keepUntilAnswered(exchange, second, service) : undefined
  contexts.set(exchange, kept?.stored ?? second)
  return { spec: spec as unknown as BuildSpec, ...(kept && { contextSha256: kept.sha256 }) }
}

async function readJson(exchange: ApiExchange): Promise<BuildBody> {
  const spec = parseStrictJson(await collectBody(exchange, mostJsonBytes))
  checkMembers(specSchema, spec)
  return { spec: spec as unknown as BuildSpec }
}

const queuedAnswer = (image: ImageRecord): Answer => ({
  status: 202,
  location: `/images/${image.id}`,
  body: presentImage(image),
})

export const createImage = defineRoute<{}, BuildBody>({
  method: 'POST',
  path: '/images',
  operationId: 'createImage',
  tag: 'images',
  summary: 'Build an image from a Dockerfile',
  description:
    'As JSON with small files inside, or as multipart/form-data with the parts `spec` and `context` (an uncompressed tar), in this order.',
  credential: 'key',
  scope: 'images:write',
  streamedBody: { mediaTypes: [jsonType, formType], description: 'What to build.', schema: specSchema },
  readBody: (exchange, service, signal) =>
    mediaTypeOf(exchange.req) === formType ? readForm(exchange, service, signal) : readJson(exchange),
  isCreation: true,
  makes: 'img',
  answers: { 202: { json: 'Image', description: 'The build is queued.' } },
  refusals: [
    'invalid_dockerfile',
    'invalid_archive',
    'name_in_use',
    'quota_exceeded',
    'image_not_ready',
    'build_limit',
  ],
  async run({ caller: { account }, body: { spec }, madeId: id, exchange }, { builder, limits }): Promise<Answer> {
    const context = contexts.get(exchange)
    const image = await builder.submit({ id, account, spec, limits, ...(context && { context }) })
    exchange.record.target = id
    return queuedAnswer(image)
  },
  async recall({ madeId }, { store }) {
    const image = await store.images.find(madeId)
    return image && queuedAnswer(image)
  },
})

const scopes = ['own', 'base'] as const

export const listImages = defineRoute({
  method: 'GET',
  path: '/images',
  operationId: 'listImages',
  tag: 'images',
  summary: 'List images, newest first',
  description: 'The own images and the base images of the operator.',
  credential: 'key',
  scope: 'images:read',
  query: {
    scope: { description: '`own`, `base` or both.', schema: { type: 'string', enum: scopes }, isList: true },
    status: {
      description: 'Statuses, separated by commas.',
      schema: { type: 'string', enum: imageStatuses },
      isList: true,
    },
    name: { description: 'The name, exactly.', schema: { type: 'string', minLength: 1, maxLength: 63 } },
    ...pageParameters,
  },
  answers: { 200: { json: 'ImagePage', description: 'A page.' } },
  refusals: [],
  async run({ caller: { account }, query }, { store, page }): Promise<Answer> {
    const { scope = scopes, status: statuses, name } = query
    const place = { account, route: 'listImages', filters: { scope, statuses, name } }
    const filter = { account, scopes: scope, statuses, name }
    const { items, nextCursor } = await page(place, query, (after, most) => store.images.page(filter, after, most))
    return { status: 200, body: { items: items.map(presentImage), nextCursor } }
  },
})

export const readImage = defineRoute({
  method: 'GET',
  path: '/images/{id}',
  operationId: 'readImage',
  tag: 'images',
  summary: 'Read an image',
  credential: 'key',
  scope: 'images:read',
  answers: { 200: { json: 'Image', description: 'The image.' } },
  refusals: ['image_not_found'],
  async run({ caller, pathId }, { images }): Promise<Answer> {
    return { status: 200, body: presentImage(await images.find(caller.account, pathId)) }
  },
})

export const deleteImage = defineRoute({
  method: 'DELETE',
  path: '/images/{id}',
  operationId: 'deleteImage',
  tag: 'images',
  summary: 'Delete an image',
  description: 'A build at work is cancelled first. Repeated, it is 204 for 24 hours.',
  credential: 'key',
  scope: 'images:write',
  answers: { 204: { description: 'It is gone.' } },
  refusals: ['image_not_found', 'image_in_use', 'engine_error', 'engine_unavailable', 'engine_timeout'],
  async run({ caller, pathId }, { images }): Promise<Answer> {
    await images.delete(caller.account, pathId)
    return { status: 204 }
  },
})

/** at once, of an account */
const mostLogReaders = 32

export const readImageLog = defineRoute({
  method: 'GET',
  path: '/images/{id}/logs',
  operationId: 'readImageLog',
  tag: 'images',
  summary: 'Read or follow the log of a build',
  description: 'One JSON object for each line; the last one is `end` with the status. Kept for 7 days, at most 8 MiB.',
  credential: 'key',
  scope: 'images:read',
  query: {
    after: {
      description: 'Only lines after this `seq`.',
      schema: { type: 'integer', minimum: 0, maximum: 1_000_000_000, default: 0 },
    },
    follow: { description: 'Go on until the build ends.', schema: { type: 'boolean', default: false } },
  },
  answers: { 200: { media: 'application/x-ndjson', description: 'The lines.' } },
  refusals: ['image_not_found', 'log_limit'],
  async run({ caller: { account }, pathId, query, exchange, signal }, { images, store, builder, counter }) {
    const { id } = await images.find(account, pathId)
    if (exchange.method !== 'HEAD') exchange.onClose(counter.take(`logs ${account}`, mostLogReaders, 'log_limit'))
    exchange.startStream('application/x-ndjson')
    if (exchange.method === 'HEAD') exchange.res.end()
    else {
      const request = { image: id, after: query.after, isFollowed: query.follow, signal }
      await sendLog(new LineWriter(exchange.res, readerStallMs), request, store.images, builder)
    }
    return answered
  },
})
