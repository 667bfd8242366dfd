import assert from 'node:assert/strict'
import test from 'node:test'
import { Problem } from '../../../base/core/problem.ts'
import { readTar, type TarEntry } from '../../src/files/read-tar.ts'
import { hostileTars } from './hostile-tars.ts'
import { chunked, collect, createRandom, dir, file, gnuLong, head, pax, streamOf, symlink, tar } from './tars.ts'

const limits = { entries: 20_000, bytes: 1_073_741_824 }

type Read = Omit<TarEntry, 'body' | 'modifiedAt'> & { content: string }

async function readAll(bytes: Buffer, seed = 1, seen: Read[] = [], most = limits): Promise<Read[]> {
  for await (const { body, modifiedAt: _, ...entry } of readTar(streamOf(chunked(bytes, createRandom(seed))), most)) {
    seen.push({ ...entry, content: '' })
    seen.splice(-1, 1, { ...entry, content: (await collect(body)).toString('latin1') })
  }
  return seen
}

const pathsOf = async (...parts: readonly Buffer[]): Promise<string[]> =>
  (await readAll(tar(...parts))).map(({ path }) => path)

test('there are enough hostile tars, each with a title of its own', () => {
  assert.ok(hostileTars.length >= 200, String(hostileTars.length))
  assert.equal(new Set(hostileTars.map(({ title }) => title)).size, hostileTars.length)
})

for (const { title, reason, bytes } of hostileTars)
  test(`refused: ${title}`, async () => {
    for (const seed of [3, 77]) {
      const seen: Read[] = []
      await assert.rejects(readAll(bytes, seed, seen), (error: unknown) => {
        assert.ok(error instanceof Problem)
        assert.equal(error.code, 'invalid_archive')
        const { details } = (error as Problem<string>).extras
        assert.equal(details?.['reason'], reason)
        assert.ok(details['entry'] === null || typeof details['entry'] === 'string')
        return true
      })
      assert.ok(!seen.some(({ path }) => path.includes('after') || path === 'innocent'), JSON.stringify(seen))
    }
  })

test('files, directories and links come out as they are', async () => {
  assert.deepEqual(await readAll(tar(dir('a'), file('a/f', 'hello', { mode: 0o751 }), file('empty', ''), symlink('a/l', 'f'))), [
    { path: 'a', type: 'directory', mode: 0o755, size: 0, linkTarget: null, content: '' },
    { path: 'a/f', type: 'file', mode: 0o751, size: 5, linkTarget: null, content: 'hello' },
    { path: 'empty', type: 'file', mode: 0o644, size: 0, linkTarget: null, content: '' },
    { path: 'a/l', type: 'symlink', mode: 0o777, size: 0, linkTarget: 'f', content: '' },
  ]) // prettier-ignore
})

test('names are read from ustar prefixes, PAX records and GNU headers', async () => {
  const long = 'n'.repeat(180)
  assert.deepEqual(await pathsOf(file('f1', '1', { prefix: 'p'.repeat(90) })), [`${'p'.repeat(90)}/f1`])
  assert.deepEqual(await pathsOf(pax({ path: `dir/${long}` }), file('short')), [`dir/${long}`])
  assert.deepEqual(await pathsOf(gnuLong(long), file('cut')), [long])
  assert.deepEqual(await pathsOf(pax({ path: 'é/日', mtime: '1700000000.5', 'SCHILY.xattr.user.a': 'b' }), file('x')), ['é/日'])
  assert.deepEqual(await pathsOf(file('a', 'x', { magic: 'ustar  \0', prefix: 'times of GNU tar' })), ['a'])
  assert.deepEqual(await pathsOf(pax({ comment: '8f2d' }, 'g'), file('a')), ['a'])
  const many = Object.fromEntries(Array.from({ length: 63 }, (_, i) => [`SCHILY.xattr.user.${i}`, 'b'.repeat(200)]))
  assert.deepEqual(await pathsOf(pax({ path: 'a', ...many }), file('x')), ['a'])
  assert.deepEqual(await pathsOf(head({ name: 'old', type: '\0' })), ['old'])
  const [link] = await readAll(tar(pax({ linkpath: `d/${long}` }), symlink('l', 'cut')))
  assert.equal(link?.linkTarget, `d/${long}`)
  const [gnu] = await readAll(tar(gnuLong(long, 'K'), gnuLong(`${long}2`), symlink('l', 'cut')))
  assert.deepEqual([gnu?.path, gnu?.linkTarget], [`${long}2`, long])
}) // prettier-ignore

