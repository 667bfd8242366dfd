// Reads the bytes of an answer, counted while they arrive and again while they are unpacked, so that a small bomb stays small.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { malformed } from '../problem.ts'
import { createGate } from './gate.ts'
import { limits } from './limits.ts'

const unzip = promisify(gunzip)
/** few, because each may hold what the largest document takes, and the memory of those before is not given back at once */
const oneOfFew = createGate(2)

async function collect(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    // leaving the loop destroys the stream, and with it the socket
    if (size > most) throw malformed('the body is too large')
    parts.push(part)
  }
  return parts.length === 1 && Buffer.isBuffer(parts[0]) ? parts[0] : Buffer.concat(parts, size)
}

export async function readBody(body: AsyncIterable<Uint8Array>, encoding: string | undefined): Promise<Buffer> {
  const coding = encoding?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'identity' && coding !== 'gzip') throw malformed('the body has a coding that was not asked for')
  const bytes = await collect(body, coding === 'gzip' ? limits.wire : limits.decoded)
  if (coding === 'identity') return bytes
  try {
    return await oneOfFew(() => unzip(bytes, { maxOutputLength: limits.decoded }))
  } catch {
    throw malformed('the body cannot be unpacked')
  }
}
