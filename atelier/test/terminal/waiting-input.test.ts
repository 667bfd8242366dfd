// Input that waits for a shell: pieces without bytes are dropped, and small ones are counted by what they cost.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import test from 'node:test'
import type { WebSocket } from 'ws'
import { Terminal, type TerminalParts } from '../../src/terminal/terminal.ts'

class FakeSocket extends EventEmitter {
  isPaused = false
  pause() {
    this.isPaused = true
  }
  resume() {
    this.isPaused = false
  }
  close() {}
}

/** its shell never starts */
function openTerminal(): FakeSocket {
  const socket = new FakeSocket()
  const wish = { columns: 80, rows: 24, window: undefined }
  const parts = { commands: { start: () => new Promise(() => {}) }, record: {}, requestId: '', wish, pingMs: 100_000 }
  void new Terminal(socket as unknown as WebSocket, parts as unknown as TerminalParts)
  return socket
}

test('a client that sends many small pieces of input is read no further once they wait', () => {
  const socket = openTerminal()
  let sent = 0
  for (; !socket.isPaused && sent < 1_000; sent++) socket.emit('message', Buffer.from('x'), true)
  assert.ok(sent > 100 && sent < 1_000, String(sent))
  socket.emit('close')
})

test('input without a byte waits for nothing', () => {
  const socket = openTerminal()
  for (let sent = 0; sent < 1_000; sent++) socket.emit('message', Buffer.alloc(0), true)
  assert.equal(socket.isPaused, false)
  socket.emit('close')
})
