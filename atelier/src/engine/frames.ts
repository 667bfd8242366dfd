// The engine's frames of output: one byte for the stream, three of nothing, four for the length, then data.
import type { OutputChunk } from './port.ts'

const headerBytes = 8

/** Takes the pieces as they come, wherever they are cut; answers the data that they hold, without waiting for whole frames. */
export function createDemultiplexer(): (piece: Buffer) => OutputChunk[] {
  const header = Buffer.alloc(headerBytes)
  let headerFill = 0
  let left = 0
  return (piece) => {
    const chunks: OutputChunk[] = []
    for (let at = 0; at < piece.length;) {
      if (left === 0) {
        const took = piece.copy(header, headerFill, at, at + headerBytes - headerFill)
        at += took
        headerFill += took
        if (headerFill < headerBytes) break
        headerFill = 0
        left = header.readUInt32BE(4)
        continue
      }
      const data = piece.subarray(at, at + left)
      at += data.length
      left -= data.length
      chunks.push({ stream: header[0] === 2 ? 'stderr' : 'stdout', data })
    }
    return chunks
  }
}
