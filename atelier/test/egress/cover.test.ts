// The cover of secret values in answers: a whole value is covered wherever it is cut, and a part of one is never visible in any way.
import assert from 'node:assert/strict'
import type { TLSSocket } from 'node:tls'
import test, { type TestContext } from 'node:test'
import { Readable } from 'node:stream'
import { SecretCover } from '../../src/egress/secret-cover.ts'
import { ValueFinder } from '../../src/egress/value-finder.ts'
import { type Answer, openScene, value } from './secret-scene.ts'
import { readUntil } from './proxy-rig.ts'

const longest = (values: readonly string[]): number => Math.max(0, ...values.map(({ length }) => length))
const coverOf = (values: readonly string[]) => new SecretCover(new ValueFinder(values), longest(values))

async function coveredIn(cover: SecretCover, pieces: readonly string[]): Promise<string> {
  const source = Readable.from(pieces.map((piece) => Buffer.from(piece, 'latin1')))
  const parts = (await source.pipe(cover.stream()).toArray()) as Buffer[]
  return Buffer.concat(parts).toString('latin1')
}

const piecesOf = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

const star = (count: number): string => '*'.repeat(count)

test('a value is covered wherever it is cut, where values begin alike, overlap or repeat', async () => {
  const cases: [values: string[], text: string, wanted: string][] = [
    [
      ['secret-value', 'secret-sesame'],
      'a secret-value, secret-secret-value secret-valuesecret-sesame secret-valu secret-',
      `a ${star(12)}, secret-${star(12)} ${star(25)} secret-valu secret-`,
    ],
    [
      ['key-1234', 'key-1234-and-more', 'a-key-12'],
      'key-1234 key-1234-and-more a-key-1234-and-more key-1234-and',
      `${star(8)} ${star(17)} ${star(19)} ${star(8)}-and`,
    ],
    [['abababab'], 'xababababababx abababa', `x${star(12)}x abababa`],
    [['inner-value', 'an-inner-value-outside'], 'an-inner-value-outsid an-inner-value-outside', `an-${star(11)}-outsid ${star(22)}`], // prettier-ignore
    // read four bits later, the second is in the first
    [['5eeeeeeee'], 'UUUUUUUU\x55\xee\xee 5eeeeeeee', `UUUUUUUU\x55\xee\xee ${star(9)}`],
  ]
  for (const [values, text, wanted] of cases) {
    const cover = coverOf(values)
    assert.equal(cover.text(text), wanted)
    for (let size = 1; size <= text.length; size += 1)
      assert.equal(await coveredIn(cover, piecesOf(text, size)), wanted, `${values.join()} by ${size}`)
  }
})

test('the automaton finds the same values as a search at each position', async () => {
  let seed = 7
  const next = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
  const word = (length: number) => Array.from({ length }, () => 'abc'[next(3)]).join('')
  for (let round = 0; round < 300; round += 1) {
    const values = Array.from({ length: 1 + next(5) }, () => word(2 + next(5)))
    const text = word(60)
    const wanted = Array.from(text)
    for (const one of values)
      for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) wanted.fill('*', at, at + one.length)
    assert.equal(await coveredIn(coverOf(values), piecesOf(text, 1 + next(9))), wanted.join(''), values.join())
  }
})

/** how many bytes each piece that is written lets through */
function flowOf(cover: SecretCover, pieces: readonly string[]): number[] {
  const stream = cover.stream()
  const flow = pieces.map((piece) => {
    stream.write(piece)
    return (stream.read() as Buffer | null)?.length ?? 0
  })
  stream.destroy()
  return flow
}

test('the bytes that wait depend on lengths alone, also behind a part of a value', () => {
  const cover = coverOf([value, 'another-value'])
  for (let known = 0; known < value.length; known += 1) {
    const guess = value.slice(0, known)
    const pieces = [`${'.'.repeat(20)}${guess}`, '!', `${guess}${guess}`, guess, '']
    assert.deepEqual(flowOf(cover, pieces), flowOf(cover, pieces.map(({ length }) => '?'.repeat(length)))) // prettier-ignore
  }
  assert.deepEqual(flowOf(cover, ['x'.repeat(15), 'x', 'xx', 'x'.repeat(40)]), [0, 1, 2, 40])
})

