import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type FrameSink,
  FrameReader,
  helloFrames,
  HelloReader,
  ResidentFault,
  startFrames,
} from '../../../src/exec/resident/frames.ts'
import { randomOf } from '../process-trees.ts'
import { exit, frameOf, output, u32 } from './scripted-resident.ts'

function reading() {
  const seen: string[] = []
  const sink: FrameSink = {
    output: (command, stream, data) => void seen.push(`${command} ${stream} ${data.toString()}`),
    frame: (type, command, payload) => void seen.push(`${type} ${command} ${payload.toString('hex')}`),
    padding: (bytes) => void seen.push(`padding ${bytes}`),
  }
  return { seen, reader: new FrameReader(sink) }
}

/** pieces of the same output, and of padding, are one */
function joined(seen: readonly string[]) {
  const all: string[] = []
  for (const one of seen) {
    const [head = '', stream = '', text = ''] = one.split(' ')
    const last = all.at(-1)?.split(' ')
    if (head === 'padding' && last?.[0] === head) all[all.length - 1] = `padding ${Number(last[1]) + Number(stream)}`
    else if (stream.startsWith('std') && last?.[0] === head && last[1] === stream) all[all.length - 1] += text
    else all.push(one)
  }
  return all
}

const stream = Buffer.concat([
  frameOf(66, 1, u32(77)),
  output(1, Buffer.from('hello')),
  Buffer.alloc(3),
  output(2, Buffer.from('err'), 2),
  frameOf(69, 2, u32(65_536)),
  frameOf(67, 3, Buffer.from([2, 0, 0, 0, 2])),
  exit(1, 0x0300),
  frameOf(71, 2),
])

const wanted = [
  '66 1 0000004d',
  '1 stdout hello',
  'padding 3',
  '2 stderr err',
  '69 2 00010000',
  '67 3 0200000002',
  '70 1 00000300',
  '71 2 ',
]

test('frames are the same wherever the bytes between them are cut', () => {
  for (let size = 1; size <= stream.length; size++) {
    const { seen, reader } = reading()
    for (let at = 0; at < stream.length; at += size) reader.read(stream.subarray(at, at + size))
    assert.deepEqual(joined(seen), wanted, `pieces of ${size}`)
  }
})

test('output of any length within the limit is passed on whole, without waiting for the rest', () => {
  const { seen, reader } = reading()
  const data = Buffer.alloc(65_535, 'x')
  const bytes = output(9, data)
  reader.read(bytes.subarray(0, 20))
  assert.deepEqual(seen, [`9 stdout ${'x'.repeat(10)}`])
  reader.read(bytes.subarray(20))
  assert.equal(joined(seen)[0]?.length, '9 stdout '.length + 65_535)
})

test('a frame that breaks the rules is a fault', () => {
  for (const bytes of [
    frameOf(68, 1, Buffer.alloc(65_537, 1)),
    frameOf(68, 1, Buffer.from([1])),
    frameOf(68, 1),
    output(1, Buffer.from('x'), 3),
    frameOf(70, 1, Buffer.alloc(5)),
    frameOf(71, 1, Buffer.alloc(1)),
    frameOf(65, 0, Buffer.alloc(22)),
    frameOf(1, 0),
    frameOf(255, 0),
    Buffer.from([68, 0, 0, 0, 1, 255, 255, 255, 255]),
  ])
    assert.throws(() => reading().reader.read(bytes), ResidentFault, bytes.subarray(0, 12).toString('hex'))
})

test('noise is a fault or says nothing, and no other error', () => {
  const random = randomOf(7)
  const kinds = [0, 65, 66, 67, 68, 69, 70, 71, 72]
  for (let round = 0; round < 3_000; round++) {
    const bytes = Buffer.from(Array.from({ length: 1 + random(60) }, () => (random(3) ? random(3) : kinds[random(9)]!)))
    const { reader } = reading()
    try {
      for (let at = 0; at < bytes.length;) reader.read(bytes.subarray(at, (at += 1 + random(9))))
    } catch (error) {
      assert.ok(error instanceof ResidentFault, String(error))
    }
  }
})

test('a greeting is found behind whatever an earlier connection left, wherever it is cut', () => {
  const nonce = Buffer.from('0123456789abcdef')
  const answer = frameOf(65, 0, Buffer.concat([nonce, Buffer.from([1, 1]), u32(2), u32(5), u32(9)]))
  const bytes = Buffer.concat([output(4, Buffer.alloc(300, 'A')), nonce.subarray(0, 9), answer, Buffer.from('rest')])
  for (const size of [1, 2, 7, 24, 25, 26, 100, bytes.length]) {
    const reader = new HelloReader(nonce)
    let found: ReturnType<HelloReader['take']>
    let rest = ''
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size)
      if (found) rest += piece
      else if ((found = reader.take(piece))) rest += found.rest
    }
    assert.deepEqual([found?.hello, rest], [{ version: 1, isFirst: true, kept: [5, 9] }, 'rest'], `pieces of ${size}`)
  }
})

test('an answer to a greeting whose lengths do not fit is a fault', () => {
  const nonce = Buffer.from('0123456789abcdef')
  const body = (count: number) => Buffer.concat([nonce, Buffer.from([1, 1]), u32(count)])
  for (const bytes of [
    nonce,
    frameOf(66, 0, body(0)),
    frameOf(65, 0, body(1)),
    frameOf(65, 0, body(4_000_000_000)),
    frameOf(65, 0, Buffer.concat([body(5_000), Buffer.alloc(20_000)])),
  ]) {
    const padded = Buffer.concat([Buffer.alloc(9), bytes])
    assert.throws(() => new HelloReader(nonce).take(padded), ResidentFault, bytes.subarray(0, 40).toString('hex'))
  }
})

test('a greeting first ends the longest frame that an earlier connection may have begun', () => {
  const bytes = helloFrames(Buffer.alloc(16, 7))
  const at = bytes.findIndex((byte) => byte !== 0)
  assert.equal(at, 65_536 + 16)
  assert.equal(bytes.subarray(at).toString('hex'), `010000000000000011${'07'.repeat(16)}01`)
})

test('a start that is longer than a frame comes in parts, and says all of it', () => {
  const env = { A: '1', LONG: 'x'.repeat(100_000) }
  const wish = { argv: ['sh', '', 'ö'], env, workingDir: '/w', hasInput: true, tty: { columns: 80, rows: 24 } }
  const bytes = startFrames(3, { ...wish, isKept: true, credit: 1_000 })
  const types: number[] = []
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32BE(at + 5)
    types.push(bytes[at]!)
    assert.ok(length <= 65_536 && bytes.readUInt32BE(at + 1) === 3)
    parts.push(bytes.subarray(at + 9, at + 9 + length))
    at += 9 + length
  }
  assert.deepEqual(types, [12, 2])
  const text = (value: string) => [u32(Buffer.byteLength(value)), Buffer.from(value)]
  const expected = [Buffer.from([7, 0, 80, 0, 24]), u32(1_000), ...text('/w'), Buffer.from([0, 3]), ...wish.argv.flatMap(text), Buffer.from([0, 2]), ...text('A=1'), ...text(`LONG=${env.LONG}`)] // prettier-ignore
  assert.ok(Buffer.concat(parts).equals(Buffer.concat(expected)))
})
