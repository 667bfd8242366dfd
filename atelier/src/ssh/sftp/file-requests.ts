// Files that a client has open. Nothing of them is kept but what was read ahead; each read and write names the file anew.
import { type Attributes, attributesBytes, parseShown, readWishes } from './attributes.ts'
import { type Answer, atEnd, type SftpContext, done, mostFileBytes } from './context.ts'
import { faultOf, SftpFault } from './faults.ts'
import type { Chunk, FileHandle } from './handles.ts'
import { blockBytes } from './file-script.ts'
import { ScriptGone, type FilePlace } from './script-caller.ts'
import { answerTypes, type Fields, stringOf } from './packets.ts'
import { changeablePlaceOf } from './request-paths.ts'

export const mostTransferBytes = 131_072
/** what a client reads on is asked for in so many blocks; what it reads elsewhere, in as few as will do */
const aheadBlocks = 4
/** a file that changes is read anew after this */
const chunkMs = 2_000

const openFlags = { read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 }

export function parseLook(answer: Buffer): { readonly attributes: Attributes; readonly identity: string } {
  const shown = parseShown(answer.toString())
  const identity = shown && /^\d+:\d+/.exec(shown.rest)?.[0]
  if (!shown || identity === undefined) throw new ScriptGone('no attributes')
  return { attributes: shown.attributes, identity }
}

/** permission bits alone */
export function checkMode(mode: number): string {
  if (mode & 0o7000) throw new SftpFault('denied', 'The setuid, setgid and sticky bits cannot be set.')
  return (mode & 0o777).toString(8)
}

function wordOf(flags: number): string {
  const isTruncating = flags & openFlags.truncate && flags & openFlags.write
  const wanted = [
    [flags & openFlags.read, 'r'],
    [flags & openFlags.write, 'w'],
    [flags & openFlags.create, 'c'],
    [isTruncating, 't'],
    [flags & openFlags.exclusive, 'x'],
  ] as const
  return wanted.map(([isWanted, letter]) => (isWanted ? letter : '')).join('')
}

export async function open(context: SftpContext, fields: Fields): Promise<Answer> {
  const place = changeablePlaceOf(fields.string(), context.spec.workingDir)
  const flags = fields.number()
  const { mode = 0o644 } = readWishes(fields)
  const [canRead, canWrite] = [(flags & openFlags.read) !== 0, (flags & openFlags.write) !== 0]
  if (!canRead && !canWrite) throw new SftpFault('failure', 'A file is opened for reading, for writing, or for both.')
  context.handles.checkRoom()
  const answer = await context.script.ask('open', place, [wordOf(flags), checkMode(mode)])
  const { attributes, identity } = parseLook(answer)
  if (canRead && attributes.size > context.limits.fileBytes) throw faultOf('too_large')
  if (flags & openFlags.truncate) context.handles.forgetChunks()
  const isAppending = (flags & openFlags.append) !== 0
  const handle = { kind: 'file', place, identity, canRead, canWrite, isAppending, chunk: undefined, next: 0 } as const
  return { type: answerTypes.handle, parts: [stringOf(context.handles.add({ ...handle }))] }
}

const blockOf = (offset: number): number => Math.floor(offset / blockBytes)

async function readAhead({ script }: SftpContext, handle: FileHandle, offset: number, length: number): Promise<Chunk> {
  const first = blockOf(offset)
  const needed = blockOf(offset + length - 1) - first + 1
  const blocks = offset === handle.next ? Math.max(needed, aheadBlocks) : needed
  const data = await script.readData(handle.place, [handle.identity, first, blocks])
  if (data.length > blocks * blockBytes) throw new ScriptGone('more than was asked for')
  const isLast = data.length < blocks * blockBytes
  return { begin: first * blockBytes, data, isLast, at: performance.now() }
}

function isInside({ begin, data, isLast, at }: Chunk, offset: number, length: number): boolean {
  if (offset < begin || offset >= begin + data.length || performance.now() - at > chunkMs) return false
  return isLast || offset + length <= begin + data.length
}

export async function read(context: SftpContext, fields: Fields): Promise<Answer> {
  const handle = context.handles.file(fields.string())
  const offset = fields.long()
  const length = Math.min(fields.number(), mostTransferBytes)
  if (!handle.canRead) throw new SftpFault('denied', 'The file is not open for reading.')
  if (offset >= context.limits.fileBytes || length === 0) return atEnd
  context.turn.use()
  if (!handle.chunk || !isInside(handle.chunk, offset, length)) {
    // an account's channels are few, and so are the bytes that wait: one chunk for each
    context.handles.forgetChunks()
    handle.chunk = await readAhead(context, handle, offset, length)
  }
  const { begin, data } = handle.chunk
  const found = data.subarray(offset - begin, offset - begin + length)
  handle.next = offset + found.length
  return found.length === 0 ? atEnd : { type: answerTypes.data, parts: [stringOf(found)] }
}

export interface Write {
  readonly handle: Buffer
  readonly offset: number
  readonly data: Buffer
}

export const readWrite = (fields: Fields): Write => ({
  handle: fields.string(),
  offset: fields.long(),
  data: fields.string(),
})

/** `data` may be that of several requests, which lie side by side */
export async function write(context: SftpContext, { handle: id, offset, data }: Write): Promise<Answer> {
  const handle = context.handles.file(id)
  if (!handle.canWrite) throw new SftpFault('denied', 'The file is not open for writing.')
  if (offset + data.length > mostFileBytes(context)) throw faultOf('too_large')
  if (data.length === 0) return done
  context.turn.use()
  context.handles.forgetChunks()
  const values = [handle.identity, offset, data.length, handle.isAppending ? 'append' : '-']
  await context.script.ask('write_data', handle.place, values, data)
  return done
}

export function close(context: SftpContext, fields: Fields): Answer {
  context.handles.close(fields.string())
  if (!context.handles.hasFiles) context.turn.end()
  return done
}

export async function look(context: SftpContext, place: FilePlace, follow: boolean): Promise<Answer> {
  const { attributes } = parseLook(await context.script.ask('look', place, [follow ? 'follow' : '-']))
  return { type: answerTypes.attrs, parts: [attributesBytes(attributes)] }
}

export async function lookAtHandle(context: SftpContext, fields: Fields): Promise<Answer> {
  const handle = context.handles.file(fields.string())
  const { attributes, identity } = parseLook(await context.script.ask('look', handle.place, ['-']))
  if (identity !== handle.identity) throw faultOf('changed')
  return { type: answerTypes.attrs, parts: [attributesBytes(attributes)] }
}
