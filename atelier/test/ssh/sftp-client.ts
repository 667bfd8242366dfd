// SFTP byte by byte, for what no client sends; and the library's own client, which answers promises here.
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Client, ClientChannel, SFTPWrapper } from 'ssh2'
import { until } from '../../../base/test/until.ts'

export const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

export const str = (value: Buffer | string) => {
  const bytes = Buffer.from(value as string)
  return Buffer.concat([u32(bytes.length), bytes])
}

export const framed = (...parts: readonly Buffer[]) => str(Buffer.concat(parts))

export const types = { init: 1, open: 3, close: 4, read: 5, write: 6, opendir: 11, readdir: 12, realpath: 16, stat: 17 }
const noAttributes = u32(0)
const readFlag = 1

export interface RawAnswer {
  readonly type: number
  /** after the number of the request */
  readonly body: Buffer
  readonly status: number | undefined
  readonly words: string
}

const statusType = 101

export class RawSftp {
  readonly channel: ClientChannel
  readonly answers = new Map<number, RawAnswer>()
  stderr = ''
  isClosed = false
  exit: unknown[] = []
  #arrived = Buffer.alloc(0)
  #last = 0

  constructor(channel: ClientChannel) {
    this.channel = channel
    channel.on('data', (piece: Buffer) => this.#take(piece))
    channel.stderr.on('data', (piece: Buffer) => (this.stderr += piece.toString()))
    channel.once('exit', (...end: unknown[]) => (this.exit = end))
    channel.once('close', () => (this.isClosed = true))
  }

  #take(piece: Buffer) {
    this.#arrived = Buffer.concat([this.#arrived, piece])
    while (this.#arrived.length >= 4 && this.#arrived.length >= 4 + this.#arrived.readUInt32BE()) {
      const end = 4 + this.#arrived.readUInt32BE()
      const packet = this.#arrived.subarray(4, end)
      this.#arrived = this.#arrived.subarray(end)
      const [type, id, body] = [packet[0] ?? 0, packet.readUInt32BE(1), packet.subarray(5)]
      const isStatus = type === statusType
      const words = isStatus ? body.subarray(8, 8 + body.readUInt32BE(4)).toString() : ''
      this.answers.set(id, { type, body, words, status: isStatus ? body.readUInt32BE() : undefined })
    }
  }

  write = (bytes: Buffer) => this.channel.write(bytes)

  /** answers the number of the request */
  send(type: number, ...parts: readonly Buffer[]): number {
    this.#last += 1
    this.write(framed(Buffer.of(type), u32(this.#last), ...parts))
    return this.#last
  }

  async answer(id: number): Promise<RawAnswer> {
    await until(() => this.answers.has(id) || this.isClosed, 30_000)
    const answer = this.answers.get(id)
    if (!answer) throw new Error(`the channel was closed: ${this.stderr}`)
    return answer
  }

  ask = (type: number, ...parts: readonly Buffer[]) => this.answer(this.send(type, ...parts))

  async handleOf(asked: Promise<RawAnswer>): Promise<Buffer> {
    const { body, words } = await asked
    if (words) throw new Error(words)
    return body.subarray(4)
  }

  open = (path: Buffer | string, flags = readFlag) =>
    this.handleOf(this.ask(types.open, str(path), u32(flags), noAttributes))

  async closed() {
    if (!this.isClosed) await once(this.channel, 'close')
  }
}

const subsystem = (client: Client): Promise<ClientChannel> =>
  new Promise((ok, fail) => client.subsys('sftp', (error, channel) => (error ? fail(error) : ok(channel))))

/** `isMet`: the client has told its version */
export async function rawSftp(client: Client, isMet = true): Promise<RawSftp> {
  const raw = new RawSftp(await subsystem(client))
  if (!isMet) return raw
  raw.write(framed(Buffer.of(types.init), u32(3)))
  await until(() => raw.answers.size > 0 || raw.isClosed, 30_000)
  raw.answers.clear()
  return raw
}

const wrapper = (client: Client): Promise<SFTPWrapper> =>
  new Promise((ok, fail) => client.sftp((error, sftp) => (error ? fail(error) : ok(sftp))))

/** the library's client; what a test needs of it */
export async function sftpOf(client: Client) {
  const sftp = await wrapper(client)
  const of = (method: (...args: never[]) => unknown) => promisify(method.bind(sftp) as never) as unknown
  type Call<Args extends unknown[], Result> = (...args: Args) => Promise<Result>
  return {
    sftp,
    open: of(sftp.open) as Call<[path: string, flags: string, mode?: number], Buffer>,
    close: of(sftp.close) as Call<[handle: Buffer], void>,
    readFile: of(sftp.readFile) as Call<[path: string], Buffer>,
    writeFile: of(sftp.writeFile) as Call<[path: string, data: Buffer | string, options?: object], void>,
    appendFile: of(sftp.appendFile) as Call<[path: string, data: string], void>,
    write: of(sftp.write) as Call<[handle: Buffer, data: Buffer, begin: number, length: number, at: number], void>,
    readdir: of(sftp.readdir) as Call<[path: string], { filename: string; longname: string }[]>,
    mkdir: of(sftp.mkdir) as Call<[path: string], void>,
    rmdir: of(sftp.rmdir) as Call<[path: string], void>,
    unlink: of(sftp.unlink) as Call<[path: string], void>,
    rename: of(sftp.rename) as Call<[from: string, to: string], void>,
    replace: of(sftp.ext_openssh_rename) as Call<[from: string, to: string], void>,
    symlink: of(sftp.symlink) as Call<[target: string, path: string], void>,
    readlink: of(sftp.readlink) as Call<[path: string], string>,
    realpath: of(sftp.realpath) as Call<[path: string], string>,
    stat: of(sftp.stat) as Call<[path: string], { mode: number; size: number; uid: number; mtime: number }>,
    lstat: of(sftp.lstat) as Call<[path: string], { mode: number; size: number }>,
    setstat: of(sftp.setstat) as Call<[path: string, wishes: object], void>,
    read: (handle: Buffer, at: number, length: number): Promise<Buffer> =>
      new Promise((ok, fail) =>
        sftp.read(handle, Buffer.alloc(length), 0, length, at, (error, bytes, data) =>
          error ? fail(error) : ok(data.subarray(0, bytes)),
        ),
      ),
  }
}
