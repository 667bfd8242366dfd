// The context of a build. It can be neither in memory (256 MiB) nor staged in the build container (it would end in the image),
// so it is spooled: bodies and an index, two files of mode 0600 that have no name once they are open.
// Every entry has passed the strict reader before anything of the build runs.
import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { TarEntry } from '../files/read-tar.ts'

export interface ContextEntry {
  readonly path: string
  readonly type: TarEntry['type']
  readonly mode: number
  readonly size: number
  readonly linkTarget: string | null
  readonly modifiedMs: number
  /** SHA-256 of its bytes; empty where it has none */
  readonly digest: string
  /** of its bytes among the bodies */
  readonly offset: number
}

export interface BuildContext {
  entries(): AsyncIterable<ContextEntry>
  /** of the last entry with this path */
  typeOf(path: string): ContextEntry['type'] | undefined
  find(path: string): Promise<ContextEntry | undefined>
  body(entry: ContextEntry): AsyncIterable<Buffer>
  close(): Promise<void>
}

const chunkBytes = 262_144
const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants

async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `atelier-context-${randomBytes(16).toString('hex')}`)
  const handle = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await unlink(path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** a long name is remembered by its hash: 20,000 of them would be 80 MB */
const keyOf = (path: string) => (path.length <= 48 ? path : createHash('sha256').update(path).digest('base64url'))

/** the directories above a path that no entry has named so far, outermost first */
function newParents(path: string, known: Set<string>): string[] {
  const parents: string[] = []
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
    const parent = path.slice(0, cut)
    const key = keyOf(parent)
    if (known.has(key)) break
    known.add(key)
    parents.unshift(parent)
  }
  return parents
}

const directoryEntry = (path: string, modifiedMs: number): ContextEntry => ({
  path,
  type: 'directory',
  mode: 0o755,
  size: 0,
  linkTarget: null,
  modifiedMs,
  digest: '',
  offset: 0,
})

/** where the line of an entry stands in the index */
interface Line {
  readonly type: ContextEntry['type']
  readonly at: number
  readonly bytes: number
}

/** Reads the entries to their end; a source that fails leaves nothing behind. Nothing is read from it after the signal. */
export async function spoolContext(
  source: AsyncIterable<TarEntry>,
  folder: string,
  signal?: AbortSignal,
): Promise<BuildContext> {
  const bodies = await openNameless(folder)
  const index = await openNameless(folder).catch(async (error: unknown) => {
    await bodies.close()
    throw error
  })
  const byPath = new Map<string, Line>()
  const context = contextOf(bodies, index, byPath, signal)
  try {
    await writeEntries(source, bodies, index, byPath)
    return context
  } catch (error) {
    await context.close()
    throw error
  }
}

async function writeBody(body: TarEntry['body'], bodies: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    hash.update(chunk)
    await bodies.appendFile(chunk)
  }
  return bytes === 0 ? '' : hash.digest('base64url')
}

async function writeEntries(
  source: AsyncIterable<TarEntry>,
  bodies: FileHandle,
  index: FileHandle,
  byPath: Map<string, Line>,
) {
  const directories = new Set<string>()
  let offset = 0
  let at = 0
  let lines = ''
  const add = (entry: ContextEntry) => {
    const line = `${JSON.stringify(entry)}\n`
    const bytes = Buffer.byteLength(line)
    byPath.set(keyOf(entry.path), { type: entry.type, at, bytes })
    at += bytes
    lines += line
  }
  const flush = async () => {
    const text = lines
    lines = ''
    await index.appendFile(text)
  }
  for await (const { path, type, mode, size, linkTarget, modifiedAt, body } of source) {
    if (path === '') continue
    const modifiedMs = modifiedAt.getTime()
    if (type === 'directory') directories.add(keyOf(path))
    for (const parent of newParents(path, directories)) add(directoryEntry(parent, modifiedMs))
    const digest = await writeBody(body, bodies)
    add({ path, type, mode, size, linkTarget, modifiedMs, digest, offset })
    offset += size
    if (lines.length > chunkBytes) await flush()
  }
  await flush()
}

/** Not a stream of the handle: each of those leaves a listener on it. */
async function* readFrom(
  handle: FileHandle,
  offset: number,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    signal?.throwIfAborted()
    const wanted = Math.min(chunkBytes, size - at)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, offset + at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* linesOf(handle: FileHandle, signal?: AbortSignal): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of readFrom(handle, 0, Infinity, signal)) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}

function contextOf(
  bodies: FileHandle,
  index: FileHandle,
  byPath: ReadonlyMap<string, Line>,
  signal?: AbortSignal,
): BuildContext {
  return {
    async *entries() {
      for await (const line of linesOf(index, signal)) yield JSON.parse(line) as ContextEntry
    },
    typeOf: (path) => byPath.get(keyOf(path))?.type,
    async find(path) {
      signal?.throwIfAborted()
      const line = byPath.get(keyOf(path))
      if (!line) return undefined
      const { buffer } = await index.read(Buffer.alloc(line.bytes), 0, line.bytes, line.at)
      return JSON.parse(buffer.toString('utf8')) as ContextEntry
    },
    body: ({ size, offset }) => readFrom(bodies, offset, size, signal),
    async close() {
      await Promise.allSettled([bodies.close(), index.close()])
    },
  }
}
