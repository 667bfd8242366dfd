import assert from 'node:assert/strict'
import test from 'node:test'
import { ReadingTurns } from '../../src/replicas/reading-turns.ts'

/** as many steps as a document has on its way from the platform to the answer, or more */
async function read(turns: ReadingTurns, name: string, bytes: number, log: string[]) {
  await turns.wait(bytes)
  log.push(`${name} begins`)
  for (let step = 0; step < 50; step++) await Promise.resolve()
  log.push(`${name} ends`)
}

async function order(sizes: Readonly<Record<string, number>>): Promise<string> {
  const [turns, log]: [ReadingTurns, string[]] = [new ReadingTurns(), []]
  await Promise.all(Object.entries(sizes).map(([name, bytes]) => read(turns, name, bytes, log)))
  return log.map((line) => line.replace(/^(\w) (\w).*/, '$1$2')).join(' ')
}

const [small, large, huge] = [130_000, 520_000, 8_000_000]

test('large documents are read a few in each turn of the event loop, each to its end, in order', async () => {
  assert.equal(await order({ a: large, b: large, c: large, d: large }), 'ab bb ae be cb db ce de')
})

test('small documents are read together', async () => {
  assert.equal(await order({ a: small, b: small, c: small }), 'ab bb cb ae be ce')
})

test('a document beyond the limit is read by itself', async () => {
  assert.equal(await order({ a: small, b: huge, c: small, d: small }), 'ab ae bb be cb db ce de')
})

test('what arrives while documents wait is handled between them', async () => {
  const [turns, log]: [ReadingTurns, string[]] = [new ReadingTurns(), []]
  const reads = ['a', 'b', 'c'].map((name) => read(turns, name, huge, log))
  setImmediate(() => log.push('another'))
  await Promise.all(reads)
  assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'another', 'c begins', 'c ends'])
})

test('a document that comes while others are read is next, and one that comes after all were read is read at once', async () => {
  const [turns, log]: [ReadingTurns, string[]] = [new ReadingTurns(), []]
  const first = read(turns, 'a', huge, log)
  const second = read(turns, 'b', small, log)
  await Promise.all([first, second])
  await read(turns, 'c', small, log)
  assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})
