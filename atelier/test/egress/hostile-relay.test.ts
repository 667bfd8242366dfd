// What a relay may not send: each of these ends the connection to it, and nothing else.
import assert from 'node:assert/strict'
import type { Duplex } from 'node:stream'
import test from 'node:test'
import { RelayConnection } from '../../src/egress/relay-connection.ts'
import { frame } from '../resident/frames.ts'

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function openScripted() {
  const ended = Promise.withResolvers<void>()
  let listener: (piece: Buffer) => void = () => assert.fail('nobody listens')
  const sent: Buffer[] = []
  const channel = {
    ended: ended.promise,
    unsent: 0,
    isClosed: false,
    onData: (one: (piece: Buffer) => void) => void (listener = one),
    write: (data: Uint8Array) => void sent.push(Buffer.from(data)),
    close() {
      channel.isClosed = true
      ended.resolve()
    },
  }
  const streams: Duplex[] = []
  const relay = new RelayConnection(channel, (stream) => streams.push(stream.on('error', () => {})))
  const say = (...pieces: readonly Buffer[]) => pieces.forEach((piece) => listener(piece))
  return { channel, relay, streams, sent, say }
}

async function openListening() {
  const all = openScripted()
  const listening = all.relay.listen(3128)
  all.say(frame(65, 0))
  assert.equal(await listening, true)
  assert.deepEqual(all.sent, [frame(1, 0, Buffer.from([12, 56])), frame(5, 0, number(64))])
  return all
}

const open = (id = 1) => frame(67, id)
const data = (id: number, bytes: number) => frame(2, id, Buffer.alloc(bytes))

const hostile: Readonly<Record<string, readonly Buffer[]>> = {
  'a type that there is not': [frame(99, 1)],
  'a payload where none belongs': [frame(67, 1, Buffer.from('x'))],
  'a credit of the wrong size': [open(), frame(5, 1, Buffer.alloc(8))],
  'a payload that is too long': [open(), data(1, 65_537)],
  'data without data': [open(), frame(2, 1)],
  'more data than it may send': [open(), data(1, 60_000), data(1, 60_000), data(1, 60_000), data(1, 60_000)],
  'more credit than there is': [open(), frame(5, 1, number(1))],
  'data behind the end': [open(), frame(3, 1), data(1, 1)],
  'a second end': [open(), frame(3, 1), frame(3, 1)],
  'a channel twice': [open(), open()],
  'channel 0': [open(0)],
  '65 channels': Array.from({ length: 65 }, (_, i) => open(i + 1)),
  'much for channels that are not there': [data(7, 40_000), data(8, 40_000)],
  'a control frame for a channel': [open(), frame(65, 1)],
}

for (const [what, pieces] of Object.entries(hostile))
  test(`the connection ends: ${what}`, async () => {
    const { channel, relay, streams, say } = await openListening()
    say(...pieces)
    assert.equal(channel.isClosed, true)
    await relay.lost
    for (const stream of streams) assert.ok(stream.destroyed)
    say(...pieces)
  })

test('frames are understood wherever they are cut', async () => {
  const { channel, streams, say } = await openListening()
  const bytes = Buffer.concat([open(), frame(2, 1, Buffer.from('hello')), open(2), frame(2, 2, Buffer.from('you'))])
  for (const byte of bytes) say(Buffer.from([byte]))
  assert.deepEqual(streams.map((stream) => String(stream.read())), ['hello', 'you']) // prettier-ignore
  assert.equal(channel.isClosed, false)
})

test('some frames for a channel that was just closed are no fault', async () => {
  const { channel, streams, say } = await openListening()
  say(open())
  streams[0]?.destroy()
  say(data(1, 65_536), frame(3, 1), frame(5, 1, number(100)))
  assert.equal(channel.isClosed, false)
})

test('a relay that reads nothing gets no more than fits in its channels', async () => {
  const { channel, streams, say } = await openListening()
  say(open())
  channel.unsent = 9 * 1024 * 1024
  streams[0]?.write('x')
  assert.equal(channel.isClosed, true)
})

test('a greeting that does not come, or says no, is no relay', async () => {
  const silent = openScripted()
  const answer = silent.relay.listen(3128)
  silent.channel.close()
  assert.equal(await answer, false)
  const refusing = openScripted()
  const refused = refusing.relay.listen(3128)
  refusing.say(frame(66, 0, number(98)))
  assert.equal(await refused, false)
})
