// Writes tars: ustar headers, with PAX records where a name is too long for them.
import type { TarEntry } from './read-tar.ts'
import { paddingOf } from './tar-entries.ts'
import { blockBytes, fitsName, formatHeader } from './tar-header.ts'
import { formatRecord } from './tar-records.ts'

export interface TarOwner {
  readonly uid: number
  readonly gid: number
}

/** Names may be bytes that are no text. The body has exactly `size` bytes. */
export interface TarItem extends Omit<TarEntry, 'path' | 'type' | 'linkTarget' | 'body'> {
  readonly path: string | Buffer
  readonly type: TarEntry['type'] | 'hardlink'
  readonly linkTarget: string | Buffer | null
  readonly body: AsyncIterable<Uint8Array> | Buffer | null
}

const kinds: Readonly<Record<TarItem['type'], string>> = { file: '0', hardlink: '1', symlink: '2', directory: '5' }

const bytesOf = (text: string | Buffer): Buffer => (typeof text === 'string' ? Buffer.from(text) : text)

const none: Buffer = Buffer.alloc(0)

export const zeros = (bytes: number): Buffer => (bytes === 0 ? none : Buffer.alloc(bytes))

/** two blocks of zeros */
export const tarEnd = Buffer.alloc(2 * blockBytes)

function nameBytes({ path, type }: TarItem): Buffer {
  const name = bytesOf(path)
  return type === 'directory' ? Buffer.concat([name, Buffer.from('/')]) : name
}

/** the header of an entry, after one with PAX records if it needs some */
export function tarHeader(item: TarItem, owner: TarOwner): Buffer {
  const name = nameBytes(item)
  const link = bytesOf(item.linkTarget ?? none)
  const { mode, size } = item
  const common = { mode, modifiedSec: item.modifiedAt.getTime() / 1000, ...owner }
  const header = formatHeader({ ...common, name, link, kind: kinds[item.type], size })
  const records = Buffer.concat([
    fitsName(name) ? none : formatRecord('path', name),
    fitsName(link) ? none : formatRecord('linkpath', link),
  ])
  if (records.length === 0) return header
  const fixed = { ...common, mode: 0o644, name: Buffer.from('PaxHeaders/x'), link: none, kind: 'x' }
  return Buffer.concat([
    formatHeader({ ...fixed, size: records.length }),
    records,
    zeros(paddingOf(records.length)),
    header,
  ])
}

export async function* writeTar(items: AsyncIterable<TarItem> | Iterable<TarItem>, owner: TarOwner) {
  for await (const item of items) {
    yield tarHeader(item, owner)
    if (item.size === 0) continue
    let left = item.size
    const parts = Buffer.isBuffer(item.body) ? [item.body] : (item.body ?? [])
    for await (const part of parts) {
      left -= part.length
      if (left < 0) break
      yield part
    }
    if (left !== 0) throw new RangeError('the body of a tar entry is not as long as its size')
    yield zeros(paddingOf(item.size))
  }
  yield tarEnd
}
