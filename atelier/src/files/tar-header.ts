// One block of 512 bytes that stands before each entry of a tar: read strictly, and written.
import { invalidArchive } from './archive-fault.ts'

export const blockBytes = 512

/** The kind is the type letter of the format. Names are bytes: a container may hold some that are not UTF-8. */
export interface TarHeader {
  readonly name: Buffer
  readonly link: Buffer
  readonly kind: string
  readonly mode: number
  readonly size: number
  readonly modifiedSec: number
}

const untilNul = (field: Buffer): Buffer => {
  const end = field.indexOf(0)
  return end < 0 ? field : field.subarray(0, end)
}

/** The first bit marks a binary number, which GNU tar writes for what is too large for the digits, or negative. */
function numberOf(field: Buffer): number | undefined {
  const [first = 0] = field
  if (first >= 0x80) {
    const sign = first & 0x40 ? -1n : 0n
    let value = sign === 0n ? BigInt(first & 0x7f) : BigInt(first) - 256n
    for (const byte of field.subarray(1)) value = value * 256n + BigInt(byte)
    return Number(value)
  }
  const digits = /^ *([0-7]+)[ \0]*$/.exec(field.toString('latin1'))?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

const checksumPlace = { start: 148, end: 156 }

function sumOf(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < blockBytes; at++)
    sum += at >= checksumPlace.start && at < checksumPlace.end ? 0x20 : (block[at] ?? 0)
  return sum
}

const ustarMagic = Buffer.from('ustar\x00')
const gnuMagic = Buffer.from('ustar ')

function nameOf(block: Buffer): Buffer {
  const magic = block.subarray(257, 263)
  const name = untilNul(block.subarray(0, 100))
  if (magic.equals(gnuMagic)) return name
  if (!magic.equals(ustarMagic)) throw invalidArchive('bad_header', name)
  const prefix = untilNul(block.subarray(345, 500))
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name])
}

/** mode bits that some writers add for the kind of the file */
const kindBits = 0o170000

export function parseHeader(block: Buffer): TarHeader {
  if (numberOf(block.subarray(checksumPlace.start, checksumPlace.end)) !== sumOf(block))
    throw invalidArchive('bad_checksum', null)
  const name = Buffer.from(nameOf(block))
  const size = numberOf(block.subarray(124, 136))
  const mode = numberOf(block.subarray(100, 108))
  const modified = numberOf(block.subarray(136, 148))
  if (size === undefined || !Number.isSafeInteger(size) || size < 0) throw invalidArchive('bad_size', name)
  if (mode === undefined || mode < 0 || mode > (kindBits | 0o7777)) throw invalidArchive('bad_mode', name)
  if (modified === undefined) throw invalidArchive('bad_header', name)
  return {
    name,
    link: Buffer.from(untilNul(block.subarray(157, 257))),
    kind: block[156] === 0 ? '0' : block.toString('latin1', 156, 157),
    mode: mode & 0o7777,
    size,
    modifiedSec: modified,
  }
}

export interface HeaderToWrite extends TarHeader {
  readonly uid: number
  readonly gid: number
}

const longestName = 100
const mostSeconds = 0o77777777777

export const fitsName = (name: Buffer): boolean => name.length <= longestName

export function formatHeader({ name, link, kind, mode, size, modifiedSec, uid, gid }: HeaderToWrite): Buffer {
  const block = Buffer.alloc(blockBytes)
  const put = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  name.copy(block, 0, 0, longestName)
  put(mode, 100, 8)
  put(uid, 108, 8)
  put(gid, 116, 8)
  put(size, 124, 12)
  put(Math.min(Math.max(Math.trunc(modifiedSec), 0), mostSeconds), 136, 12)
  block.write(kind, 156, 'latin1')
  link.copy(block, 157, 0, longestName)
  block.write('ustar\x0000', 257, 'latin1')
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, checksumPlace.start, 'latin1')
  return block
}
