import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { makeMasterKey, readMasterKeys } from '../../src/connections/master-keys.ts'

// with both letters that the alphabets write differently
const bytes = Buffer.from('fbeffffe3d5c0a1b2c3d4e5f60718293a4b5c6d7e8f9000102030405060708ff', 'hex')
const other = randomBytes(32)
const base64 = bytes.toString('base64')

test('the first key writes, and all are there by their ids', () => {
  const { first, keys } = readMasterKeys(`new:${base64}\nold:${other.toString('base64')}\n`)
  assert.equal(first, 'new')
  assert.deepEqual([...keys.keys()], ['new', 'old'])
  assert.deepEqual(keys.get('new')?.export(), bytes)
  assert.deepEqual(keys.get('old')?.export(), other)
})

test('a list may be written in any usual way', () => {
  const second = `b:${other.toString('base64url')}`
  const ways = [
    `a:${base64},${second}`,
    ` a : ${base64} , ${second} ,`,
    `a:${base64}\r\n\r\n${second}`,
    `\uFEFFa:${bytes.toString('base64url')}\n${second}`,
    `# 2026, the new one: a\na:${base64.replace('=', '')}\n  # the old, b:x\n\n${second}=\n`,
  ]
  for (const way of ways) {
    const { first, keys } = readMasterKeys(way)
    assert.deepEqual([first, keys.get('a')?.export(), keys.get('b')?.export()], ['a', bytes, other], way)
  }
})

test('a fresh key is read back, and no two are alike', () => {
  const made = makeMasterKey('2026-08.a_b')
  assert.match(made, /^2026-08\.a_b:[A-Za-z0-9+/]{43}=$/)
  assert.equal(readMasterKeys(made).keys.get('2026-08.a_b')?.symmetricKeySize, 32)
  assert.notEqual(made, makeMasterKey('2026-08.a_b'))
  for (const id of ['', 'a:b', 'a b', 'x'.repeat(33)]) assert.throws(() => makeMasterKey(id), /id of a master key/)
})

const padless = base64.slice(0, 43)
const refusals: readonly [name: string, text: string, reason: RegExp][] = [
  ['nothing', '', /^there is no master key$/],
  ['only comments', '# a:b\n\n , ', /^there is no master key$/],
  ['no id', `:${base64}`, /^master key 1 is not ID:BASE64/],
  ['no colon', base64, /^master key 1 is not ID:BASE64/],
  ['the parts the wrong way round', `${base64}:a`, /^master key 1 is not ID:BASE64/],
  ['a long id as second', `a:${base64},${'b'.repeat(33)}:${base64}`, /^master key 2 is not ID:BASE64/],
  ['a foreign letter in the id', `ä:${base64}`, /^master key 1 is not ID:BASE64/],
  ['no bytes', 'a:', /^master key a is not 32 bytes/],
  ['16 bytes', `a:${bytes.subarray(16).toString('base64')}`, /^master key a is not 32 bytes/],
  ['31 bytes', `a:${bytes.subarray(1).toString('base64')}`, /^master key a is not 32 bytes/],
  ['33 bytes', `a:${Buffer.concat([bytes, other.subarray(31)]).toString('base64')}`, /^master key a is not 32 bytes/],
  ['hex', `a:${bytes.toString('hex')}`, /^master key a is not 32 bytes/],
  ['two alphabets in one', `a:${padless.replace('+', '-')}`, /^master key a is not 32 bytes/],
  ['too much padding', `a:${padless}==`, /^master key a is not 32 bytes/],
  ['padding within', `a:${padless.slice(0, 20)}=${padless.slice(20)}`, /^master key a is not 32 bytes/],
  ['white space within', `a:${padless.slice(0, 20)} ${padless.slice(20)}`, /^master key a is not 32 bytes/],
  ['a letter beside the alphabet', `a:${padless.slice(0, 42)}!`, /^master key a is not 32 bytes/],
  ['bits that are not used', `a:${padless.slice(0, 42)}9`, /^master key a is not 32 bytes/],
  ['zeroes', `a:${Buffer.alloc(32).toString('base64')}`, /^master key a is a placeholder/],
  ['one byte all over', `a:${Buffer.alloc(32, 7).toString('base64')}`, /^master key a is a placeholder/],
  ['an id twice', `a:${base64},a:${other.toString('base64')}`, /^master key a is there twice$/],
  ['a key twice', `a:${base64},b:${bytes.toString('base64url')}`, /^master keys a and b are the same key$/],
]

for (const [name, text, reason] of refusals)
  test(`a list of master keys is refused, without its bytes in the words: ${name}`, () => {
    assert.throws(
      () => readMasterKeys(text),
      (error: Error) => {
        assert.equal(error.constructor, Error)
        assert.match(error.message, reason)
        for (const window of text.match(/[A-Za-z0-9+/=_-]{8}/g) ?? [])
          assert.ok(!error.message.includes(window), window)
        return true
      },
    )
  })
