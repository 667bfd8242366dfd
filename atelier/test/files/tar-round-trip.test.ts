import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { type TarEntry, readTar } from '../../src/files/read-tar.ts'
import { type TarItem, writeTar } from '../../src/files/write-tar.ts'
import { chunked, collect, createRandom, streamOf } from './tars.ts'

const limits = { entries: 20_000, bytes: 1_073_741_824 }
const owner = { uid: 1000, gid: 1000 }

const letters = [
  'a',
  'B',
  '0',
  ' ',
  '.x',
  '-',
  '_',
  '?',
  '[',
  ']',
  '\\',
  '"',
  "'",
  '#',
  '%',
  '&',
  '=',
  'é',
  '日',
  '😀',
  'n'.repeat(60),
]

type Random = ReturnType<typeof createRandom>

function nameOf(random: Random): string {
  const name = Array.from({ length: 1 + random(4) }, () => letters[random(letters.length)] ?? 'a').join('')
  return Buffer.byteLength(name) > 255 ? 'n' : name
}

const noise = Buffer.from(Array.from({ length: 140_000 }, createRandom(7).bind(null, 256)))

function bytesOf(random: Random, length: number): Buffer {
  const start = random(noise.length - length)
  return noise.subarray(start, start + length)
}

function randomTree(random: Random): TarItem[] {
  const folders = ['']
  const taken = new Set<string>()
  const items: TarItem[] = []
  for (let left = random(60); left > 0; left--) {
    const folder = folders[random(folders.length)] ?? ''
    const path = `${folder}${nameOf(random)}`
    if (taken.has(path) || path.split('/').length > 60 || Buffer.byteLength(path) > 4096) continue
    taken.add(path)
    const common = { path, mode: random(0o1000), modifiedAt: new Date(random(2 ** 31) * 1000), size: 0, linkTarget: null, body: null }
    const kind = random(4)
    if (kind === 0) {
      items.push({ ...common, type: 'directory' })
      folders.push(`${path}/`)
    } else if (kind === 1) items.push({ ...common, type: 'symlink', linkTarget: `./${nameOf(random)}/${'x'.repeat(random(300))}` })
    else {
      const body = bytesOf(random, random(3) === 0 ? random(70_000) : random(1100))
      items.push({ ...common, type: 'file', size: body.length, body })
    }
  }
  return items
} // prettier-ignore

interface Plain {
  readonly path: string
  readonly type: string
  readonly mode: number
  readonly modified: number
  readonly linkTarget: string | null
  readonly sha256: string
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function plainOf(entry: TarEntry | TarItem): Promise<Plain> {
  const { path, type, mode, modifiedAt, linkTarget, body } = entry
  const bytes = Buffer.isBuffer(body) ? body : await collect(body ?? streamOf([]))
  const text = linkTarget === null ? null : linkTarget.toString()
  return { path: path.toString(), type, mode, modified: modifiedAt.getTime(), linkTarget: text, sha256: sha256(bytes) }
}

test('150 random trees, in chunks of random sizes, come back as they were, twice', async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(seed * 2_654_435_761)
    const items = randomTree(random)
    const wanted = await Promise.all(items.map(plainOf))
    const bytes = await collect(writeTar(items, owner))
    assert.equal(bytes.length % 512, 0)
    const seen: Plain[] = []
    for await (const entry of readTar(streamOf(chunked(bytes, random, 1 + random(9000))), limits))
      seen.push(await plainOf(entry))
    assert.deepEqual(seen, wanted, `seed ${seed}`)
    const again = writeTar(readTar(streamOf(chunked(bytes, random)), limits), owner)
    assert.ok((await collect(again)).equals(bytes), `seed ${seed}`)
  }
})

test('a random tree with one byte changed is refused, or is read within the rules', async () => {
  const random = createRandom(99)
  for (let round = 0; round < 200; round++) {
    const bytes = await collect(writeTar(randomTree(random), owner))
    const place = random(bytes.length)
    bytes[place] = random(256)
    try {
      for await (const entry of readTar(streamOf(chunked(bytes, random)), limits)) {
        assert.ok(!entry.path.startsWith('/') && !entry.path.split('/').includes('..'))
        await collect(entry.body)
      }
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'invalid_archive')
    }
  }
})

test('the tar of the system lists what is written', async () => {
  const items = randomTree(createRandom(4)).filter(({ path }) => /^[\w/.-]+$/.test(path.toString()))
  const bytes = await collect(writeTar(items, owner))
  const listed = execFileSync('tar', ['-tf', '-', '--numeric-owner'], { input: bytes, encoding: 'utf8' }).split('\n')
  assert.deepEqual(
    listed.slice(0, -1).map((line) => line.replace(/\/$/, '')),
    items.map(({ path }) => path.toString()),
  )
})

for (const format of ['ustar', 'gnu', 'posix'])
  test(`what the tar of the system writes in the format ${format} is read`, async () => {
    const script = `d=$(mktemp -d) && cd $d && mkdir -p a/b && echo one >a/b/one && ln -s b a/l && head -c 100000 /dev/zero >big &&
      echo x >a/${'n'.repeat(format === 'ustar' ? 90 : 150)} && tar --format=${format} -cf - . && rm -r $d`
    const bytes = execFileSync('sh', ['-c', script], { maxBuffer: 1e7 })
    const paths: string[] = []
    for await (const { path } of readTar(streamOf([bytes]), limits)) paths.push(path.slice(0, 20))
    const long = `a/${'n'.repeat(18)}`
    assert.deepEqual(paths.toSorted(), ['', 'a', 'a/b', 'a/b/one', 'a/l', long, 'big'])
  })

test('a body that is shorter or longer than its size breaks the tar off', async () => {
  const item = { path: 'a', type: 'file', mode: 0o644, modifiedAt: new Date(), size: 5, linkTarget: null } as const
  for (const body of [Buffer.from('four'), Buffer.from('sixsix'), null])
    await assert.rejects(collect(writeTar([{ ...item, body }], owner)), RangeError)
})
