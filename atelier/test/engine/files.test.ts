import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { directoryTar } from '../../src/engine/small-tar.ts'
import { EngineError } from '../../src/engine/port.ts'
import { onEveryEngine, shell, startContainer, uniqueId } from '../engines.ts'

const fault = (name: string) => (error: unknown) => error instanceof EngineError && error.fault === name

async function bytesOf(readable: Readable) {
  const pieces: Buffer[] = []
  for await (const piece of readable as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** name and content of the first entry */
async function firstEntry(readable: Readable) {
  const tar = await bytesOf(readable)
  const name = tar.toString('utf8', 0, 100).replace(/\0.*$/s, '')
  return [name, tar.toString('utf8', 512, 512 + parseInt(tar.toString('latin1', 124, 135), 8))]
}

onEveryEngine('a path is seen for what it is', async ({ engine }) => {
  const id = await startContainer(engine)
  const script = `cd /tmp; echo hello >f; chmod 4640 f; mkdir -m 1777 d; ln -s /etc/passwd l; ln -s l ll
    ln -s nowhere dangling; mkfifo p; ln -s d dl`
  await shell(engine, id, script)
  const see = async (path: string) => {
    const state = await engine.stat(id, path)
    return state && [state.type, state.mode, state.linkTarget]
  }
  assert.deepEqual(await see('/tmp/f'), ['file', 0o4640, null])
  assert.deepEqual(await see('/tmp/d'), ['directory', 0o1777, null])
  assert.deepEqual(await see('/'), ['directory', (await see('/'))?.[1], null])
  assert.deepEqual(await see('/tmp/l'), ['symlink', 0o777, '/etc/passwd'])
  assert.deepEqual(await see('/tmp/ll'), ['symlink', 0o777, '/etc/passwd'])
  assert.deepEqual(await see('/tmp/dl'), ['symlink', 0o777, '/tmp/d'])
  assert.equal((await see('/tmp/dangling'))?.[0], 'symlink')
  assert.equal((await see('/tmp/p'))?.[0], 'other')
  for (const path of ['/tmp/none', '/tmp/none/x', '/etc/passwd/x', '/etc/passwd/x/y', '/tmp/*', '/tmp/l/x'])
    assert.equal(await see(path), undefined, path)
  const state = await engine.stat(id, '/tmp/f')
  assert.equal(state?.size, 6)
  assert.ok(Math.abs(Number(state?.modifiedAt) - Date.now()) < 60_000)
  await assert.rejects(engine.stat(uniqueId('ct'), '/tmp'), fault('container_gone'))
})

onEveryEngine('a name is a name, and no pattern', async ({ engine }) => {
  const id = await startContainer(engine)
  for (const [name, lure] of [
    ['a[X]b', 'aXb'],
    ['q?', 'qq'],
    ['back\\slash', 'backslash'],
    ['[a-z]', 'm'],
    ['{a,b}', 'a'],
    [' sp ace ', 'space'],
    ['%2e+&#', '.+'],
    ['ü😀', 'u'],
  ] as const) {
    await shell(engine, id, `mkdir "/tmp/$N" "/tmp/$L"; echo -n "$N" >"/tmp/$N/f"; echo -n lure >"/tmp/$L/f"`, {
      env: { N: name, L: lure },
    })
    assert.equal((await engine.stat(id, `/tmp/${name}`))?.type, 'directory', name)
    assert.deepEqual(await firstEntry(await engine.getArchive(id, `/tmp/${name}/f`)), ['f', name])
    await engine.putArchive(id, `/tmp/${name}`, Readable.from([directoryTar('made/', 1000, 1000)]))
    assert.equal((await engine.stat(id, `/tmp/${name}/made`))?.type, 'directory', name)
    assert.equal(await engine.stat(id, `/tmp/${lure}/made`), undefined, name)
    await shell(engine, id, 'rm -r /tmp/*')
  }
})

onEveryEngine('what is put belongs to the owner in the tar', async ({ engine }) => {
  const id = await startContainer(engine)
  await engine.putArchive(id, '/', Readable.from([directoryTar('owned/', 1000, 1000)]))
  assert.equal((await shell(engine, id, 'stat -c "%u:%g %a" /owned')).stdout, '1000:1000 755\n')
})

/** a tar with one file of so many zeroes, in pieces */
function* bigTar(name: string, size: number) {
  const tar = directoryTar(name, 1000, 1000)
  tar.write(`${size.toString(8).padStart(11, '0')}\0        0`, 124, 'latin1')
  tar.write('0'.padStart(12, '0').slice(0, 11), 136, 'latin1')
  tar.write(' '.repeat(8), 148, 'latin1')
  tar.write('0', 156, 'latin1')
  const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  yield tar.subarray(0, 512)
  for (let sent = 0; sent < size; sent += 65_536) yield Buffer.alloc(65_536)
  yield tar.subarray(512)
}

onEveryEngine('a big file passes both ways without being held', async ({ engine }) => {
  const id = await startContainer(engine, { limits: { cpu: 1, memoryMiB: 128, pids: 64, diskMiB: 256 } })
  const size = 128 * 1024 ** 2
  const before = process.memoryUsage().rss
  await engine.putArchive(id, '/tmp', Readable.from(bigTar('big', size)))
  assert.equal((await engine.stat(id, '/tmp/big'))?.size, size)
  let bytes = 0
  for await (const piece of (await engine.getArchive(id, '/tmp/big')) as AsyncIterable<Buffer>) bytes += piece.length
  assert.ok(bytes >= size + 1024 && bytes < size + 32_768, `${bytes}`)
  const grewMiB = (process.memoryUsage().rss - before) / 1024 ** 2
  assert.ok(grewMiB < 100, `${grewMiB}`)
})

onEveryEngine('an upload whose source breaks off fails with the reason of the source', async ({ engine }) => {
  const id = await startContainer(engine)
  const broken = new Error('broken')
  const source = () =>
    Readable.from(
      (async function* () {
        yield directoryTar('half/', 0, 0).subarray(0, 700)
        throw broken
      })(),
    )
  await assert.rejects(engine.putArchive(id, '/tmp', source()), broken)
  const gone = Readable.from([Buffer.alloc(100)])
  gone.destroy()
  await assert.rejects(engine.putArchive(id, '/tmp', gone))
  assert.equal((await shell(engine, id, 'echo alive')).stdout, 'alive\n')
})

onEveryEngine('what is not there cannot be read', async ({ engine }) => {
  const id = await startContainer(engine)
  for (const path of ['/tmp/none', '/tmp/*']) await assert.rejects(engine.getArchive(id, path), fault('path_gone'))
  await assert.rejects(engine.getArchive(uniqueId('ct'), '/tmp'), fault('container_gone'))
  const empty = Readable.from([directoryTar('d/', 0, 0)])
  await assert.rejects(engine.putArchive(uniqueId('ct'), '/tmp', empty), fault('container_gone'))
})
