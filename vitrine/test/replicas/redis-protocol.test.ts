import assert from 'node:assert/strict'
import test from 'node:test'
import { type Reply, ReplyError, ReplyParser, textOf } from '../../../base/redis/redis-protocol.ts'

function parse(pieces: readonly Buffer[]): Reply[] {
  const replies: Reply[] = []
  const parser = new ReplyParser((reply) => replies.push(reply))
  for (const piece of pieces) {
    // as a socket's buffer, which the next read overwrites
    const read = Buffer.from(piece)
    parser.write(read)
    read.fill(0)
  }
  return replies
}

const whole = Buffer.from(
  '+OK\r\n:-7\r\n$-1\r\n*-1\r\n$0\r\n\r\n$5\r\na\r\nbc\r\n*3\r\n:1\r\n*2\r\n+x\r\n$1\r\ny\r\n*0\r\n-ERR no\r\n+end\r\n',
)
const expected = ['OK', -7, null, null, '', 'a\r\nbc', [1, ['x', 'y'], []], 'no', 'end']
const shown = (replies: readonly Reply[]) =>
  replies.map((reply) => (reply instanceof ReplyError ? reply.message.replace('ERR ', '') : textOf(reply)))

test('replies are the same however they are cut into pieces', () => {
  assert.deepEqual(shown(parse([whole])), expected)
  for (let size = 1; size < whole.length; size++) {
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, n) =>
      whole.subarray(n * size, (n + 1) * size),
    )
    assert.deepEqual(shown(parse(pieces)), expected, `pieces of ${size}`)
  }
  for (let at = 1; at < whole.length; at++)
    assert.deepEqual(shown(parse([whole.subarray(0, at), whole.subarray(at)])), expected, `cut at ${at}`)
})

test('an integer is exact as far as a number can be, and beyond that not taken for an exact one', () => {
  const exact = [0, 7, -7, 1_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
  assert.deepEqual(parse([Buffer.from(exact.map((count) => `:${count}\r\n`).join(''))]), exact)
  const [beyond, most] = parse([Buffer.from(':9007199254740992\r\n:-9223372036854775808\r\n')])
  for (const count of [beyond, most]) assert.equal(Number.isSafeInteger(count), false)
})

const refused: Readonly<Record<string, string>> = {
  'HTTP/1.1 400 Bad Request\r\n': 'invalid_reply',
  '>2\r\n+message\r\n': 'invalid_reply',
  ':1.5\r\n': 'invalid_reply',
  '$x\r\n': 'invalid_reply',
  ':1\n': 'invalid_reply',
  ':\r\n': 'invalid_reply',
  ':-\r\n': 'invalid_reply',
  ':--1\r\n': 'invalid_reply',
  ':+1\r\n': 'invalid_reply',
  ':1 \r\n': 'invalid_reply',
  ':12345678901234567890\r\n': 'invalid_reply',
  '\r\n': 'invalid_reply',
  ['*1\r\n'.repeat(20)]: 'reply_too_large',
  [`+${'x'.repeat(70_000)}`]: 'reply_too_large',
  [`+${'x'.repeat(70_000)}\r\n`]: 'reply_too_large',
  [`*1000000000\r\n${':1\r\n'.repeat(5_000_000)}`]: 'reply_too_large',
  [`$2000000000\r\n${'x'.repeat(17_000_000)}`]: 'reply_too_large',
  // each of these needs hundreds of times its size in memory
  [`*1000000000\r\n${'-\r\n'.repeat(30_000)}`]: 'reply_too_large',
  [`*1000000000\r\n${'+\r\n'.repeat(300_000)}`]: 'reply_too_large',
  [`*1000000000\r\n${'*0\r\n'.repeat(300_000)}`]: 'reply_too_large',
}

test('what is not the protocol, or is too much of it, is refused', () => {
  for (const [text, code] of Object.entries(refused))
    assert.throws(() => parse([Buffer.from(text)]), { code }, text.slice(0, 40))
})

test('a large reply is read in time that grows with its size alone', () => {
  const many = Buffer.from(`*200000\r\n${':1234567\r\n'.repeat(200_000)}`)
  const pieces = Array.from({ length: Math.ceil(many.length / 100) }, (_, n) => many.subarray(n * 100, (n + 1) * 100))
  const from = performance.now()
  const [reply] = parse(pieces)
  assert.equal((reply as readonly Reply[]).length, 200_000)
  assert.ok(performance.now() - from < 3_000)
})
