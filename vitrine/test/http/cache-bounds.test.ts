import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createCursors, listDigest } from '../../src/engine/cursor.ts'
import { createAnswers, createListingMemories } from '../../src/reads/caches.ts'
import { readWishes } from '../../../base/web/conditional.ts'
import { toBytes } from '../../../base/web/reply.ts'

const mebibyte = 1024 * 1024
const wishes = readWishes()

function scene() {
  let at = 1_000_000
  const cursors = createCursors(randomBytes(32), () => 1_000_000)
  const answers = createAnswers({ cacheSeconds: 60, cursors, steady: () => at })
  const open = { get: () => {}, identity: 'one' }
  const look = (id: string, query = '') => {
    const route = { operation: 'getEvent', group: 'marketing' } as const
    const looked = answers.look({ route, open, ids: { id }, query }, wishes)
    assert.ok(!(looked instanceof Promise))
    return looked
  }
  const keep = (id: string, bytes: Buffer, query = '') => {
    const looked = look(id, query)
    assert.ok(looked && !looked.found)
    const reply = looked.keep(bytes)
    assert.ok(!(reply instanceof Promise))
    return reply.told?.status
  }
  return { answers, look, keep, pass: (seconds: number) => void (at += seconds * 1000) }
}

/** bytes that the process holds outside its heap, after garbage collection */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

test('10,000 different answers keep the cache within 32 MiB, evicting the least recently used first', () => {
  const { answers, look, keep, pass } = scene()
  const before = heldBytes()
  keep('used', toBytes(JSON.stringify({ filler: 'u' })))
  for (let i = 0; i < 10_000; i++) {
    pass(0.001)
    assert.equal(keep(`e${i}`, toBytes(JSON.stringify({ filler: 'x'.repeat(10_000), i }))), 'fwd=uri-miss; stored')
    assert.ok(answers.size() <= 32 * mebibyte)
    if (i % 100 === 0) assert.ok(look('used')?.found)
  }
  assert.ok(answers.size() > 31 * mebibyte)
  const grown = heldBytes() - before
  assert.ok(grown > 28 * mebibyte && grown < 34 * mebibyte, `${grown} bytes`)
  assert.ok(look('used')?.found)
  assert.ok(look('e9999')?.found)
  assert.ok(!look('e0')?.found)
})

test('small cached answers hold no larger buffer, and the size of their cache keys is counted', () => {
  const { answers, keep } = scene()
  const before = heldBytes()
  const filler = 'q'.repeat(5_000)
  for (let i = 0; i < 2_000; i++) {
    keep(`e${i}`, toBytes(JSON.stringify({ i })), `${filler}=${i}`)
    // other users of the shared buffer pool
    Buffer.from('x'.repeat(1_000))
  }
  const grown = heldBytes() - before
  assert.ok(grown < mebibyte, `${grown} bytes`)
  assert.ok(answers.size() > 2_000 * 10_000)
  for (let i = 2_000; i < 8_000; i++) keep(`e${i}`, toBytes(JSON.stringify({ i })), `${filler}=${i}`)
  assert.ok(answers.size() <= 32 * mebibyte)
})

test('expired answers leave the cache even if no request asks for them', () => {
  const { answers, look, keep, pass } = scene()
  for (let i = 0; i < 100; i++) keep(`e${i}`, toBytes(JSON.stringify({ filler: 'x'.repeat(1_000), i })))
  const full = answers.size()
  assert.ok(full > 100_000)
  pass(61)
  assert.ok(!look('e1')?.found)
  keep('one more', toBytes(JSON.stringify({})))
  assert.ok(answers.size() < 1_000, `${answers.size()} of ${full} bytes`)
})

test('the same place in a list has the same cursor for 11 hours in every process, and different lists never share one', () => {
  const window = 11 * 3_600_000
  let at = 40_000 * window
  const key = randomBytes(32)
  const { sealStable: seal, open } = createCursors(key, () => at)
  const elsewhere = createCursors(key, () => at)
  const [one, two] = [listDigest(['one']), listDigest(['two'])]
  const marks = { page: 1, anchor: '0123456789ab', trail: ['0123456789ab'] }
  const place = { cursor: 'c', found: 'ba9876543210', tally: { count: 50, total: 120 }, ...marks }
  const first = seal(one, place)
  assert.equal(elsewhere.sealStable(one, { ...place }), first)
  for (const other of [seal(two, place), seal(one, { ...place, cursor: 'd' }), seal(one, { ...place, trail: [] })])
    assert.notEqual(other, first)
  assert.notEqual(createCursors(randomBytes(32), () => at).sealStable(one, place), first)
  assert.deepEqual(open(one, first), place)
  assert.deepEqual(open(two, seal(two, place)), place)
  assert.throws(() => open(two, first), { code: 'cursor_mismatch' })
  at += window - 1
  assert.equal(seal(one, place), first)
  assert.deepEqual(open(one, first), place)
  at += 1
  assert.notEqual(seal(one, place), first)
})

test('remembered listings stay within 16 MiB however long their ids are, evicting the least recently used first', () => {
  const listings = createListingMemories(() => 1_000_000).of({}, false)
  const idsOf = (length: number) => new Set(Array.from({ length: 1_000 }, (_, i) => String(i).padStart(length)))
  listings.set('first', idsOf(36))
  listings.set('long', idsOf(5_000))
  assert.equal(listings.get('first')?.size, 1_000)
  listings.set('also long', idsOf(5_000))
  assert.deepEqual([listings.get('long'), listings.get('also long')?.size], [undefined, 1_000])
  assert.equal(listings.get('first')?.size, 1_000, 'it was used after the one that had to go')
  listings.set('longest', idsOf(9_000))
  assert.equal(listings.get('longest'), undefined)
})
