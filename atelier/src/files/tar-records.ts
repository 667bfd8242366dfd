// PAX records: lines of `length key=value`, which carry what has no room in a header.
import { invalidArchive } from './archive-fault.ts'

const mostDigits = 7
/** records of one header: each costs far more time to read than its bytes */
const mostRecords = 64

/** the record at the start, with its length in bytes */
function firstRecord(data: Buffer): { key: string; value: Buffer; length: number } | undefined {
  const space = data.subarray(0, mostDigits + 1).indexOf(' ')
  const digits = data.toString('latin1', 0, Math.max(space, 0))
  const length = Number(digits)
  if (!/^[1-9]\d*$/.test(digits) || length > data.length || data[length - 1] !== 0x0a) return undefined
  const line = data.subarray(space + 1, length - 1)
  const equals = line.indexOf('=')
  return equals <= 0 ? undefined : { key: line.toString('latin1', 0, equals), value: line.subarray(equals + 1), length }
}

/** keys that change what an entry is; they stand once, and never for the whole archive */
const telling = new Set(['path', 'linkpath', 'size'])

export interface TarRecords {
  readonly path?: Buffer
  readonly linkpath?: Buffer
  readonly size?: Buffer
}

export function parseRecords(data: Buffer, isForAll: boolean): TarRecords {
  const found: Record<string, Buffer> = {}
  let records = 0
  for (let at = 0; at < data.length;) {
    const record = firstRecord(data.subarray(at))
    if (!record || ++records > mostRecords) throw invalidArchive('bad_header', null)
    const { key, value, length } = record
    if (key.startsWith('GNU.sparse.')) throw invalidArchive('sparse', null)
    if (telling.has(key)) {
      if (isForAll || found[key]) throw invalidArchive('bad_header', null)
      found[key] = Buffer.from(value)
    }
    at += length
  }
  return found
}

export function formatRecord(key: string, value: Buffer): Buffer {
  const line = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from('\n')])
  let length = line.length + 1
  while (String(length).length + line.length !== length) length = String(length).length + line.length
  return Buffer.concat([Buffer.from(String(length)), line])
}
