import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import test from 'node:test'
import { createRandomPool } from '../../../base/core/digest-and-random.ts'
import { alike, associate, seal, sealedOverhead, unseal } from '../../../base/core/seal.ts'
import collection from './aes-gcm-vectors.json' with { type: 'json' }

const bytesOf = (hex: string | undefined): Buffer => Buffer.from(hex === '-' ? '' : (hex ?? ''), 'hex')
const vectors = collection.vectors.map((line) => {
  const [number = '', verdict = '', ...parts] = line.split(' ')
  const [key, nonce, associated, text, ciphertext, tag] = parts.map(bytesOf) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  return { number, verdict, key, associated, text, sealed: Buffer.concat([Buffer.of(1), nonce, ciphertext, tag]) }
})

test('what others sealed opens, and what others forged does not', () => {
  const verdicts = Map.groupBy(vectors, ({ verdict }) => verdict)
  assert.deepEqual([verdicts.get('valid')?.length, verdicts.get('invalid')?.length], [24, 27])
  for (const { number, verdict, key, associated, text, sealed } of vectors)
    for (const given of [key, createSecretKey(key)])
      assert.deepEqual(unseal(given, associated, sealed), verdict === 'valid' ? text : undefined, number)
})

test('what others sealed opens nowhere else and with no other key', () => {
  for (const { number, key, associated, sealed } of vectors) {
    assert.equal(unseal(key, Buffer.concat([associated, Buffer.of(0)]), sealed), undefined, number)
    assert.equal(unseal(randomBytes(32), associated, sealed), undefined, number)
  }
})

test('a changed, shorter or longer text does not open', () => {
  const key = randomBytes(32)
  const at = associate('here')
  for (const length of [0, 1, 16, 138]) {
    const plain = randomBytes(length)
    const sealed = seal(key, at, plain)
    assert.equal(sealed.length, length + sealedOverhead)
    assert.deepEqual(unseal(key, at, sealed), plain)
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const forged = Buffer.from(sealed)
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.equal(unseal(key, at, forged), undefined, `bit ${bit}`)
    }
    // among them the tags of 4 to 15 bytes that the cipher itself would take
    for (let end = 0; end < sealed.length; end++) assert.equal(unseal(key, at, sealed.subarray(0, end)), undefined)
    assert.equal(unseal(key, at, Buffer.concat([sealed, Buffer.of(0)])), undefined)
  }
})

test('lists of texts that read alike when joined are told apart', () => {
  const lists = [[], [''], ['', ''], ['ab'], ['a', 'b'], ['', 'ab'], ['ab', ''], ['a', '', 'b'], ['\0\0\0\x01a']]
  assert.equal(new Set(lists.map((list) => associate(...list).toString('hex'))).size, lists.length)
})

test('no nonce comes twice in 100,000 seals, also from a pool', () => {
  const key = createSecretKey(randomBytes(32))
  const at = associate('here')
  for (const random of [undefined, createRandomPool()]) {
    const nonces = new Set<string>()
    for (let n = 0; n < 100_000; n++) nonces.add(seal(key, at, Buffer.of(1), random).toString('latin1', 1, 13))
    assert.equal(nonces.size, 100_000)
  }
})

test('what is sealed alike is the same for the same bytes at the same place, and otherwise shares not even a nonce', () => {
  const key = randomBytes(32)
  const [here, there] = [associate('here'), associate('there')]
  const [one, two] = [alike(key, 'test'), alike(createSecretKey(key), 'test')]
  const plain = Buffer.from('the very bytes')
  const sealed = one(here, plain)
  assert.deepEqual(two(here, plain), sealed)
  assert.deepEqual(unseal(key, here, sealed), plain)
  assert.equal(unseal(key, there, sealed), undefined)
  const others = [
    one(there, plain),
    one(here, Buffer.from('the very byteS')),
    one(here, Buffer.alloc(0)),
    // joined, these read alike
    one(Buffer.concat([here, plain]), Buffer.alloc(0)),
    one(Buffer.alloc(0), Buffer.concat([here, plain])),
    alike(randomBytes(32), 'test')(here, plain),
    seal(key, here, plain),
  ]
  const nonces = [sealed, ...others].map((bytes) => bytes.toString('latin1', 1, 13))
  assert.equal(new Set(nonces).size, nonces.length)
})