test('each byte is read once, for 14 values of 4 KiB that begin alike and an answer in pieces of one byte', async (t) => {
  const read = t.mock.method(ValueFinder.prototype, 'scan')
  const written = t.mock.method(Buffer.prototype, 'fill')
  const alike = 'a'.repeat(4_095)
  const cover = coverOf(Array.from('bcdefghijklmno').map((end) => alike + end))
  const text = alike.repeat(2) + 'b'
  assert.equal(await coveredIn(cover, piecesOf(text, 1)), `${alike}${star(4_096)}`)
  assert.equal(read.mock.calls.reduce((sum, { arguments: [bytes] }) => sum + bytes.length, 0), text.length) // prettier-ignore
  written.mock.resetCalls()
  const ofOneLetter = coverOf(['a'.repeat(4_096)])
  assert.equal(await coveredIn(ofOneLetter, piecesOf('a'.repeat(20_000), 7)), star(20_000))
  const filled = written.mock.calls.map(({ arguments: [, from, to] }: { arguments: unknown[] }) => Number(to) - Number(from)) // prettier-ignore
  assert.equal(filled.reduce((sum: number, count: number) => sum + count, 0), 20_000) // prettier-ignore
})

/** sends each part of a body on as it comes */
const echo: Answer = (req, res) => {
  res.sendDate = false
  req.on('data', (part: Buffer) => res.write(part))
  req.on('end', () => res.end())
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** all that a program sees of the echo of a guess: the framing of the answer, without its text */
async function watchEcho(socket: TLSSocket, host: string, guess: string, more: string): Promise<string[]> {
  socket.write(`POST / HTTP/1.1\r\nHost: ${host}\r\n${more}Transfer-Encoding: chunked\r\n\r\n${chunk('.'.repeat(64) + guess)}`) // prettier-ignore
  const first = await readUntil(socket, (text) => /\r\n\r\n[0-9a-f]+\r\n[^]*\r\n$/.test(text))
  socket.write(`${chunk('!')}0\r\n\r\n`)
  const rest = await readUntil(socket, (text) => text.endsWith('0\r\n\r\n'))
  return [...`${first}|${rest}`.matchAll(/^[0-9a-f]+\r$/gm)].map(([size]) => size)
}

async function attack(t: TestContext, more: (placeholder: string) => string) {
  const { host, placeholder, secure } = await openScene(t, { echo })
  const socket = (await secure()).setMaxListeners(0)
  let learned = 0
  for (let known = 0; known < value.length - 1; known += 1) {
    const seen = new Map<string, string[]>()
    for (const next of new Set(['#', '%', '&', value[known] ?? ''])) {
      const sizes = await watchEcho(socket, host, value.slice(0, known) + next, more(placeholder))
      assert.ok(sizes.length > 1, 'the answer came in several pieces')
      seen.set(sizes.join(), [...(seen.get(sizes.join()) ?? []), next])
    }
    const [odd] = [...seen.values()].filter((ones) => ones.length === 1)
    if (odd?.[0] === value[known]) learned += 1
  }
  return learned
}

test('a program that sends guesses to a host that echoes them learns no character', async (t) => {
  assert.equal(await attack(t, () => ''), 0)
  assert.equal(await attack(t, (placeholder) => `Authorization: Bearer ${placeholder}\r\n`), 0)
  assert.equal(await attack(t, (placeholder) => `Authorization: Basic ${btoa(`u:${placeholder}`)}\r\n`), 0)
})

test('a host with a secret is asked for no ranges, and the program is offered none', async (t) => {
  const answer: Answer = (_, res) => res.setHeader('Accept-Ranges', 'bytes').end('whole')
  const { api, host, secure } = await openScene(t, { answer })
  const socket = await secure()
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=0-1\r\nIf-Range: "x"\r\nConnection: close\r\n\r\n`)
  const said = await readUntil(socket)
  assert.ok(said.endsWith('whole') || said.includes('\r\nwhole\r\n'), said)
  assert.doesNotMatch(said, /accept-ranges/i)
  assert.deepEqual([api.asked[0]?.headers['range'], api.asked[0]?.headers['if-range']], [undefined, undefined])
})

test('the headers of an answer do not wait for a body that is shorter than a value', async (t) => {
  const held: (() => void)[] = []
  const answer: Answer = (_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n')
    held.push(() => res.end())
  }
  const { host, secure } = await openScene(t, { answer })
  const socket = await secure()
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  assert.match(await readUntil(socket, (text) => text.includes('\r\n\r\n')), /event-stream/)
  held[0]?.()
  assert.match(await readUntil(socket, (text) => text.endsWith('0\r\n\r\n')), /data: 1\n/)
})
