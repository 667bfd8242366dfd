// Bodies in blocks that are used again.
import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { Body, type Coding } from '../../src/platform/call/body.ts'
import { limits } from '../../src/platform/call/limits.ts'

const joined = ({ parts }: Body): string => Buffer.concat(parts).toString('latin1')

test('a body is what was added, over any number of blocks, and no byte of an earlier one', () => {
  for (const [number, size] of [700_000, 3, 262_144, 262_145, 0, 1_100_000].entries()) {
    const text = String(number).repeat(size)
    const body = new Body('identity')
    for (let at = 0; at < size; at += 65_536) {
      const part = Buffer.from(text.slice(at, at + 65_536))
      assert.ok(body.add(part))
      // the bytes of a part are good until the next read
      part.fill('x')
    }
    assert.ok(joined(body) === text, `${size} bytes`)
    body.free()
    body.free()
    assert.deepEqual(body.parts, [])
  }
})

test('two bodies share no block, even after one was freed twice', () => {
  const first = new Body('identity')
  first.add(Buffer.from('first'))
  first.free()
  first.free()
  const [second, third] = [new Body('identity'), new Body('identity')]
  second.add(Buffer.from('second'))
  third.add(Buffer.from('third'))
  assert.deepEqual([joined(second), joined(third)], ['second', 'third'])
  second.free()
  third.free()
})

test('a body has a limit, of each coding its own', () => {
  for (const [coding, most] of [
    ['identity', limits.documentBytes],
    ['gzip', limits.compressedBytes],
  ] as const) {
    const body = new Body(coding)
    assert.ok(body.add(Buffer.alloc(most)))
    assert.ok(!body.add(Buffer.alloc(1)))
    body.free()
  }
})

test('a body says how long its text is', () => {
  const bodyOf = (coding: Coding, ...parts: readonly Buffer[]) => {
    const body = new Body(coding)
    for (const part of parts) assert.ok(body.add(part))
    return body
  }
  const text = Buffer.from('{"data":[]}'.repeat(1_000))
  const packed = gzipSync(text)
  assert.equal(bodyOf('identity', text.subarray(0, 9), text.subarray(9)).textBytes, text.length)
  assert.equal(bodyOf('gzip', packed.subarray(0, -2), packed.subarray(-2)).textBytes, text.length)
  assert.equal(bodyOf('gzip', Buffer.of(1, 2)).textBytes, 2, 'what is no compressed text at all is refused later')
})
