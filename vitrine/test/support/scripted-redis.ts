// Scripted servers instead of a Redis, and clients for them.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { redisAddress } from '../../../base/redis/redis-address.ts'
import { RedisClient, redisErrorCode } from '../../../base/redis/redis-client.ts'
import { ReplyParser, textOf } from '../../../base/redis/redis-protocol.ts'

type Answer = (words: readonly string[], socket: Socket) => string | undefined

export async function listenForTest(t: TestContext, server: Server) {
  const sockets = new Set<Socket>()
  let made = 0
  server.on('connection', (socket: Socket) => {
    made++
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, sockets, made: () => made }
}

/** if `answer` returns undefined, nothing is sent */
export async function startScripted(t: TestContext, answer: Answer) {
  const commands: string[][] = []
  const server = createServer((socket) => {
    const parser = new ReplyParser((reply) => {
      const words = textOf(reply) as string[]
      commands.push(words)
      const text = answer(words, socket)
      if (text !== undefined && !socket.destroyed) socket.write(text)
    })
    socket.on('data', (piece: Buffer) => parser.write(piece))
  })
  const { port, sockets, made } = await listenForTest(t, server)
  return { port, url: `redis://127.0.0.1:${port}`, sockets, made, commands }
}

export function createClient(t: TestContext, url: string, { connectMs = 1_000, reconnects = true } = {}) {
  const client = new RedisClient(redisAddress(url), { connectMs, reconnects })
  const errors: string[] = []
  client.on('error', (error) => errors.push(redisErrorCode(error)))
  t.after(() => client.disconnect())
  return { client, errors }
}

export async function connectTo(t: TestContext, url: string) {
  const made = createClient(t, url)
  await made.client.connect()
  return made
}
