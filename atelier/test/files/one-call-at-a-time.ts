// An engine that takes what it is sent, and fails as soon as a container is looked at in the middle of a transfer, as Docker
// would wait for ever.
import { Readable } from 'node:stream'
import type { Engine, PathState } from '../../src/engine/port.ts'
import { writeTar } from '../../src/files/write-tar.ts'

const now = new Date()
const directory: PathState = { type: 'directory', mode: 0o755, size: 0, modifiedAt: now, linkTarget: null }

export interface TestTarget {
  readonly engine: Engine
  /** the tars that came */
  readonly sizes: number[]
  readonly content: Map<string, number>
}

/** the header's name and size are read simply: the tar is our own, with short names */
function noteFile(block: Buffer, content: Map<string, number>): number {
  const size = Number.parseInt(block.toString('latin1', 124, 135), 8)
  const name = block.toString('latin1', 0, block.indexOf(0))
  if (block[156] === 0x30) content.set(name, size)
  return Math.ceil(size / 512) * 512
}

export interface Behaviour {
  readonly read?: (tar: Readable) => Promise<void>
  readonly archive?: () => Readable
  /** of the file that is read */
  readonly size?: number
}

export function oneCallAtATime({ read, archive, size = 0 }: Behaviour = {}): TestTarget {
  const content = new Map<string, number>()
  const sizes: number[] = []
  let transfers = 0
  async function take(tar: Readable) {
    if (read) return read(tar)
    let skip = 0
    let bytes = 0
    let rest = Buffer.alloc(0)
    for await (const chunk of tar as AsyncIterable<Buffer>) {
      bytes += chunk.length
      let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      for (;;) {
        const gone = Math.min(skip, data.length)
        skip -= gone
        data = data.subarray(gone)
        if (skip > 0 || data.length < 512) break
        skip = noteFile(data.subarray(0, 512), content)
        data = data.subarray(512)
      }
      rest = Buffer.from(data)
    }
    sizes.push(bytes)
  }
  const engine = {
    async stat(_: string, path: string): Promise<PathState | undefined> {
      if (transfers > 0) throw new Error(`${path} was looked at in the middle of a transfer`)
      if (path === '/read') return { ...directory, type: 'file', size }
      const name = path.replace(/^\/tmp\//, '')
      if (path === '/tmp') return directory
      return content.has(name) ? { ...directory, type: 'file', size: content.get(name) ?? 0 } : undefined
    },
    async putArchive(_: string, __: string, tar: Readable) {
      transfers += 1
      try {
        await take(tar)
      } finally {
        transfers -= 1
      }
    },
    getArchive: () => Promise.resolve(archive?.() ?? Readable.from([])),
  }
  return { engine: engine as unknown as Engine, sizes, content }
}

const mebibyte = 1_048_576

/** in chunks as a socket gives them, each with memory of its own */
export async function* mebibytes(count: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < count * 16; i++) yield Buffer.alloc(65_536, i)
}

/** a tar with one file, as an engine gives it */
export const archiveOf = (name: string, count: number): Readable => {
  const common = { path: name, type: 'file', mode: 0o644, linkTarget: null, modifiedAt: now } as const
  const item = { ...common, size: count * mebibyte, body: mebibytes(count) }
  return Readable.from(writeTar([item], { uid: 0, gid: 0 }), { objectMode: false })
}
