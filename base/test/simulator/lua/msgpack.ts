// cmsgpack as Redis gives it to scripts: MessagePack of Lua values, over strings of bytes.
import { isDeepStrictEqual } from 'node:util'
import { LuaTable, type LuaValue } from './table.ts'

const view = new DataView(new ArrayBuffer(8))
const deepest = 16
let out = Buffer.alloc(64 * 1024)
let end = 0

function reserve(count: number) {
  if (end + count <= out.length) return
  const larger = Buffer.alloc(2 * (end + count))
  out.copy(larger, 0, 0, end)
  out = larger
}

function head(code: number, count: number, width: number) {
  reserve(9)
  out[end++] = code
  for (let shift = 8 * (width - 1); shift >= 0; shift -= 8) out[end++] = (count >>> shift) & 255
}

function packNumber(value: number) {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return packInteger(value)
  const isShort = Math.fround(value) === value
  if (isShort) view.setFloat32(0, value)
  else view.setFloat64(0, value)
  reserve(9)
  out[end++] = isShort ? 0xca : 0xcb
  for (let i = 0; i < (isShort ? 4 : 8); i++) out[end++] = view.getUint8(i)
  return undefined
}

function packInteger(value: number) {
  if (value >= 0) {
    if (value < 128) return head(value, 0, 0)
    if (value < 2 ** 8) return head(0xcc, value, 1)
    if (value < 2 ** 16) return head(0xcd, value, 2)
    if (value < 2 ** 32) return head(0xce, value, 4)
    return packWide(0xcf, value)
  }
  if (value >= -32) return head(256 + value, 0, 0)
  if (value >= -(2 ** 7)) return head(0xd0, value + 2 ** 8, 1)
  if (value >= -(2 ** 15)) return head(0xd1, value + 2 ** 16, 2)
  if (value >= -(2 ** 31)) return head(0xd2, value + 2 ** 32, 4)
  return packWide(0xd3, value)
}

function packWide(code: number, value: number) {
  const high = Math.floor(value / 2 ** 32)
  const low = value - high * 2 ** 32
  reserve(9)
  out[end++] = code
  for (let shift = 24; shift >= 0; shift -= 8) out[end++] = (high >> shift) & 255
  for (let shift = 24; shift >= 0; shift -= 8) out[end++] = (low >>> shift) & 255
}

function packText(text: string) {
  const { length } = text
  if (length < 32) head(0xa0 | length, 0, 0)
  else if (length < 256) head(0xd9, length, 1)
  else if (length < 2 ** 16) head(0xda, length, 2)
  else head(0xdb, length, 4)
  reserve(length)
  if (length < 16) for (let i = 0; i < length; i++) out[end++] = text.charCodeAt(i)
  else end += out.write(text, end, 'latin1')
}

function packTable({ list, map }: LuaTable, depth: number) {
  const isList = map.size === 0 && !list.includes(undefined)
  const count = isList ? list.length : map.size + list.filter((one) => one !== undefined).length
  if (count < 16) head((isList ? 0x90 : 0x80) | count, 0, 0)
  else head(isList ? 0xdc : 0xde, count, 2)
  if (isList) for (const one of list) packValue(one, depth + 1)
  else packPairs(list, map, depth + 1)
}

function packPairs(list: readonly LuaValue[], map: ReadonlyMap<LuaValue, LuaValue>, depth: number) {
  for (let i = 0; i < list.length; i++)
    if (list[i] !== undefined) {
      packNumber(i + 1)
      packValue(list[i], depth)
    }
  for (const [key, value] of map) {
    packValue(key, depth)
    packValue(value, depth)
  }
}

function packValue(value: LuaValue, depth: number): void {
  if (typeof value === 'number') return packNumber(value)
  if (typeof value === 'string') return packText(value)
  if (value instanceof LuaTable && depth < deepest) return packTable(value, depth)
  return head(value === true ? 0xc3 : value === false ? 0xc2 : 0xc0, 0, 0)
}

/** Tables by their bytes: a script drops what it packed, so the next one to unpack these bytes may have the table itself. */
const packed = new Map<string, LuaTable>()
const mostPacked = 64

export function pack(value: LuaValue): string {
  end = 0
  packValue(value, 0)
  const bytes = out.toString('latin1', 0, end)
  if (value instanceof LuaTable) {
    packed.set(bytes, value)
    const [oldest] = packed.size > mostPacked ? packed.keys() : []
    if (oldest !== undefined) packed.delete(oldest)
  }
  return bytes
}

let from = ''
let at = 0

function unsigned(width: number): number {
  if (at + width > from.length) throw new Error('Missing bytes in input.')
  let value = 0
  for (let i = 0; i < width; i++) value = value * 256 + from.charCodeAt(at++)
  return value
}

function signed(width: number): number {
  const value = unsigned(width)
  return value >= 2 ** (8 * width - 1) ? value - 2 ** (8 * width) : value
}

function float(width: number): number {
  for (let i = 0; i < width; i++) view.setUint8(i, unsigned(1))
  return width === 4 ? view.getFloat32(0) : view.getFloat64(0)
}

function text(length: number): string {
  at += length
  if (at > from.length) throw new Error('Missing bytes in input.')
  return from.slice(at - length, at)
}

function unpackList(count: number): LuaTable {
  const table = new LuaTable()
  for (let i = 1; i <= count; i++) table.set(i, unpackValue())
  return table
}

function unpackPairs(count: number): LuaTable {
  const table = new LuaTable()
  for (let i = 0; i < count; i++) {
    const key = unpackValue()
    table.set(key, unpackValue())
  }
  return table
}

const wide: Readonly<Record<number, () => LuaValue>> = {
  0xc0: () => undefined,
  0xc2: () => false,
  0xc3: () => true,
  0xca: () => float(4),
  0xcb: () => float(8),
  0xcc: () => unsigned(1),
  0xcd: () => unsigned(2),
  0xce: () => unsigned(4),
  0xcf: () => unsigned(8),
  0xd0: () => signed(1),
  0xd1: () => signed(2),
  0xd2: () => signed(4),
  0xd3: () => unsigned(4) * 2 ** 32 + unsigned(4) - (from.charCodeAt(at - 8) > 127 ? 2 ** 64 : 0),
  0xd9: () => text(unsigned(1)),
  0xda: () => text(unsigned(2)),
  0xdb: () => text(unsigned(4)),
  0xdc: () => unpackList(unsigned(2)),
  0xde: () => unpackPairs(unsigned(2)),
}

function unpackValue(): LuaValue {
  const code = unsigned(1)
  if (code < 0x80) return code
  if (code < 0x90) return unpackPairs(code & 15)
  if (code < 0xa0) return unpackList(code & 15)
  if (code < 0xc0) return text(code & 31)
  if (code >= 0xe0) return code - 256
  const read = wide[code]
  if (!read) throw new Error('Bad data format in input.')
  return read()
}

/** a table of its own */
export function read(bytes: LuaValue): LuaValue {
  if (typeof bytes !== 'string') throw new Error('bad argument #1 to unpack (string expected)')
  from = bytes
  at = 0
  return unpackValue()
}

/** one in so many tables that are used again is compared with its bytes */
const comparedEvery = 64
let uses = 0

export function unpack(bytes: LuaValue): LuaValue {
  const known = packed.get(bytes as string)
  if (!known) return read(bytes)
  packed.delete(bytes as string)
  if (++uses % comparedEvery === 0 && !isDeepStrictEqual(known, read(bytes)))
    throw new Error('a script changed a table after it packed it')
  return known
}
