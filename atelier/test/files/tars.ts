// Tars written by hand, good and bad, independently of the writer under test.

export const end = Buffer.alloc(1024)

export interface HeadFields {
  name?: string | Buffer
  size?: number
  type?: string
  mode?: number
  link?: string | Buffer
  prefix?: string
  magic?: string
  mtime?: number
  /** raw bytes over the finished header, before its checksum */
  over?: readonly (readonly [at: number, bytes: string])[]
  sumOff?: number
}

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`

export function head(fields: HeadFields = {}): Buffer {
  const { name = 'a', size = 0, type = '0', mode = 0o644, link = '', prefix = '', magic = 'ustar\x0000' } = fields
  const block = Buffer.alloc(512)
  Buffer.from(name).copy(block, 0, 0, 100)
  block.write(octal(mode, 8), 100)
  block.write(octal(7, 8), 108)
  block.write(octal(7, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(fields.mtime ?? 1_700_000_000, 12), 136)
  block.write(type, 156, 'latin1')
  Buffer.from(link).copy(block, 157, 0, 100)
  block.write(magic, 257, 'latin1')
  Buffer.from(prefix).copy(block, 345, 0, 155)
  for (const [at, bytes] of fields.over ?? []) block.write(bytes, at, 'latin1')
  block.write('        ', 148)
  const sum = block.reduce((total, byte) => total + byte, 0) + (fields.sumOff ?? 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

export const padded = (data: Buffer): Buffer => Buffer.concat([data, Buffer.alloc((512 - (data.length % 512)) % 512)])

export function file(name: string | Buffer, content: string | Buffer = 'x', fields: HeadFields = {}): Buffer {
  const data = Buffer.from(content)
  return Buffer.concat([head({ name, size: data.length, ...fields }), padded(data)])
}

export const dir = (name: string, fields: HeadFields = {}): Buffer =>
  head({ name: name.endsWith('/') ? name : `${name}/`, type: '5', mode: 0o755, ...fields })

export const symlink = (name: string, link: string | Buffer, fields: HeadFields = {}): Buffer =>
  head({ name, type: '2', link, mode: 0o777, ...fields })

export function record(key: string, value: string | Buffer): Buffer {
  const line = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')])
  let length = line.length
  while (String(length).length + line.length !== length) length = String(length).length + line.length
  return Buffer.concat([Buffer.from(String(length)), line])
}

export const extended = (data: Buffer | string, type = 'x'): Buffer => file('pax', data, { type })

export const pax = (records: Record<string, string | Buffer>, type = 'x'): Buffer =>
  extended(Buffer.concat(Object.entries(records).map(([key, value]) => record(key, value))), type)

export const gnuLong = (text: string, type: 'L' | 'K' = 'L'): Buffer =>
  file('././@LongLink', `${text}\0`, { type, magic: 'ustar  \0' })

export const tar = (...parts: readonly Buffer[]): Buffer => Buffer.concat([...parts, end])

/** deterministic, so that a failure can be repeated by its seed */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

/** the bytes in chunks of random sizes, empty ones among them */
export function* chunked(bytes: Buffer, random: (below: number) => number, most = 1500): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const size = random(most)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

export async function* streamOf(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
