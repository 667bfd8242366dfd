// What the library holds back during a key exchange: bounded, and forgotten once it was sent.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import test from 'node:test'
import type { ServerChannel } from 'ssh2'
import { ChannelWriter } from '../../src/ssh/channel-writer.ts'

const mebibyte = 1_048_576

function scene() {
  const socket = { bytesWritten: 5_000, writableLength: 0, isCut: false, destroy: () => void (socket.isCut = true) }
  // it takes everything, and sends nothing by itself
  const channel = { write: (_: Buffer, done: () => void) => done() }
  const writer = new ChannelWriter(channel as unknown as ServerChannel, socket as unknown as Socket)
  return { socket, write: () => writer.write('stdout', Buffer.alloc(mebibyte)) }
}

test('what was held during many key exchanges and sent after each is no reason to cut a client off', async () => {
  const { socket, write } = scene()
  for (let at = 0; at < 40; at++) {
    await write()
    if (at % 3 === 2) socket.bytesWritten += 3 * mebibyte + 500
  }
  assert.equal(socket.isCut, false)
})

test('a client that never finishes a key exchange is cut off', async () => {
  const { socket, write } = scene()
  for (let at = 0; at < 16; at++) await write()
  assert.equal(socket.isCut, false)
  await write()
  assert.equal(socket.isCut, true)
})