test('a size is read from PAX and from binary numbers', async () => {
  const data = Buffer.alloc(512, 'y')
  const [one] = await readAll(tar(pax({ size: '512' }), head({ name: 'a' }), data))
  assert.equal(one?.content, data.toString())
  const [two] = await readAll(tar(head({ name: 'a', over: [[124, `\x80${'\0'.repeat(9)}\x02\0`]] }), data))
  assert.equal(two?.content, data.toString())
})

test('./ in front and the entry of the tree itself are taken', async () => {
  assert.deepEqual(await pathsOf(dir('./'), file('./a'), dir('./s'), file('././s/b')), ['', 'a', 's', 's/b'])
})

test('links stay inside as they are read from where they stand', async () => {
  for (const [path, target] of [['l', 'a'], ['l', '.'], ['l', './a/../a/f'], ['a/l', '..'], ['a/l', '../b'], ['a/b/l', '../../x'], ['l', 'nowhere/..'], ['l', 'a//b/']] as const)
    assert.equal((await readAll(tar(dir('a'), symlink(path, target)))).at(-1)?.linkTarget, target)
  assert.deepEqual(await pathsOf(symlink('l', 'a/../b'), dir('a'), file('a/f')), ['l', 'a', 'a/f'])
}) // prettier-ignore

test('a directory may come after what stands in it', async () => {
  assert.deepEqual(await pathsOf(file('a/b/c'), dir('a/b'), dir('a')), ['a/b/c', 'a/b', 'a'])
})

test('zeros after the end are no data', async () => {
  assert.equal((await readAll(Buffer.concat([tar(file('a')), Buffer.alloc(9216)]))).length, 1)
  assert.deepEqual(await readAll(tar()), [])
})

test('more entries, directories or bytes than allowed are too large', async () => {
  const isTooLarge = (limit: number) => (error: unknown) =>
    error instanceof Problem && (error as Problem<string>).code === 'too_large' && error.extras.details?.['limit'] === limit
  const files = (count: number) => Array.from({ length: count }, (_, i) => file(`f${i}`, 'four'))
  const small = { entries: 10, bytes: 20 }
  assert.equal((await readAll(tar(...files(5)), 1, [], small)).length, 5)
  await assert.rejects(readAll(tar(...files(6)), 1, [], small), isTooLarge(20))
  await assert.rejects(readAll(tar(...Array.from({ length: 11 }, (_, i) => dir(`d${i}`))), 1, [], small), isTooLarge(10))
  await assert.rejects(readAll(tar(file(`${'d/'.repeat(11)}f`, '')), 1, [], small), isTooLarge(10))
  const seen: Read[] = []
  await assert.rejects(readAll(head({ name: 'bomb', over: [[124, `\x80${'\0'.repeat(4)}\x0f${'\xff'.repeat(6)}`]] }), 1, seen), isTooLarge(limits.bytes))
  assert.deepEqual(seen, [])
}) // prettier-ignore

test('what an entry leaves unread is skipped, and the source is left open', async () => {
  let isLeft = false
  async function* source() {
    try {
      yield* chunked(tar(file('a', 'x'.repeat(5000)), file('b', 'y'.repeat(3000)), file('c')), createRandom(9))
    } finally {
      isLeft = true
    }
  }
  const paths: string[] = []
  for await (const { path, body } of readTar(source(), limits)) {
    paths.push(path)
    if (path !== 'b') continue
    for await (const part of body) if (part.length > 0) break
  }
  assert.deepEqual([paths, isLeft], [['a', 'b', 'c'], true])
})

test('names of 4 KiB do not pile up', async () => {
  const folder = `${'n'.repeat(200)}/`.repeat(19)
  function* many() {
    for (let i = 0; i < 6000; i++) yield Buffer.concat([pax({ path: `${folder}${i}` }), file('a', '')])
    yield Buffer.alloc(1024)
  }
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  let count = 0
  for await (const { path } of readTar(streamOf(many()), limits)) count += path.length > 3800 ? 1 : 0
  assert.equal(count, 6000)
  assert.ok(process.memoryUsage().heapUsed - before < 16 * 2 ** 20)
})
