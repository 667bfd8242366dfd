// Writes one file: it is looked for first, sent as a tar of our own, and its size read back.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { refuse } from '../problems.ts'
import type { PathState } from '../engine/port.ts'
import { formatMode } from './paths.ts'
import { createLook, locate } from './resolve.ts'
import { paddingOf } from './tar-entries.ts'
import { batchBytes, relayToEngine, sendStream, type Transfer } from './transfer.ts'
import { checkPlace, checkSize, checkWritten, parentItems } from './write-checks.ts'
import { tarEnd, tarHeader, zeros } from './write-tar.ts'

export interface PutFileOptions {
  readonly mode: number
  readonly createParents: boolean
  readonly ifAbsent: boolean
}

export interface FileWritten {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly mode: string
}

function checkExisting(state: PathState | undefined, ifAbsent: boolean): void {
  if (!state) return
  if (state.type === 'directory') throw refuse('is_directory')
  if (state.type !== 'file') throw refuse('not_regular')
  if (ifAbsent) throw refuse('file_exists')
}

async function findPlace({ engine, target, signal }: Transfer, { createParents, ifAbsent }: PutFileOptions) {
  const look = createLook(engine, target.container, signal)
  const place = await locate(look, target.path)
  checkExisting(place.state, ifAbsent)
  await checkPlace(look, place, target, createParents)
  return { look, place }
}

/** The body is read while the place is looked for. */
export async function putFile(transfer: Transfer, body: Readable, sizeBytes: number, options: PutFileOptions) {
  const { target, limits } = transfer
  const { mode } = options
  checkSize(sizeBytes, target, limits.fileBytes)
  const hash = createHash('sha256')
  let hasReader = false
  const after = Buffer.concat([zeros(paddingOf(sizeBytes)), tarEnd])
  const tar = relayToEngine(transfer, body, sizeBytes, {
    after,
    note: (chunk) => hash.update(chunk),
    hasReader: () => hasReader,
  })
  try {
    const { look, place } = await findPlace(transfer, options)
    if (sizeBytes <= batchBytes) await tar.arrived
    const common = {
      type: 'file',
      mode,
      size: sizeBytes,
      linkTarget: null,
      modifiedAt: new Date(),
      body: null,
    } as const
    const items = [...parentItems(place.missing), { ...common, path: [...place.missing, place.name].join('/') }]
    const head = Buffer.concat(items.map((item) => tarHeader(item, target)))
    tar.stream.unshift(head)
    hasReader = true
    await sendStream(transfer, place.directory, tar.stream, head.length + sizeBytes + after.length)
    await checkWritten(look, place.path, sizeBytes)
  } finally {
    tar.stream.destroy()
  }
  const written: FileWritten = { path: target.path, sizeBytes, sha256: hash.digest('hex'), mode: formatMode(mode) }
  return written
}
