// The name in the first message of TLS, from real messages and from ones made by hand.
import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import test from 'node:test'
import { connect, type ConnectionOptions } from 'node:tls'
import { readClientHello } from '../../src/egress/client-hello.ts'

function helloOf(options: ConnectionOptions): Buffer {
  const [program, wire] = duplexPair()
  const socket = connect({ socket: program, ...options })
  socket.on('error', () => {})
  const bytes = wire.read() as Buffer
  socket.destroy()
  return bytes
}

const number = (size: number, value: number): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}
const list = (size: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([number(size, body.length), body])
}
const record = (body: Buffer, type = 22): Buffer => Buffer.concat([Buffer.from([type, 3, 1]), list(2, body)])
const nameEntry = (name: string, type = 0): Buffer => Buffer.concat([number(1, type), list(2, Buffer.from(name))])
const extension = (type: number, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([number(2, type), list(2, ...parts)])
const sni = (...entries: readonly Buffer[]): Buffer => extension(0, list(2, ...entries))
const body = (...extensions: readonly Buffer[]): Buffer => {
  const head = [Buffer.alloc(34), list(1), list(2, Buffer.from([0x13, 1])), list(1, Buffer.from([0]))]
  return Buffer.concat([...head, list(2, ...extensions)])
}
const message = (content: Buffer, type = 1): Buffer => Buffer.concat([number(1, type), list(3, content)])

test('the name is found in what Node.js sends, wherever the bytes are cut', () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const bytes = helloOf({ servername: 'API.example.com', maxVersion })
    for (let end = 0; end < bytes.length; end += 1)
      assert.equal(readClientHello(bytes.subarray(0, end)), 'incomplete', String(end))
    assert.deepEqual(readClientHello(bytes), { name: 'api.example.com' })
    assert.deepEqual(readClientHello(Buffer.concat([bytes, record(Buffer.from('more'), 23)])), 'invalid')
  }
  assert.deepEqual(readClientHello(helloOf({})), { name: undefined })
})

test('a message in several records is read as one', () => {
  const whole = message(body(extension(5), sni(nameEntry('a.example'))))
  const parts = [whole.subarray(0, 1), whole.subarray(1, 3), whole.subarray(3, 20), whole.subarray(20)]
  assert.deepEqual(readClientHello(Buffer.concat(parts.map((part) => record(part)))), { name: 'a.example' })
})

test('what is no such message, names several hosts or lies about its lengths is refused', () => {
  const long = body(sni(nameEntry('a.example')))
  const wrong: Record<string, Buffer> = {
    http: Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    ssh: Buffer.from('SSH-2.0-x\r\n'),
    alert: record(Buffer.from([2, 40]), 21),
    'another message': record(message(long, 2)),
    'an empty record': Buffer.from([22, 3, 1, 0, 0]),
    'two names': record(message(body(sni(nameEntry('a.example'), nameEntry('b.example'))))),
    'two lists': record(message(body(sni(nameEntry('a.example')), sni(nameEntry('b.example'))))),
    'another kind of name': record(message(body(sni(nameEntry('a.example', 1))))),
    'a list that is too long': record(message(body(extension(0, number(2, 500))))),
    'a cut body': record(message(long.subarray(0, -3))),
    'a huge message': record(Buffer.concat([number(1, 1), number(3, 1_000_000), long])),
  }
  for (const [what, bytes] of Object.entries(wrong)) assert.equal(readClientHello(bytes), 'invalid', what)
})

test('a message in very many records is refused before it is whole', () => {
  const whole = message(body(extension(21, Buffer.alloc(1_000)), sni(nameEntry('a.example'))))
  const inRecords = (count: number) => {
    const parts = Array.from({ length: count }, (_, i) => record(whole.subarray(i, i + 1)))
    return Buffer.concat([...parts, record(whole.subarray(count))])
  }
  assert.deepEqual(readClientHello(inRecords(8)), { name: 'a.example' })
  assert.equal(readClientHello(inRecords(100)), 'invalid')
  assert.equal(readClientHello(inRecords(100).subarray(0, 300)), 'invalid')
})

test('records of single bytes do not go on for ever', () => {
  const whole = message(body(extension(21, Buffer.alloc(30_000))))
  const bytes = Buffer.concat([...whole.subarray(0, 12_000)].map((one) => record(Buffer.from([one]))))
  assert.equal(readClientHello(bytes), 'invalid')
})
