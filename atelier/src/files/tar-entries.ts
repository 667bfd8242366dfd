// The entries of a tar as they stand in it: strict on the format, without rules for names and kinds.
import { invalidArchive } from './archive-fault.ts'
import { type ByteReader, type ByteSource, createByteReader } from './chunks.ts'
import { blockBytes, parseHeader, type TarHeader } from './tar-header.ts'
import { parseRecords, type TarRecords } from './tar-records.ts'

export interface RawEntry extends TarHeader {
  /** what of it is not read before the next entry is skipped */
  readonly body: AsyncIterable<Buffer>
}

/** of a PAX header or a long name: a name and a link target of 4,096 bytes each have room */
const mostRecordBytes = 16_384
const mostGlobalHeaders = 16
const mostTrailingBytes = 1_048_576

/** what the headers before an entry say about it */
interface Extras {
  records?: TarRecords
  longName?: Buffer
  longLink?: Buffer
}

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0)

export const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes

async function readData(reader: ByteReader, { size, name }: TarHeader): Promise<Buffer> {
  if (size > mostRecordBytes) throw invalidArchive('bad_header', name)
  const data = await reader.exactly(size + paddingOf(size))
  if (data.length < size + paddingOf(size)) throw invalidArchive('missing_end', null)
  return data.subarray(0, size)
}

/** without the NUL that GNU tar puts at the end */
const longText = (data: Buffer): Buffer => Buffer.from(data.at(-1) === 0 ? data.subarray(0, -1) : data)

/** Takes in a header that describes the next entry; false: it is an entry itself. */
async function takeExtra(reader: ByteReader, header: TarHeader, extras: Extras): Promise<boolean> {
  const member = { x: 'records', L: 'longName', K: 'longLink' }[header.kind] as keyof Extras | undefined
  if (!member) return false
  if (extras[member]) throw invalidArchive('bad_header', header.name)
  const data = await readData(reader, header)
  if (member === 'records') extras.records = parseRecords(data, false)
  else extras[member] = longText(data)
  return true
}

function sizeOf(header: TarHeader, given: Buffer | undefined, name: Buffer): number {
  if (!given) return header.size
  const text = given.toString('latin1')
  const size = Number(text)
  const isDoubtful = !/^(0|[1-9]\d{0,15})$/.test(text) || (header.size !== 0 && header.size !== size)
  if (isDoubtful) throw invalidArchive('bad_size', name)
  return size
}

function describe(header: TarHeader, { records = {}, longName, longLink }: Extras): TarHeader {
  if ((longName && records.path) || (longLink && records.linkpath)) throw invalidArchive('bad_header', header.name)
  const name = longName ?? records.path ?? header.name
  const link = longLink ?? records.linkpath ?? header.link
  return { ...header, name, link, size: sizeOf(header, records.size, name) }
}

async function checkEnd(reader: ByteReader): Promise<void> {
  const second = await reader.exactly(blockBytes)
  if (second.length < blockBytes || !isZero(second)) throw invalidArchive('missing_end', null)
  let trailing = 0
  for (;;) {
    const more = await reader.some(65_536)
    if (more.length === 0) return
    trailing += more.length
    if (!isZero(more) || trailing > mostTrailingBytes) throw invalidArchive('trailing_data', null)
  }
}

/** the next entry's header; undefined at the end of the archive */
async function nextHeader(reader: ByteReader, countGlobal: () => number): Promise<TarHeader | undefined> {
  const extras: Extras = {}
  for (;;) {
    const block = await reader.exactly(blockBytes)
    if (block.length < blockBytes) throw invalidArchive('missing_end', null)
    if (isZero(block)) {
      if (Object.keys(extras).length > 0) throw invalidArchive('bad_header', null)
      await checkEnd(reader)
      return undefined
    }
    const header = parseHeader(block)
    if (header.kind === 'g') {
      if (countGlobal() > mostGlobalHeaders) throw invalidArchive('bad_header', header.name)
      parseRecords(await readData(reader, header), true)
    } else if (!(await takeExtra(reader, header, extras))) return describe(header, extras)
  }
}

interface Body {
  /** the next bytes; undefined when all have been read */
  next(): Promise<Buffer | undefined>
  readonly chunks: AsyncIterable<Buffer>
}

function createBody(reader: ByteReader, { size, name }: TarHeader): Body {
  let left = size
  async function next(): Promise<Buffer | undefined> {
    if (left === 0) return undefined
    const chunk = await reader.some(left)
    if (chunk.length === 0) throw invalidArchive('bad_size', name)
    left -= chunk.length
    return chunk
  }
  async function* read() {
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk
  }
  return { next, chunks: read() }
}

export async function* readEntries(source: ByteSource): AsyncGenerator<RawEntry, void, undefined> {
  const reader = createByteReader(source)
  let globals = 0
  try {
    for (;;) {
      const header = await nextHeader(reader, () => ++globals)
      if (!header) return
      const body = createBody(reader, header)
      yield { ...header, body: body.chunks }
      while (await body.next()) continue
      const padding = paddingOf(header.size)
      if ((await reader.exactly(padding)).length < padding) throw invalidArchive('missing_end', header.name)
    }
  } finally {
    void reader.leave()
  }
}

/** The header of the first entry, and what came of its bytes with it; the rest is still in the source. */
export async function readFirst(source: ByteSource): Promise<{ header: TarHeader | undefined; begun: Buffer }> {
  const reader = createByteReader(source)
  let globals = 0
  const header = await nextHeader(reader, () => ++globals)
  return { header, begun: await reader.leave() }
}
